//! The whole screen: the board, and beside it names, points, moves and what
//! the bot thinks.

use papan_core::Player;
use papan_core::table::Thought;
use papan_roster::advice;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Gauge, Paragraph, Wrap};

use super::board::{self, Highlights};
use super::game::Game;
use super::thinker::Thinker;

const KEYS: &str = "\
arrows  move the cursor
Enter   play there
:       type a move, then Enter
p       pass, when that is the move
h       hint
u r     undo, redo
Esc     let the bot answer now
n       new game, sides swapped
q       leave";

pub(super) fn draw(frame: &mut Frame<'_>, game: &Game) {
    let scene = game.scene();
    let (width, height) = board::size(&scene);
    let [main, message] = Layout::vertical([Constraint::Min(1), Constraint::Length(1)]).areas(frame.area());
    let [left, right] = Layout::horizontal([Constraint::Length(width), Constraint::Min(20)]).areas(main);
    let last = game.table().last_move();
    let highlights =
        Highlights { cursor: game.cursor(), last: last.as_deref(), hint: game.hint(), ascii: game.is_ascii() };
    let board_area = Rect { height: height.min(left.height), ..left };
    board::draw(frame.buffer_mut(), board_area, &scene, highlights);
    side(frame, right, game);
    let line = game.typed().map_or_else(|| game.message().to_owned(), |typed| format!("Move: {typed}_"));
    frame.render_widget(Paragraph::new(line).style(Style::new().add_modifier(Modifier::BOLD)), message);
}

fn side(frame: &mut Frame<'_>, area: Rect, game: &Game) {
    let sections = [Constraint::Length(5), Constraint::Length(4), Constraint::Min(3)];
    let [players, thinking, below] = Layout::vertical(sections).areas(area);
    frame.render_widget(Paragraph::new(standing(game)), players);
    thought(frame, thinking, game);
    if game.shows_help() {
        frame.render_widget(Paragraph::new(KEYS).block(Block::bordered().title("Keys")), below);
    } else {
        let moves = Paragraph::new(moves(game, below)).wrap(Wrap { trim: true });
        frame.render_widget(moves.block(Block::new().title("Moves")), below);
    }
}

/// Both players with their points, an arrow at whoever is to move; what the
/// game wants shown besides; the result.
fn standing(game: &Game) -> Vec<Line<'static>> {
    let table = game.table();
    let (players, points) = (table.players(), table.points());
    let mut lines: Vec<Line<'static>> = Player::BOTH
        .into_iter()
        .map(|player| {
            let on_turn = !table.is_over() && table.to_move() == player;
            let look = &players[player.index()];
            let style = if on_turn { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
            let arrow = if on_turn { "> " } else { "  " };
            let symbol = board::symbol(&players, player, game.is_ascii());
            let name = format!("{arrow}{symbol} {} ({})", look.name.en, game.seat_name(player));
            Line::from(Span::styled(format!("{name:<28} {:>4}", points[player.index()]), style))
        })
        .collect();
    for (label, value) in table.status() {
        lines.push(Line::from(format!("  {} {value}", label.en)));
    }
    if table.is_over() {
        let result = match table.margin().leader() {
            Some(winner) => format!("{} wins. n for a new game, q to leave", players[winner.index()].name.en),
            None => "A draw. n for a new game, q to leave".to_owned(),
        };
        lines.push(Line::from(Span::styled(result, Style::new().add_modifier(Modifier::BOLD))));
    }
    lines
}

fn thought(frame: &mut Frame<'_>, area: Rect, game: &Game) {
    let Some(thinker) = game.thinker() else { return };
    let [words, bar] = Layout::vertical([Constraint::Length(2), Constraint::Length(1)]).areas(area);
    frame.render_widget(Paragraph::new(how_far(thinker, game)).wrap(Wrap { trim: true }), words);
    if let Some(share) = thinker.share_used() {
        frame.render_widget(Gauge::default().ratio(share).label("time"), bar);
    }
}

/// How far a bot is: the numbers grow while it thinks, also before it has a move to tell.
fn how_far(thinker: &Thinker, game: &Game) -> String {
    let depth = thinker.depth().map_or_else(String::new, |depth| format!("  depth {depth}"));
    let named = |best: &Thought| {
        let value = advice::so_far(game.table(), &game.thinking_bot(), best).value;
        let value = value.map_or_else(String::new, |value| format!(" {value:+}"));
        format!("  best {}{value}", game.scene().move_name(&best.mv))
    };
    let best = thinker.latest().map_or_else(String::new, named);
    format!("thinking {:.1} s{depth}  {} positions{best}", thinker.elapsed().as_secs_f64(), thinker.nodes())
}

/// As many of the latest moves as fit.
fn moves(game: &Game, area: Rect) -> String {
    let (scene, moves) = (game.scene(), game.table().moves());
    let names: Vec<&str> = moves.iter().map(|mv| scene.move_name(mv)).collect();
    let widest = names.iter().map(|name| name.len()).max().unwrap_or(0) + 2;
    let fit = (usize::from(area.width) / widest).max(1) * usize::from(area.height.saturating_sub(1)).max(1);
    names[names.len().saturating_sub(fit)..].join(" ")
}

#[cfg(test)]
mod tests {
    use papan_core::Budget;
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::game::Command;
    use super::*;
    use crate::seat::Seat;

    #[test]
    fn the_screen_shows_board_names_points_and_moves() {
        let table = papan_roster::table("othello", None).unwrap();
        let mut game = Game::new(table, [Seat::Human, Seat::Human], Budget::unlimited(), false);
        game.obey(Command::Play);
        let mut terminal = Terminal::new(TestBackend::new(90, 24)).unwrap();
        terminal.draw(|frame| draw(frame, &game)).unwrap();
        let screen = terminal.backend().to_string();
        for word in ["● Black (human)", "○ White (human)", "Moves", "played", "<●>"] {
            assert!(screen.contains(word), "{word} on\n{screen}");
        }
    }

    /// What stands before ` positions` on the screen while the bot thinks.
    fn positions_shown(game: &Game) -> u64 {
        let mut terminal = Terminal::new(TestBackend::new(90, 24)).unwrap();
        terminal.draw(|frame| draw(frame, game)).unwrap();
        let screen = terminal.backend().to_string();
        let words: Vec<_> = screen.split_whitespace().collect();
        let place = words.iter().position(|&word| word.starts_with("positions"));
        place.and_then(|place| words[place - 1].parse().ok()).unwrap_or(0)
    }

    #[test]
    fn a_thinking_engine_shows_growing_numbers() {
        let table = papan_roster::table("othello", None).unwrap();
        let seats = Seat::read("othello", ["engine", "human"], Default::default()).unwrap();
        let mut game = Game::new(table, seats, Budget::time(std::time::Duration::from_secs(60)), false);
        let mut shown = Vec::new();
        while shown.len() < 4 {
            game.tick();
            assert_eq!(game.table().ply(), 0, "it is still thinking");
            let positions = positions_shown(&game);
            if positions > shown.last().copied().unwrap_or(0) {
                shown.push(positions);
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }

    #[test]
    fn a_small_window_is_no_trouble() {
        let table = papan_roster::table("dots-and-boxes:rows=10,cols=10", None).unwrap();
        let game = Game::new(table, [Seat::Human, Seat::Human], Budget::unlimited(), true);
        for (width, height) in [(1, 1), (10, 3), (40, 10)] {
            let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
            terminal.draw(|frame| draw(frame, &game)).unwrap();
        }
    }
}
