//! Who listens to a tournament or an experiment: it goes on only while
//! somebody does. How it stands is told to all of them at once, several times
//! a second at most.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use tokio::sync::{Notify, watch};
use tokio::time::sleep;

/// So long after the last listener has left the work pauses: a page that is
/// loaded again does not interrupt it.
const GRACE: Duration = Duration::from_millis(500);
/// Time between two states that are told.
const PACE: Duration = Duration::from_millis(250);
/// Work that has no room tries again so often.
const AGAIN: Duration = Duration::from_millis(500);
/// Telling how it stands takes at most one part in so many of the time.
const SHARE: u32 = 5;

/// What goes on while somebody listens.
pub(crate) trait Work: Send + Sync + 'static {
    /// Its listeners.
    fn audience(&self) -> &Audience;

    /// Goes on, if it is meant to and there is room; true if it has to wait
    /// for room. Does nothing if it is at work already.
    fn go_on(&self) -> bool;

    /// Nobody listens any more: comes to rest, and keeps its place.
    fn pause(&self);

    /// How it stands now.
    fn news(&self) -> News;
}

/// How a piece of work stands.
#[derive(Clone, Debug)]
pub(crate) struct News {
    /// As JSON.
    pub(crate) state: Arc<str>,
    /// Will it never change again?
    pub(crate) over: bool,
}

type Teller = watch::Sender<Option<News>>;
/// Where someone hears how the work stands; nothing before the first news.
pub(crate) type Listener = watch::Receiver<Option<News>>;

/// The listeners of one piece of work.
#[derive(Default)]
pub(crate) struct Audience {
    teller: Mutex<Weak<Teller>>,
    changed: Notify,
}

impl Audience {
    /// Listens to `work`, which goes on if it was at rest.
    pub(crate) fn listen(work: Arc<dyn Work>) -> Listener {
        let mut known = work.audience().teller();
        if let Some(teller) = known.upgrade() {
            return teller.subscribe();
        }
        let (teller, listener) = watch::channel(None);
        let teller = Arc::new(teller);
        *known = Arc::downgrade(&teller);
        drop(known);
        tokio::spawn(attend(work, teller));
        listener
    }

    /// Does nobody listen?
    pub(crate) fn is_empty(&self) -> bool {
        self.teller().upgrade().is_none_or(|teller| teller.receiver_count() == 0)
    }

    /// Something has changed: whoever listens hears of it.
    pub(crate) fn notify(&self) {
        self.changed.notify_one();
    }

    /// Nobody listened a moment ago: lets the work pause unless someone has
    /// come since.
    fn let_rest(&self, work: &dyn Work, teller: &Teller) -> bool {
        let mut known = self.teller();
        let alone = teller.receiver_count() == 0;
        if alone {
            *known = Weak::new();
            work.pause();
        }
        alone
    }

    fn teller(&self) -> MutexGuard<'_, Weak<Teller>> {
        self.teller.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Keeps `work` going and tells how it stands, until it is over or the last
/// listener has left.
async fn attend(work: Arc<dyn Work>, teller: Arc<Teller>) {
    loop {
        let (began, same) = (Instant::now(), Arc::clone(&work));
        let Ok((waits, news)) = tokio::task::spawn_blocking(move || (same.go_on(), same.news())).await else {
            return work.pause();
        };
        let over = news.over;
        teller.send_replace(Some(news));
        if over {
            return;
        }
        let pause = (SHARE * began.elapsed()).max(PACE);
        tokio::select! {
            () = next(&work.audience().changed, pause, waits) => {}
            () = teller.closed() => {
                if stays_alone(&teller).await && work.audience().let_rest(&*work, &teller) {
                    return;
                }
            }
        }
    }
}

/// Nobody listens: does it stay so for a moment?
async fn stays_alone(teller: &Teller) -> bool {
    const STEPS: u32 = 10;
    for _ in 0..STEPS {
        sleep(GRACE / STEPS).await;
        if teller.receiver_count() > 0 {
            return false;
        }
    }
    true
}

/// The moment to look again.
async fn next(changed: &Notify, pause: Duration, waits: bool) {
    sleep(pause).await;
    tokio::select! {
        () = changed.notified() => {}
        () = sleep(AGAIN), if waits => {}
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use super::*;

    /// Counts how often it was taken up and laid down.
    #[derive(Default)]
    struct Counted {
        audience: Audience,
        went_on: AtomicUsize,
        paused: AtomicUsize,
        over: std::sync::atomic::AtomicBool,
    }

    impl Work for Counted {
        fn audience(&self) -> &Audience {
            &self.audience
        }

        fn go_on(&self) -> bool {
            self.went_on.fetch_add(1, SeqCst);
            false
        }

        fn pause(&self) {
            self.paused.fetch_add(1, SeqCst);
        }

        fn news(&self) -> News {
            News { state: self.went_on.load(SeqCst).to_string().into(), over: self.over.load(SeqCst) }
        }
    }

    async fn heard(listener: &mut Listener, wanted: &str) {
        let wait = listener.wait_for(|news| news.as_ref().is_some_and(|news| &*news.state == wanted));
        tokio::time::timeout(Duration::from_secs(20), wait).await.expect("it is told").expect("it goes on");
    }

    #[tokio::test(start_paused = true)]
    async fn it_pauses_a_moment_after_the_last_listener_has_left_and_goes_on_with_the_next() {
        let work = Arc::new(Counted::default());
        let (mut one, two) = (Audience::listen(work.clone()), Audience::listen(work.clone()));
        assert!(one.same_channel(&two), "it is told once for all");
        heard(&mut one, "1").await;
        drop(one);
        sleep(10 * GRACE).await;
        assert_eq!((work.paused.load(SeqCst), work.audience.is_empty()), (0, false));
        drop(two);
        assert!(work.audience.is_empty());
        sleep(GRACE / 2).await;
        // A page that is loaded again.
        let again = Audience::listen(work.clone());
        sleep(2 * GRACE).await;
        assert_eq!(work.paused.load(SeqCst), 0);
        drop(again);
        sleep(2 * GRACE).await;
        let went_on = work.went_on.load(SeqCst);
        work.audience.notify();
        sleep(10 * GRACE).await;
        assert_eq!((work.paused.load(SeqCst), work.went_on.load(SeqCst)), (1, went_on), "at rest");
        let mut later = Audience::listen(work.clone());
        heard(&mut later, &(went_on + 1).to_string()).await;
    }

    #[tokio::test(start_paused = true)]
    async fn many_changes_are_told_a_few_times_a_second_and_the_end_is_told() {
        let work = Arc::new(Counted::default());
        let mut listener = Audience::listen(work.clone());
        heard(&mut listener, "1").await;
        for _ in 0..1000 {
            work.audience.notify();
            sleep(Duration::from_millis(1)).await;
        }
        assert!((2..=5).contains(&work.went_on.load(SeqCst)), "{}", work.went_on.load(SeqCst));
        work.over.store(true, SeqCst);
        work.audience.notify();
        while listener.changed().await.is_ok() {}
        assert!(listener.borrow().as_ref().is_some_and(|news| news.over));
    }
}
