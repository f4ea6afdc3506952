//! A bot thinking on a thread of its own.

use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::{Duration, Instant};

use papan_core::observer::Progress;
use papan_core::table::{Choice, Table, TableBot, Thought};
use papan_core::{Budget, StopToken};

/// What comes out of a thinking bot.
enum Message {
    Thought(Thought),
    Done(Choice, Box<dyn TableBot>),
}

/// A bot at work. Dropping it stops the bot.
pub(super) struct Thinker {
    messages: Receiver<Message>,
    stop: StopToken,
    progress: Progress,
    started: Instant,
    limit: Option<Duration>,
    latest: Option<Thought>,
}

impl Thinker {
    /// Sends `bot` to think about `table`'s position.
    pub(super) fn start(table: Box<dyn Table>, mut bot: Box<dyn TableBot>, budget: &Budget) -> Self {
        let (stop, progress) = (StopToken::new(), Progress::watched());
        let budget = Budget { stop: stop.clone(), progress: progress.clone(), ..budget.clone() };
        let limit = budget.time;
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            // Nobody may be listening any more: the game was left or a move
            // taken back. Then the choice is dropped with the channel.
            let choice = bot.choose_watched(&*table, &budget, &mut |thought| {
                let _ = sender.send(Message::Thought(thought));
            });
            let _ = sender.send(Message::Done(choice, bot));
        });
        Self { messages, stop, progress, started: Instant::now(), limit, latest: None }
    }

    /// The choice and the bot, once it is done.
    pub(super) fn poll(&mut self) -> Option<(Choice, Box<dyn TableBot>)> {
        loop {
            match self.messages.try_recv() {
                Ok(Message::Thought(thought)) => self.latest = Some(thought),
                Ok(Message::Done(choice, bot)) => return Some((choice, bot)),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => return None,
            }
        }
    }

    /// The best move so far.
    pub(super) fn latest(&self) -> Option<&Thought> {
        self.latest.as_ref()
    }

    /// The plies of look-ahead under way, for bots that go by depth.
    pub(super) fn depth(&self) -> Option<u32> {
        self.progress.depth().or(self.latest.as_ref().map(|latest| latest.depth))
    }

    /// Positions visited so far.
    pub(super) fn nodes(&self) -> u64 {
        self.progress.nodes().max(self.latest.as_ref().map_or(0, |latest| latest.nodes))
    }

    /// How long it has been thinking.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// How much of the time limit is used, 0 to 1.
    pub(super) fn share_used(&self) -> Option<f64> {
        let limit = self.limit?.as_secs_f64();
        (limit > 0.0).then(|| (self.started.elapsed().as_secs_f64() / limit).min(1.0))
    }

    /// Asks the bot to answer now.
    pub(super) fn hurry(&self) {
        self.stop.stop();
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.stop.stop();
    }
}
