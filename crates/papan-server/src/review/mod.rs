//! Reviews: a whole game looked at position by position. A review is made
//! once for everyone who asks at the same time, and kept with its game.

mod position;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, Weak};

use papan_core::StopToken;
use papan_core::table::Table;
use papan_roster::advice;
use serde::Serialize;
use tokio::sync::watch;

use crate::actor::Services;
use crate::error::ApiError;
use crate::pool::{Lane, Ticket, Visitor};
use crate::roster;
use crate::store::{Change, ReviewRow};

/// No review visits more for one position.
const MOST_NODES: u64 = 5_000_000;
/// Part of what a stored review is compared by. To be raised whenever engines
/// or the way of reviewing change, so that games get the better review.
const VERSION: u32 = 2;

/// How a review is made.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize)]
pub(crate) struct Method {
    version: u32,
    bot: String,
    /// Positions that are visited for each position of the game; without it,
    /// as many as a short look takes there.
    nodes: Option<u64>,
}

impl Method {
    /// By `bot`, else by the game's best adviser.
    pub(crate) fn new(game: &str, bot: Option<String>, nodes: Option<u64>) -> Self {
        let bot = bot.unwrap_or_else(|| advice::adviser(game));
        Self { version: VERSION, bot, nodes: nodes.map(|nodes| nodes.clamp(1, MOST_NODES)) }
    }

    fn text(&self) -> String {
        let nodes = self.nodes.map_or_else(|| "short".to_owned(), |nodes| nodes.to_string());
        format!("{} {nodes} {}", self.version, self.bot)
    }
}

/// What is reviewed and how: two who ask for the same share one review.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Subject {
    /// The stored game that it is kept with, if it is one.
    id: Option<String>,
    game: String,
    start: String,
    moves: Vec<String>,
    method: Method,
}

impl Subject {
    fn row(&self, positions: String) -> ReviewRow {
        ReviewRow { line: self.moves.join(" "), method: self.method.text(), positions }
    }
}

/// How far a review is: one line of JSON a position, from the first on.
#[derive(Clone, Default, Debug)]
pub(crate) struct Progress {
    pub(crate) positions: Vec<Arc<str>>,
    pub(crate) end: Option<Result<(), ApiError>>,
}

type Teller = watch::Sender<Progress>;
/// Where someone hears of a review; it is given up once nobody does.
pub(crate) type Listener = watch::Receiver<Progress>;

/// The reviews that are being made.
#[derive(Clone, Default)]
pub(crate) struct Reviews {
    running: Arc<Mutex<HashMap<Subject, Weak<Teller>>>>,
}

impl Reviews {
    /// Listens to the review of the line on `table`, which begins if nobody
    /// else has asked for it. With an `id` it is kept with that game.
    pub(crate) fn listen(
        &self,
        services: &Services,
        visitor: Visitor,
        table: &dyn Table,
        id: Option<String>,
        method: Method,
    ) -> Result<Listener, ApiError> {
        let subject = Subject { id, game: table.spec(), start: table.start_position(), moves: table.moves(), method };
        let mut running = self.running.lock().expect("no holder panics");
        if let Some(teller) = running.get(&subject).and_then(Weak::upgrade) {
            return Ok(teller.subscribe());
        }
        services.pool.check_room(Lane::Looks, &visitor)?;
        let (teller, listener) = watch::channel(Progress::default());
        let teller = Arc::new(teller);
        running.insert(subject.clone(), Arc::downgrade(&teller));
        let work = Work { reviews: self.clone(), services: services.clone(), visitor, subject, teller };
        tokio::spawn(work.run(table.fork()));
        Ok(listener)
    }
}

/// A review being made.
struct Work {
    reviews: Reviews,
    services: Services,
    /// Who asked first.
    visitor: Visitor,
    subject: Subject,
    teller: Arc<Teller>,
}

impl Work {
    async fn run(self, table: Box<dyn Table>) {
        let end = match self.stored().await {
            Some(positions) => {
                self.teller.send_modify(|progress| progress.positions = positions);
                Ok(true)
            }
            None => self.make(table).await,
        };
        let end = match end {
            Ok(true) => Ok(()),
            // Nobody listens any more.
            Ok(false) => return,
            Err(error) => Err(error),
        };
        // Whoever asks from now on finds it stored.
        self.reviews.running.lock().expect("no holder panics").remove(&self.subject);
        self.teller.send_modify(|progress| progress.end = Some(end));
    }

    /// The review that is kept with the game, if it is of these moves and made
    /// in this way.
    async fn stored(&self) -> Option<Vec<Arc<str>>> {
        let id = self.subject.id.clone()?;
        let row = match self.services.store.review(id).await {
            Ok(row) => row?,
            Err(error) => {
                tracing::error!(%error, "a review could not be read");
                return None;
            }
        };
        let wanted = self.subject.row(String::new());
        let fits = row.line == wanted.line && row.method == wanted.method;
        fits.then(|| row.positions.lines().map(Arc::from).collect())
    }

    /// Looks at one position after the other; false if everyone left.
    async fn make(&self, mut table: Box<dyn Table>) -> Result<bool, ApiError> {
        while table.undo() {}
        loop {
            let Some(line) = self.look(table.fork()).await? else { return Ok(false) };
            self.teller.send_modify(|progress| progress.positions.push(line.into()));
            if !table.redo() {
                break;
            }
        }
        self.keep().await;
        Ok(true)
    }

    /// One position, on a thread for searches; `None` if everyone left.
    async fn look(&self, table: Box<dyn Table>) -> Result<Option<String>, ApiError> {
        let Method { bot, nodes, .. } = self.subject.method.clone();
        let nodes = nodes.unwrap_or_else(|| roster::look_nodes(&*table));
        let played = self.subject.moves.get(table.ply()).cloned();
        let stop = StopToken::new();
        let token = stop.clone();
        let memory = roster::check(&self.subject.game, &bot)?.memory;
        let ticket = Ticket { lane: Lane::Looks, visitor: self.visitor.clone(), memory, stop: stop.clone() };
        let work = move || position::look(&*table, played.as_deref(), &bot, nodes, &token);
        let mut answer = self.services.pool.run(ticket, work)?;
        loop {
            tokio::select! {
                found = &mut answer => return found.unwrap_or_else(|_| Err(ApiError::bot_failed())),
                () = self.teller.closed() => if self.give_up() {
                    stop.stop();
                    return Ok(None);
                },
            }
        }
    }

    /// Nobody listened a moment ago: forgets the review unless someone has
    /// come since.
    fn give_up(&self) -> bool {
        let mut running = self.reviews.running.lock().expect("no holder panics");
        let alone = self.teller.receiver_count() == 0;
        if alone {
            running.remove(&self.subject);
        }
        alone
    }

    async fn keep(&self) {
        let Some(game) = self.subject.id.clone() else { return };
        let row = self.subject.row(self.teller.borrow().positions.join("\n"));
        if let Err(error) = self.services.store.write(Change::Review { game, row }).await {
            // It can be made again.
            tracing::error!(%error, "a review could not be stored");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::limits::Limits;
    use crate::pool::Pool;
    use crate::store::{Keep, Store};

    struct Desk {
        services: Services,
        reviews: Reviews,
        folder: PathBuf,
    }

    impl Desk {
        fn new(name: &str, threads: usize) -> Self {
            let folder = std::env::temp_dir().join(format!("papan-review-{name}-{}", std::process::id()));
            Self::at(folder, threads)
        }

        /// Over what another desk has stored.
        fn at(folder: PathBuf, threads: usize) -> Self {
            let store = Store::open(&folder.join("games.db"), Keep::default()).unwrap();
            let pool = Arc::new(Pool::with_threads(&Limits::default(), |_| threads).unwrap());
            let services = Services { store, pool, shows: Default::default() };
            Self { services, reviews: Reviews::default(), folder }
        }

        /// Reviews are kept with games that are there.
        async fn with_its_game(self) -> Self {
            let row = crate::store::GameRow::for_tests("some-game", "tic-tac-toe");
            self.services.store.write(Change::Create(Box::new(row))).await.unwrap();
            self
        }

        /// Another desk over the same file, once this one has let go of it.
        async fn again(&self, threads: usize) -> Self {
            self.services.store.close().await;
            Self::at(self.folder.clone(), threads)
        }

        fn listen(&self, nodes: Option<u64>) -> Listener {
            let mut table = roster::table("tic-tac-toe", None).unwrap();
            for mv in ["a1", "b2", "c3"] {
                table.play(mv).unwrap();
            }
            let method = Method::new("tic-tac-toe", None, nodes);
            let visitor = Visitor::Address([127, 0, 0, 1].into());
            self.reviews.listen(&self.services, visitor, &*table, Some("some-game".to_owned()), method).unwrap()
        }
    }

    async fn ended(mut listener: Listener) -> Vec<Arc<str>> {
        let progress = listener.wait_for(|progress| progress.end.is_some()).await.unwrap();
        assert_eq!(progress.end, Some(Ok(())));
        progress.positions.clone()
    }

    #[tokio::test]
    async fn two_who_ask_at_once_share_one_review_and_later_ones_get_what_is_stored() {
        let desk = Desk::new("shared", 1).with_its_game().await;
        let (one, two) = (desk.listen(None), desk.listen(None));
        assert!(one.same_channel(&two));
        let positions = ended(one).await;
        assert_eq!((positions.len(), &positions), (4, &ended(two).await));
        // Without a thread nothing can be looked at again.
        let later = desk.again(0).await;
        assert_eq!(positions, ended(later.listen(None)).await);
        // Another way of looking is another review, and replaces the first.
        let desk = later.again(1).await;
        let other = ended(desk.listen(Some(7))).await;
        let replaced = desk.again(0).await;
        assert_eq!(other, ended(replaced.listen(Some(7))).await);
        let _ = std::fs::remove_dir_all(&desk.folder);
    }

    #[tokio::test]
    async fn who_comes_when_the_last_one_leaves_still_gets_it() {
        let desk = Desk::new("left", 1);
        drop(desk.listen(None));
        assert_eq!(ended(desk.listen(None)).await.len(), 4);
        let _ = std::fs::remove_dir_all(&desk.folder);
    }
}
