//! The conformance kit: one call that plays random games of any game and
//! checks every promise of [`Position`] and [`Game`], and one that lists what a
//! game still lacks.

use std::collections::{BTreeSet, HashMap};
use std::fmt;

use crate::edit::{Content, Edit};
use crate::scene;
use crate::table::{GameTable, Table, read_legal_move};
use crate::{Game, Move as _, MoveOf, MoveSet as _, Player, Position, Random};

/// What a conformance run has seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Games played to their end.
    pub games: usize,
    /// Positions checked.
    pub positions: usize,
}

/// What a game that can be played lacks to be complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Gap {
    /// What the game is, in one sentence.
    About,
    /// The rules in words.
    Rules,
    /// Sentence and rules in Indonesian too.
    Indonesian,
    /// A scene in which every move has its place.
    Scene,
    /// Setting up by hand.
    Editing,
    /// An evaluation of its own.
    Evaluation,
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::About => "about: what the game is, in one sentence (Game::info)",
            Self::Rules => "rules: how it is played (Game::info)",
            Self::Indonesian => "Indonesian: about and rules in the second language (Game::info)",
            Self::Scene => "scene: a place for every move (Game::scene)",
            Self::Editing => "editing: positions set up by hand (Game::edited)",
            Self::Evaluation => "evaluation: more than the points so far (Game::evaluations)",
        })
    }
}

/// What `game` still lacks: for all of it there is a default, so that the game
/// can be played without.
pub fn missing<G: Game>(game: &G) -> Vec<Gap> {
    let (info, start) = (G::info(), game.start());
    let drawn = game.scene(&start);
    let words = [&info.about, &info.rules];
    let untranslated = words.iter().any(|text| !text.en.is_empty() && (text.id.is_empty() || text.id == text.en));
    let margin_alone = G::evaluations().iter().all(|evaluation| evaluation.name == "margin");
    let gaps = [
        (info.about.en.is_empty(), Gap::About),
        (info.rules.en.is_empty(), Gap::Rules),
        (untranslated, Gap::Indonesian),
        (!drawn.other_moves.is_empty() && drawn == scene::from_notation(game, &start), Gap::Scene),
        (!is_edited(game), Gap::Editing),
        (margin_alone, Gap::Evaluation),
    ];
    gaps.into_iter().filter_map(|(lacks, gap)| lacks.then_some(gap)).collect()
}

/// Can positions be set up by hand at all?
fn is_edited<G: Game>(game: &G) -> bool {
    let start = game.start();
    game.edited(&start, Edit::Turn(start.to_move())).is_ok()
}

/// Plays `games` random games from the start of `game` and checks every
/// promise in every position on the way. The error says which promise was
/// broken, and where.
pub fn check<G: Game>(game: &G, games: usize, seed: u64) -> Result<Report, String> {
    let mut kit = Kit {
        game,
        random: Random::new(seed),
        universe: BTreeSet::new(),
        by_key: HashMap::new(),
        report: Report::default(),
    };
    kit.description()?;
    for _ in 0..games {
        kit.play_one()?;
    }
    Ok(kit.report)
}

struct Kit<'a, G: Game> {
    game: &'a G,
    random: Random,
    /// Every move seen so far: what is not listed now must be refused.
    universe: BTreeSet<MoveOf<G>>,
    /// The facts behind each key: equal keys must mean equal facts.
    by_key: HashMap<u64, KeyFacts>,
    report: Report,
}

/// What positions with one key must have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct KeyFacts {
    to_move: Player,
    margin: i32,
    moves: usize,
    /// The margin after each legal move, mixed into one number.
    next_margins: u64,
}

fn ensure(holds: bool, promise: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(promise()) }
}

impl<G: Game> Kit<'_, G> {
    fn description(&self) -> Result<(), String> {
        let info = G::info();
        ensure(info.name == G::NAME, || format!("the description has the name {}", G::NAME))?;
        ensure(!info.title.en.is_empty() && !info.title.id.is_empty(), || "the game has a title".to_owned())?;
        let spec = self.game.spec();
        ensure(spec.starts_with(info.name), || format!("the spec {spec} begins with the name {}", info.name))?;
        ensure(!G::evaluations().is_empty(), || "there is at least one evaluation".to_owned())
    }

    fn play_one(&mut self) -> Result<(), String> {
        let mut position = self.game.start();
        let mut plies = 0;
        loop {
            self.report.positions += 1;
            self.check_position(&position).map_err(|promise| {
                format!("{}: {promise}\n  in {}", self.game.spec(), self.game.write_position(&position))
            })?;
            let Some(mv) = position.legal_moves().pick(self.random.bits()) else { break };
            position = position.after(mv);
            plies += 1;
            ensure(plies <= self.game.longest(), || format!("games end within {} plies", self.game.longest()))?;
        }
        self.report.games += 1;
        Ok(())
    }

    fn check_position(&mut self, position: &G::Position) -> Result<(), String> {
        self.moves(position)?;
        self.points(position)?;
        self.key(position)?;
        self.text(position)?;
        self.scene(position)?;
        self.table(position)?;
        self.editing(position)?;
        self.symmetry(position)
    }

    /// Listed moves are distinct, in range and playable; no other move is.
    fn moves(&mut self, position: &G::Position) -> Result<(), String> {
        let moves = position.legal_moves();
        let list: Vec<_> = moves.into_iter().collect();
        let distinct: BTreeSet<_> = list.iter().copied().collect();
        ensure(distinct.len() == list.len(), || "no legal move is listed twice".to_owned())?;
        ensure(list.len() == moves.len(), || "len counts the legal moves".to_owned())?;
        ensure(list.is_empty() == position.is_over(), || "no moves means over, and over means no moves".to_owned())?;
        for (n, &mv) in list.iter().enumerate() {
            ensure(mv.index() < MoveOf::<G>::LIMIT, || format!("{mv:?} has an index below the limit"))?;
            ensure(MoveOf::<G>::from_index(mv.index()) == mv, || format!("{mv:?} is found again by its index"))?;
            ensure(moves.nth(n) == mv, || format!("nth({n}) is the {n}-th move of the list"))?;
            ensure(position.play(mv) == Some(position.after(mv)), || format!("{mv:?} is listed, so it can be played"))?;
        }
        for n in 0..8u64 {
            let picked = moves.pick(n << 61);
            ensure(picked.is_none_or(|mv| distinct.contains(&mv)), || "only listed moves are picked".to_owned())?;
            ensure(picked.is_none() == list.is_empty(), || "a move is picked when there is one".to_owned())?;
        }
        self.universe.extend(&distinct);
        for &mv in self.universe.difference(&distinct) {
            ensure(!moves.contains(mv) && position.play(mv).is_none(), || {
                format!("{mv:?} is not listed, so it is refused")
            })?;
        }
        Ok(())
    }

    fn points(&self, position: &G::Position) -> Result<(), String> {
        let [first, second] = position.points();
        let margin = position.margin().0;
        ensure(margin == first - second, || format!("margin {margin} is {first} minus {second}"))?;
        ensure(margin.abs() <= self.game.margin_bound(), || format!("margin {margin} is within the bound"))
    }

    /// Equal keys mean the same mover, margin and prospects; a position and
    /// itself with a move made differ.
    fn key(&mut self, position: &G::Position) -> Result<(), String> {
        let moves = position.legal_moves();
        let mut next_margins = 0u64;
        for mv in moves {
            let next = position.after(mv);
            ensure(next.key() != position.key(), || format!("the key changes with {mv:?}"))?;
            next_margins = next_margins.rotate_left(5) ^ next.margin().0 as u64 ^ ((next.to_move() as u64) << 32);
        }
        let facts =
            KeyFacts { to_move: position.to_move(), margin: position.margin().0, moves: moves.len(), next_margins };
        let known = *self.by_key.entry(position.key()).or_insert(facts);
        ensure(known == facts, || format!("one key stands for one value: {known:?} and {facts:?}"))
    }

    fn text(&self, position: &G::Position) -> Result<(), String> {
        let text = self.game.write_position(position);
        let again = self.game.read_position(&text).map_err(|error| format!("what is written can be read: {error}"))?;
        ensure(again == *position, || format!("text round-trips: {text} becomes {again:?}"))?;
        ensure(again.key() == position.key(), || "a read position has the same key".to_owned())?;
        for mv in position.legal_moves() {
            let name = self.game.write_move(mv);
            let read = read_legal_move(self.game, position, &name);
            ensure(read == Ok(mv), || format!("move text round-trips: {name} becomes {read:?}"))?;
        }
        Ok(())
    }

    /// Each legal move is offered once, by a shape or by name; ids are unique;
    /// labels are complete; shapes lie on the board.
    fn scene(&self, position: &G::Position) -> Result<(), String> {
        let scene = self.game.scene(position);
        let ids: BTreeSet<_> = scene.shapes.iter().map(|shape| &shape.id).collect();
        ensure(ids.len() == scene.shapes.len(), || "shape ids are unique".to_owned())?;
        let mut offered: Vec<String> =
            scene.shapes.iter().filter(|shape| shape.playable).filter_map(|shape| shape.mv.clone()).collect();
        offered.extend(scene.other_moves.iter().map(|(name, _)| name.clone()));
        offered.sort();
        let mut legal: Vec<_> = position.legal_moves().into_iter().map(|mv| self.game.write_move(mv)).collect();
        legal.sort();
        ensure(offered == legal, || format!("the scene offers {offered:?}, the legal moves are {legal:?}"))?;
        for shape in &scene.shapes {
            let inside = shape.x >= 0.0
                && shape.y >= 0.0
                && shape.x + shape.w <= scene.width
                && shape.y + shape.h <= scene.height;
            ensure(inside, || format!("shape {} lies on the board", shape.id))?;
            let texts = [&shape.label.place, &shape.label.state];
            ensure(texts.iter().all(|text| !text.en.is_empty() && !text.id.is_empty()), || {
                format!("shape {} is labelled in both languages", shape.id)
            })?;
        }
        let expected = (!position.is_over()).then(|| position.to_move());
        ensure(scene.to_move == expected, || "the scene says whose turn it is".to_owned())
    }

    /// The object-safe face agrees with the position, and taking back works.
    fn table(&self, position: &G::Position) -> Result<(), String> {
        let mut table = GameTable::new(self.game.clone(), *position);
        ensure(table.legal_moves().len() == position.legal_moves().len(), || {
            "the table lists the legal moves".to_owned()
        })?;
        let Some(mv) = position.legal_moves().into_iter().next() else { return Ok(()) };
        table.play(&self.game.write_move(mv)).map_err(|error| error.to_string())?;
        ensure(*table.current() == position.after(mv), || "the table makes the move".to_owned())?;
        ensure(table.undo() && table.current() == position && table.redo(), || {
            "the table takes back and redoes".to_owned()
        })?;
        ensure(table.undo() && table.play_index(mv.index()), || "the table knows moves by number".to_owned())
    }

    /// Setting up by hand: what is put at a place is there, and can be read
    /// and written; the move goes to whoever is given it; what is not on the
    /// board is refused. One place a position, as good as random.
    fn editing(&self, position: &G::Position) -> Result<(), String> {
        if !is_edited(self.game) {
            return Ok(());
        }
        let turned = |position: &G::Position, player| self.game.edited(position, Edit::Turn(player));
        let other = position.to_move().other();
        let there = turned(position, other).map_err(|error| format!("the move can be given away: {error}"))?;
        ensure(there.to_move() == other, || "the move is given to whoever is named".to_owned())?;
        ensure(turned(&there, position.to_move()) == Ok(*position), || "the move can be given back".to_owned())?;

        let scene = self.game.scene(position);
        let place = &scene.shapes[position.key() as usize % scene.shapes.len()].id;
        for content in Content::CYCLE {
            let Ok(edited) = self.game.edited(position, Edit::Put { place, content }) else { continue };
            let promise = |what: &str| format!("{content:?} at {place}: {what}");
            ensure(Content::shown(&self.game.scene(&edited), place) == Some(content), || promise("it is shown there"))?;
            ensure(edited.to_move() == position.to_move(), || promise("the mover stays"))?;
            self.text(&edited).map_err(|error| promise(&error))?;
            self.points(&edited).map_err(|error| promise(&error))?;
            let same = Content::shown(&scene, place) == Some(content);
            ensure(!same || edited == *position, || promise("what is there already changes nothing"))?;
        }
        let nowhere = Edit::Put { place: "nowhere", content: Content::First };
        ensure(self.game.edited(position, nowhere).is_err(), || "nothing can be put beside the board".to_owned())
    }

    /// Symmetric positions have the same margin and mover, symmetric moves,
    /// and symmetric positions after them.
    fn symmetry(&self, position: &G::Position) -> Result<(), String> {
        for symmetry in 0..self.game.symmetries() {
            let turned = self.game.symmetric_position(symmetry, position);
            ensure(symmetry != 0 || turned == *position, || "symmetry 0 is the identity".to_owned())?;
            ensure(turned.margin() == position.margin() && turned.to_move() == position.to_move(), || {
                format!("symmetry {symmetry} keeps margin and mover")
            })?;
            let moves = position.legal_moves();
            ensure(turned.legal_moves().len() == moves.len(), || {
                format!("symmetry {symmetry} keeps the number of moves")
            })?;
            for mv in moves {
                let turned_move = self.game.symmetric_move(symmetry, mv);
                ensure(turned.legal_moves().contains(turned_move), || {
                    format!("symmetry {symmetry} turns {mv:?} into a legal move")
                })?;
                let (a, b) = (turned.after(turned_move), self.game.symmetric_position(symmetry, &position.after(mv)));
                ensure(a == b, || format!("symmetry {symmetry} and move {mv:?} can be exchanged"))?;
            }
        }
        Ok(())
    }
}
