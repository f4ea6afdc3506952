//! A chair with an outside program on it: the conversation of a game.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use papan_core::table::Table;
use papan_core::{Player as Side, StopToken};

use super::command::{Form, OutsideProgram};
use super::pipes::NoLine;
use super::process::Process;
use super::wire::{Hello, LONGEST_LINE, Line, VERSION, full_request, side_word, simple_request};
use crate::player::{Chosen, Misstep, Seat};
use crate::referee::{Rules, Turn, Verdict};

/// How long a program may take to end by itself after `quit`.
const QUITTING: Duration = Duration::from_millis(500);

/// An outside program and the game that it is playing.
pub(crate) struct ProgramSeat {
    program: OutsideProgram,
    running: Option<Running>,
    /// What went wrong at the start, told when the program is first asked.
    trouble: Option<Misstep>,
    newgame: String,
    game_name: &'static str,
    stderr: Option<PathBuf>,
    core: Option<usize>,
    /// May it think while its opponent is to move?
    ponders: bool,
    stop: StopToken,
    requests: u64,
    line: String,
}

struct Running {
    process: Process,
    form: Form,
    answered: bool,
}

impl ProgramSeat {
    pub(crate) fn new(program: OutsideProgram) -> Self {
        Self {
            program,
            running: None,
            trouble: None,
            newgame: String::new(),
            game_name: "",
            stderr: None,
            core: None,
            ponders: false,
            stop: StopToken::new(),
            requests: 0,
            line: String::new(),
        }
    }

    /// Starts the program and finds out which form it speaks.
    fn start(&mut self, limit: Duration) -> Result<(), Misstep> {
        if self.program.form() != Some(Form::Simple) {
            match self.start_full(limit) {
                Ok(()) => return Ok(()),
                // It once said hello: then it must do so each time.
                Err(misstep) if self.program.form() == Some(Form::Full) => return Err(misstep),
                // It was given no time to say anything.
                Err(misstep) if self.stop.is_stopped() => return Err(misstep),
                Err(_) => self.program.learn_form(Form::Simple),
            }
        }
        let process = self.spawn()?;
        self.running = Some(Running { process, form: Form::Simple, answered: false });
        Ok(())
    }

    fn spawn(&self) -> Result<Process, Misstep> {
        Process::start(&self.program, self.stderr.as_deref(), self.core, &self.stop)
            .map_err(|error| Misstep::new(Verdict::Crash, format!("it cannot be started: {error}")))
    }

    /// Says hello; any answer that begins with that word settles the form.
    fn start_full(&mut self, limit: Duration) -> Result<(), Misstep> {
        let mut process = self.spawn()?;
        let deadline = Some(Instant::now() + limit);
        let answer = process
            .send(&format!("hello papan {VERSION}\n"), deadline)
            .and_then(|()| process.output.next(deadline))
            .map_err(|trouble| misstep(trouble, &mut process, "hello"))?;
        if answer.split_whitespace().next() != Some("hello") {
            return Err(Misstep::new(Verdict::Protocol, "it did not answer hello"));
        }
        self.program.learn_form(Form::Full);
        let hello = Hello::read(&answer).map_err(|what| Misstep::new(Verdict::Protocol, what))?;
        self.program.learn_games(&hello.games);
        if !hello.plays(self.game_name) {
            let games = hello.games.join(", ");
            return Err(Misstep::new(Verdict::Protocol, format!("it plays {games}, not {}", self.game_name)));
        }
        process.send(&self.newgame, deadline).map_err(|trouble| misstep(trouble, &mut process, "newgame"))?;
        self.running = Some(Running { process, form: Form::Full, answered: true });
        Ok(())
    }

    fn ask(&mut self, table: &dyn Table, turn: &Turn<'_>, started: Instant) -> Result<String, Misstep> {
        let Some(Running { process, form, answered }) = &mut self.running else {
            return Err(Misstep::new(Verdict::Crash, "it is not running"));
        };
        self.requests += 1;
        self.line.clear();
        match form {
            Form::Simple => simple_request(table, &mut self.line),
            Form::Full => full_request(table, self.requests, turn, &mut self.line),
        }
        let limit = turn.hard_limit();
        let patience = started + turn.rules.patience;
        // A program without hello may still be starting.
        let extra = if *answered { Duration::ZERO } else { turn.rules.start_up };
        let soft = limit.map_or(patience, |limit| started + limit + extra);
        let hard = limit.map_or(patience, |_| soft + turn.rules.margin);
        check_quiet(process, *form)?;
        process.send(&self.line, Some(hard)).map_err(|trouble| misstep(trouble, process, "the request"))?;
        let answer = match form {
            Form::Simple => process.output.next(Some(hard)).map_err(|trouble| misstep(trouble, process, "the request")),
            Form::Full => full_answer(process, self.requests, soft, hard),
        };
        *answered = true;
        answer
    }
}

impl Seat for ProgramSeat {
    /// Starts the program for a new game.
    fn begin(&mut self, table: &dyn Table, side: Side, rules: &Rules, stop: &StopToken) {
        self.end();
        self.stderr = rules.stderr_file(side, self.program.name());
        self.stop = stop.clone();
        self.core = rules.core_of(side);
        self.ponders = rules.allows_pondering();
        self.game_name = table.info().name;
        self.newgame = format!("newgame {} {} seed {}\n", table.spec(), side_word(side), rules.seed);
        self.trouble = self.start(rules.start_up).err();
        if let Some(Running { process, .. }) = &mut self.running {
            process.settle();
        }
        self.rest();
    }

    /// Asks for a move. A program that did wrong is ended here, and started
    /// again when it is next asked.
    fn choose(&mut self, table: &dyn Table, turn: &Turn<'_>, started: &mut Instant) -> Result<Chosen, Misstep> {
        if let Some(trouble) = self.trouble.take() {
            return Err(trouble);
        }
        if self.running.is_none() {
            self.start(turn.rules.start_up)?;
        }
        if let Some(Running { process, .. }) = &mut self.running {
            process.thaw();
        }
        *started = Instant::now();
        let answer = self.ask(table, turn, *started);
        if answer.is_err() {
            self.running = None;
        }
        answer.map(Chosen::Text)
    }

    /// It is not the program's turn: nothing of it runs, unless it may ponder.
    fn rest(&mut self) {
        if let Some(Running { process, .. }) = &mut self.running
            && !self.ponders
        {
            process.freeze();
        }
    }

    /// Tells the program why its move was refused.
    fn tell_illegal(&mut self, reason: &str) {
        if let Some(Running { process, form: Form::Full, .. }) = &mut self.running {
            let _ = process.send(&format!("error illegal: {reason}\n"), Some(Instant::now()));
        }
    }

    /// Ends the game: `quit`, a moment to end by itself, and the end.
    fn end(&mut self) {
        if let Some(mut running) = self.running.take()
            && running.form == Form::Full
            && running.process.send("quit\n", Some(Instant::now())).is_ok()
        {
            running.process.thaw();
            running.process.output.wait_for_end(Instant::now() + QUITTING);
        }
    }

    fn stderr_file(&self) -> Option<PathBuf> {
        self.stderr.clone()
    }
}

/// Has the program said anything before it was asked?
fn check_quiet(process: &mut Process, form: Form) -> Result<(), Misstep> {
    process.output.start_request();
    loop {
        let early = process.output.early().map_err(|trouble| misstep(trouble, process, "the last request"))?;
        match early {
            None => return Ok(()),
            Some(line) if form == Form::Full && line.starts_with("info") => {}
            Some(_) => return Err(Misstep::new(Verdict::Protocol, "it answered before it was asked")),
        }
    }
}

/// Reads until the answer to request `number`; says `stop` when the time is
/// over, and waits for the margin.
fn full_answer(process: &mut Process, number: u64, soft: Instant, hard: Instant) -> Result<String, Misstep> {
    let mut deadline = soft;
    loop {
        let line = match process.output.next(Some(deadline)) {
            Err(NoLine::Late) if deadline < hard => {
                deadline = hard;
                let _ = process.send(&format!("stop {number}\n"), Some(hard));
                continue;
            }
            line => line.map_err(|trouble| misstep(trouble, process, "go"))?,
        };
        match Line::read(&line).map_err(|(verdict, what)| Misstep::new(verdict, what))? {
            Line::Info => {}
            Line::BestMove { number: answered, mv } if answered == number => return Ok(mv.to_owned()),
            Line::BestMove { number: answered, .. } => {
                let what = format!("it answered request {answered}, expected {number}");
                return Err(Misstep::new(Verdict::Protocol, what));
            }
            Line::Error(text) => return Err(Misstep::new(Verdict::Protocol, format!("it gave up: {text}"))),
        }
    }
}

/// What a missing line means.
fn misstep(trouble: NoLine, process: &mut Process, to: &str) -> Misstep {
    match trouble {
        NoLine::Late => Misstep::new(Verdict::Timeout, format!("no answer to {to} in time")),
        NoLine::Stopped => Misstep::new(Verdict::GivenUp, "the game was stopped"),
        NoLine::Closed => Misstep::new(Verdict::Crash, process.end()),
        NoLine::LongLine => {
            Misstep::new(Verdict::OutputLimit, format!("it wrote a line of more than {LONGEST_LINE} bytes"))
        }
        NoLine::Flood => Misstep::new(Verdict::OutputLimit, "it wrote more than 1 MiB for one move"),
        NoLine::NotText => Misstep::new(Verdict::Garbage, "it wrote bytes that are not UTF-8 text"),
    }
}
