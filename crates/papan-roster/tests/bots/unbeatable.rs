//! Bots that see to the end never lose Tic-tac-toe, whatever the opponent
//! plays: every line, as first and as second player.

use std::collections::HashMap;

use papan_core::{AnyBot, Budget, Game as _, Move as _, Place, Player, Position as _, Score};
use papan_games::tic_tac_toe::{TicTacToe, TicTacToePosition};

use super::common;

type Board = TicTacToePosition<u64>;

/// Plays every line against a bot.
struct Opponent {
    bot: Box<dyn AnyBot<Board>>,
    bot_side: Player,
    /// A bot's move depends only on the position here, so it is asked once.
    answers: HashMap<u64, Place>,
    games: [u32; 3],
}

impl Opponent {
    /// Every game from here; counts those that the bot lost, drew and won.
    fn play_all(&mut self, board: &Board) {
        if board.is_over() {
            let result = board.margin().for_player(self.bot_side);
            self.games[(result.0 + 1) as usize] += 1;
            assert!(result >= Score(0), "{board:?}");
        } else if board.to_move() == self.bot_side {
            let bot = &mut self.bot;
            let mv = *self.answers.entry(board.key()).or_insert_with(|| bot.choose(board, &Budget::unlimited()).mv);
            self.play_all(&board.play(mv).expect("bots play legal moves"));
        } else {
            for mv in board.legal_moves() {
                assert!(mv.index() < 64);
                self.play_all(&board.after(mv));
            }
        }
    }
}

fn never_loses(spec: &str) {
    let game: TicTacToe<u64> = common::game("tic-tac-toe");
    for bot_side in Player::BOTH {
        let bot = common::any_bot(&game, spec);
        let mut opponent = Opponent { bot, bot_side, answers: HashMap::new(), games: [0; 3] };
        opponent.play_all(&game.start());
        let [lost, drawn, won] = opponent.games;
        assert_eq!(lost, 0);
        assert!(drawn > 0 && won > 0, "{spec}: {drawn} drawn, {won} won");
    }
}

#[test]
fn minimax_never_loses() {
    never_loses("minimax");
    never_loses("brute-force");
    never_loses("minimax:eval=level");
}

#[test]
fn alpha_beta_never_loses() {
    never_loses("alpha-beta");
    never_loses("alpha-beta:eval=level");
    never_loses("alpha-beta:order=preference,table=1,deepening=on");
}

#[test]
fn mcts_with_solved_nodes_never_loses() {
    never_loses("mcts");
    never_loses("mcts:seed=7,reward=margin");
}
