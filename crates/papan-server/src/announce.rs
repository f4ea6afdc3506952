//! What a screen reader says after a move, made from the difference of two
//! scenes: no game is known here.

use papan_core::scene::{Scene, Shape, ShapeKind};
use papan_core::{Player, Text};

/// The name of the one move that needs no place on the board.
const PASS: &str = "pass";

/// A sentence in both languages, put together piece by piece.
#[derive(Default)]
struct Sentence {
    en: String,
    id: String,
}

impl Sentence {
    fn add(&mut self, en: &str, id: &str) -> &mut Self {
        self.en.push_str(en);
        self.id.push_str(id);
        self
    }

    fn name(&mut self, scene: &Scene, player: Player) -> &mut Self {
        let name = &scene.players[player.index()].name;
        self.add(&name.en, &name.id)
    }

    fn text(self) -> Text {
        Text::owned(self.en, self.id)
    }
}

/// What a move did to the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Effects {
    /// Shapes that went from one player to the other.
    turned: usize,
    /// Boxes that were completed.
    completed: usize,
}

fn effects(before: &Scene, after: &Scene) -> Effects {
    let mut effects = Effects::default();
    let same_order = before.shapes.len() == after.shapes.len();
    for (index, now) in after.shapes.iter().enumerate() {
        let then = match before.shapes.get(index) {
            Some(shape) if same_order && shape.id == now.id => Some(shape),
            _ => before.shapes.iter().find(|shape| shape.id == now.id),
        };
        let changed_hands = |then: &Shape| then.owner.is_some() && now.owner.is_some() && then.owner != now.owner;
        effects.turned += usize::from(then.is_some_and(changed_hands));
        let was_there = then.is_some_and(|then| then.present);
        effects.completed += usize::from(now.kind == ShapeKind::Box && now.present && !was_there);
    }
    effects
}

/// What is special about a move in the list of moves, if anything.
pub(crate) fn note(mv: &str, by: Player, next: Option<Player>) -> Option<Text> {
    if mv == PASS {
        Some(Text::new("passes", "lewat"))
    } else if next == Some(by) {
        Some(Text::new("moves again", "melangkah lagi"))
    } else {
        None
    }
}

/// Who is addressed as "you": the only person in a game with a bot.
pub(crate) type You = Option<Player>;

/// "White played c4, 2 turned. Your move: 7 possible."
pub(crate) fn after_move(before: &Scene, after: &Scene, mv: &str, by: Player, legal: usize, you: You) -> Text {
    let mut said = Sentence::default();
    played(&mut said, before, after, mv, by);
    if after.to_move == Some(by) {
        said.add(" ", " ").name(after, by).add(" moves again.", " melangkah lagi.");
    }
    turn(&mut said, after, legal, you);
    said.text()
}

fn played(said: &mut Sentence, before: &Scene, after: &Scene, mv: &str, by: Player) {
    said.name(after, by);
    if mv == PASS {
        said.add(" passes.", " lewat.");
        return;
    }
    match before.other_moves.iter().find(|(name, _)| name == mv) {
        Some((_, words)) => said.add(": ", ": ").add(&words.en, &words.id),
        None => {
            let name = after.move_name(mv);
            said.add(&format!(" played {name}"), &format!(" memainkan {name}"))
        }
    };
    let Effects { turned, completed } = effects(before, after);
    if turned > 0 {
        said.add(&format!(", {turned} turned"), &format!(", {turned} dibalik"));
    }
    match completed {
        0 => said.add("", ""),
        1 => said.add(", 1 box completed", ", 1 kotak selesai"),
        n => said.add(&format!(", {n} boxes completed"), &format!(", {n} kotak selesai")),
    };
    said.add(".", ".");
}

/// "Black to move: 4 possible."
pub(crate) fn turn_only(scene: &Scene, legal: usize, you: You) -> Text {
    let mut said = Sentence::default();
    turn(&mut said, scene, legal, you);
    said.text()
}

/// "Move taken back. Black to move: 4 possible."
pub(crate) fn after_seek(back: bool, scene: &Scene, legal: usize, you: You) -> Text {
    let mut said = Sentence::default();
    if back {
        said.add("Move taken back.", "Langkah dibatalkan.");
    } else {
        said.add("Move played again.", "Langkah dimainkan lagi.");
    }
    turn(&mut said, scene, legal, you);
    said.text()
}

fn turn(said: &mut Sentence, scene: &Scene, legal: usize, you: You) {
    let Some(mover) = scene.to_move else { return };
    if !said.en.is_empty() {
        said.add(" ", " ");
    }
    if you == Some(mover) {
        said.add("Your move", "Giliran Anda");
    } else {
        said.add("", "Giliran ").name(scene, mover).add(" to move", "");
    }
    if you.is_none() || you == Some(mover) {
        said.add(&format!(": {legal} possible"), &format!(": {legal} pilihan"));
    }
    said.add(".", ".");
}

/// `first` and then `second`, as two sentences.
pub(crate) fn joined(first: &Text, second: &Text) -> Text {
    Text::owned(format!("{} {}", first.en, second.en), format!("{} {}", first.id, second.id))
}

#[cfg(test)]
mod tests {
    use papan_core::scene::{Label, Look, PlayerLook};

    use super::*;

    fn shape(id: &str, kind: ShapeKind, owner: Option<Player>, present: bool) -> Shape {
        let label = Label { place: Text::same(id), state: Text::same("") };
        let (x, y, w, h) = (0.0, 0.0, 1.0, 1.0);
        Shape { id: id.to_owned(), kind, x, y, w, h, owner, present, mv: None, move_name: None, playable: false, label }
    }

    fn scene(to_move: Option<Player>, shapes: Vec<Shape>) -> Scene {
        let look = |en, id, look| PlayerLook { name: Text::new(en, id), symbol: 'X', look };
        Scene {
            width: 1.0,
            height: 1.0,
            players: [look("Black", "Hitam", Look::Dark), look("White", "Putih", Look::Light)],
            to_move,
            column_labels: Vec::new(),
            row_labels: Vec::new(),
            other_moves: Vec::new(),
            shapes,
        }
    }

    use Player::{First, Second};

    #[test]
    fn turned_discs_are_counted_and_the_only_person_is_addressed() {
        let disc = |id, owner| shape(id, ShapeKind::Disc, owner, true);
        let before = scene(Some(Second), vec![disc("a", Some(First)), disc("b", Some(First)), disc("c", None)]);
        let after = scene(Some(First), vec![disc("a", Some(Second)), disc("b", Some(Second)), disc("c", Some(Second))]);
        let said = after_move(&before, &after, "c4", Second, 7, Some(First));
        assert_eq!(said.en, "White played c4, 2 turned. Your move: 7 possible.");
        assert_eq!(said.id, "Putih memainkan c4, 2 dibalik. Giliran Anda: 7 pilihan.");
        let said = after_move(&before, &after, "c4", Second, 7, None);
        assert!(said.en.ends_with("Black to move: 7 possible."), "{}", said.en);
    }

    #[test]
    fn completed_boxes_and_extra_turns_are_said() {
        let boxes = |present: bool| vec![shape("box", ShapeKind::Box, present.then_some(First), present)];
        let (before, after) = (scene(Some(First), boxes(false)), scene(Some(First), boxes(true)));
        let said = after_move(&before, &after, "h0,0", First, 3, Some(Second));
        assert_eq!(said.en, "Black played h0,0, 1 box completed. Black moves again. Black to move.");
    }

    #[test]
    fn a_pass_is_said_explicitly_and_the_end_has_no_turn() {
        let (before, after) = (scene(Some(First), Vec::new()), scene(None, Vec::new()));
        let said = after_move(&before, &after, PASS, First, 0, None);
        assert_eq!((said.en.as_ref(), said.id.as_ref()), ("Black passes.", "Hitam lewat."));
        assert_eq!(note(PASS, First, Some(Second)), Some(Text::new("passes", "lewat")));
        assert!(note("c4", First, Some(Second)).is_none());
    }
}
