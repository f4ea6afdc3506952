//! The player of the Tic-tac-toe report of 2023, which can be beaten.

use papan_core::observer::LeafReason;
use papan_core::{AnyBot, Budget, Game as _, MoveSet as _, Player, Position as _, Recorder, Score, Window};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::common;

const BOT: &str = "report-2023-minimax";

type Position = TicTacToePosition<u64>;

/// Every game that the opponent of `bot` can play: lost, drawn and won by the
/// bot.
fn play_all(bot: &mut dyn AnyBot<Position>, position: &Position, side: Player, games: &mut [u32; 3]) {
    if position.is_over() {
        games[(position.margin().for_player(side).0 + 1) as usize] += 1;
    } else if position.to_move() == side {
        let mv = bot.choose(position, &Budget::unlimited()).mv;
        play_all(bot, &position.play(mv).expect("a legal move"), side, games);
    } else {
        for mv in position.legal_moves() {
            play_all(bot, &position.after(mv), side, games);
        }
    }
}

/// Measured by running the program that the report describes.
#[test]
fn it_loses_as_often_as_its_program_does() {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    let mut bot = common::any_bot(&game, BOT);
    for (side, lost, of) in [(Player::First, 24, 132), (Player::Second, 261, 641)] {
        let mut games = [0; 3];
        play_all(&mut *bot, &game.start(), side, &mut games);
        assert_eq!((games[0], games.iter().sum::<u32>()), (lost, of), "as {side:?}");
    }
}

/// O threatens to complete its diagonal at c1. Whatever X does, O can make an
/// open two afterwards, which counts as lost: all moves look alike, X plays the
/// last of them instead of blocking, and loses at once.
#[test]
fn it_does_not_block_where_every_move_looks_lost() {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    let position = game.read_position(".../.O./OXX X").unwrap();
    let decision = common::any_bot(&game, BOT).choose(&position, &Budget::unlimited());
    assert!(decision.per_move.iter().all(|value| value.score == Score(-1000)));
    assert_eq!(game.write_move(decision.mv), "c2");
    let after = position.after(decision.mv);
    let lost = after.after(game.cell(0, 2));
    assert_eq!((lost.is_over(), lost.winner()), (true, Some(Player::Second)));
    assert_eq!(common::any_bot(&game, "brute-force").choose(&position, &Budget::unlimited()).mv, game.cell(0, 2));
}

/// Every position is left again; each is a leaf, or all its moves were looked
/// at or reported as skipped: those of the row of cells that it left.
#[test]
fn its_tree_hangs_together() {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    for text in ["X.O/.X./..O X", "X../.O./... X", ".../.../... X"] {
        let start = game.read_position(text).expect(text);
        let mut recorder = Recorder::new(usize::MAX);
        let decision = common::any_bot(&game, BOT).choose_observed(&start, &Budget::unlimited(), &mut recorder);
        assert_eq!(recorder.nodes.len() as u64, decision.nodes);
        assert_eq!(recorder.nodes[0].score, Some(decision.score));
        assert_eq!(recorder.tally.nodes, decision.nodes);
        let mut positions = vec![start];
        let mut beyond_a_closed_window = 0;
        for (number, node) in recorder.nodes.iter().enumerate() {
            assert!(node.score.is_some(), "every position is left again");
            if let Some(parent) = node.parent {
                let parent = positions[parent as usize];
                let is_it = |mv: &papan_core::Place| Some(u16::from(mv.0)) == node.mv;
                let mv = parent.legal_moves().into_iter().find(is_it).expect("a legal move led here");
                positions.push(parent.after(mv));
            }
            if node.ply == 1 {
                assert_eq!(node.window, Window { alpha: Score(-1000), beta: Score(1000) }, "each root move anew");
            }
            beyond_a_closed_window += u32::from(node.window.alpha >= node.window.beta);
            let position = positions[number];
            let children = recorder.children_of(number as u32).count();
            match node.leaf {
                Some(LeafReason::Over) => assert!(position.is_over()),
                Some(_) => assert_eq!((children, node.score), (0, Some(Score(-1000)))),
                None => {
                    let cut = node.cut.map(|cut| &recorder.cuts[cut as usize]);
                    let skipped = cut.map_or(0, |cut| cut.skipped.len());
                    assert_eq!(children + skipped, position.legal_moves().len(), "{position:?}");
                    assert!(cut.is_none_or(|cut| cut.window.alpha >= cut.window.beta && skipped > 0));
                }
            }
        }
        assert_eq!(recorder.tally.cuts as usize, recorder.cuts.len());
        if start == game.start() {
            assert!(!recorder.cuts.is_empty() && beyond_a_closed_window > 0, "the next row is tried all the same");
        }
    }
}

#[test]
fn it_says_which_board_it_is_for() {
    let refusal = |spec: &str| papan_roster::bot(spec, BOT).err().map(|error| error.to_string());
    assert_eq!(refusal("tic-tac-toe"), None);
    assert_eq!(
        refusal("tic-tac-toe:rows=4").as_deref(),
        Some("bot: 'report-2023-minimax' plays only tic-tac-toe:rows=3,cols=3,k=3, and this is tic-tac-toe:rows=4")
    );
    for other in ["tic-tac-toe:misere", "tic-tac-toe:k=2", "tic-tac-toe:rows=15,cols=15,k=5"] {
        assert!(refusal(other).is_some(), "{other}");
        assert!(papan_roster::bots(other).unwrap().iter().all(|info| info.name != BOT), "{other}");
    }
    assert!(papan_roster::bots("tic-tac-toe").unwrap().iter().any(|info| info.name == BOT));
}
