//! What a screen reader says after a move, made from the difference of two
//! scenes: no game is known here.

use papan_core::scene::Scene;
use papan_core::{Effects, Player, Text};

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
    if let Some(words) = Effects::between(before, after).text() {
        said.add(", ", ", ").add(&words.en, &words.id);
    }
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
    use papan_core::scene::{Label, Look, PlayerLook, Shape, ShapeKind};

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

    /// How many of the pieces that a position's text shows changed hands.
    fn turned(before: &str, after: &str) -> usize {
        let board = |text: &str| text.split(' ').next().unwrap().chars().collect::<Vec<_>>();
        let is_piece = |c: char| matches!(c, 'X' | 'O');
        board(before).into_iter().zip(board(after)).filter(|&(a, b)| is_piece(a) && is_piece(b) && a != b).count()
    }

    /// The number before one of these words, 0 if none is said.
    fn announced(sentence: &str, words: &[&str]) -> usize {
        let parts = sentence.split(". ").next().unwrap().trim_end_matches('.').split(", ");
        let counts = parts.filter_map(|part| {
            let (number, rest) = part.split_once(' ')?;
            words.contains(&rest).then(|| number.parse::<usize>().unwrap())
        });
        counts.sum()
    }

    #[test]
    fn what_is_announced_is_the_difference_of_the_two_boards() {
        let games = [
            "othello",
            "othello:size=6,first=white",
            "adjacency:rounds=28",
            "adjacency:neighbours=8",
            "dots-and-boxes:rows=3,cols=4",
            "dots-and-boxes:border=icelandic",
            "tic-tac-toe",
            "tic-tac-toe:rows=5,cols=5,k=4",
        ];
        let mut most = [0, 0];
        for (game, seed) in games.into_iter().flat_map(|game| (0..8).map(move |seed| (game, seed))) {
            let mut random = papan_core::Random::new(seed);
            let mut table = crate::roster::table(game, None).unwrap();
            while !table.is_over() {
                let legal = table.legal_moves();
                let mv = legal[random.below(legal.len())].clone();
                let (before, text, points, by) = (table.scene(), table.position(), table.points(), table.to_move());
                table.play(&mv).unwrap();
                let said = after_move(&before, &table.scene(), &mv, by, table.legal_moves().len(), None);
                // Boxes are all that is scored in their game; the others have none.
                let boxes = if game.starts_with("dots") {
                    table.points().iter().sum::<i32>() - points.iter().sum::<i32>()
                } else {
                    0
                };
                let truth = [turned(&text, &table.position()), boxes as usize];
                let en = [announced(&said.en, &["turned"]), announced(&said.en, &["box completed", "boxes completed"])];
                let id = [announced(&said.id, &["dibalik"]), announced(&said.id, &["kotak selesai"])];
                assert_eq!((en, id), (truth, truth), "{game}, {mv} on {text}: {} {}", said.en, said.id);
                most = [most[0].max(truth[0]), most[1].max(truth[1])];
            }
        }
        assert!(most[0] > 2 && most[1] == 2, "games in which much was turned and two boxes closed at once: {most:?}");
    }
}
