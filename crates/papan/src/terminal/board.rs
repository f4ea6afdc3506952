//! A scene on the terminal: one grid unit is four columns and two rows.

use papan_core::Player;
use papan_core::scene::{Look, PlayerLook, Scene, Shape, ShapeKind};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Color, Modifier, Style};

const UNIT_X: f32 = 4.0;
const UNIT_Y: f32 = 2.0;

/// What is pointed out on the board.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Highlights<'a> {
    pub(super) cursor: Option<&'a str>,
    pub(super) last: Option<&'a str>,
    pub(super) hint: Option<&'a str>,
    pub(super) ascii: bool,
}

/// The size that a scene takes, labels included.
pub(super) fn size(scene: &Scene) -> (u16, u16) {
    ((scene.width * UNIT_X) as u16 + 5, (scene.height * UNIT_Y) as u16 + 3)
}

pub(super) fn draw(buffer: &mut Buffer, area: Rect, scene: &Scene, highlights: Highlights<'_>) {
    let mut canvas = Canvas { buffer, area, ascii: highlights.ascii };
    let first = scene.first_label();
    for (column, label) in scene.column_labels.iter().enumerate() {
        canvas.put_text(column as f32 + first, -0.5, label);
    }
    for (row, label) in scene.row_labels.iter().enumerate() {
        canvas.put_text(-0.6, row as f32 + first, label);
    }
    for shape in &scene.shapes {
        canvas.shape(scene, shape);
    }
    for shape in &scene.shapes {
        canvas.highlight(shape, highlights);
    }
}

struct Canvas<'a> {
    buffer: &'a mut Buffer,
    area: Rect,
    ascii: bool,
}

impl Canvas<'_> {
    /// Where a grid point lies on the screen, if it does.
    fn place(&self, x: f32, y: f32) -> Option<Position> {
        let column = i32::from(self.area.x) + 3 + (x * UNIT_X).round() as i32;
        let row = i32::from(self.area.y) + 1 + (y * UNIT_Y).round() as i32;
        let position = Position { x: u16::try_from(column).ok()?, y: u16::try_from(row).ok()? };
        self.area.contains(position).then_some(position)
    }

    fn put(&mut self, x: f32, y: f32, c: char, style: Style) {
        if let Some(position) = self.place(x, y) {
            self.buffer[position].set_char(c).set_style(style);
        }
    }

    fn put_text(&mut self, x: f32, y: f32, text: &str) {
        for (index, c) in text.chars().enumerate() {
            self.put(x + index as f32 / UNIT_X, y, c, Style::new().add_modifier(Modifier::DIM));
        }
    }

    fn shape(&mut self, scene: &Scene, shape: &Shape) {
        let (x, y) = (shape.x + shape.w / 2.0, shape.y + shape.h / 2.0);
        let faint = Style::new().add_modifier(Modifier::DIM);
        match shape.kind {
            ShapeKind::Cell => {
                self.corners(shape, faint);
                if shape.playable {
                    self.put(x, y, if self.ascii { '.' } else { '·' }, faint);
                }
            }
            ShapeKind::Mark | ShapeKind::Disc | ShapeKind::Box => {
                if let Some(owner) = shape.owner {
                    self.put(x, y, symbol(&scene.players, owner, self.ascii), owner_style(owner));
                }
            }
            ShapeKind::Dot => self.put(x, y, if self.ascii { '+' } else { '●' }, Style::new()),
            ShapeKind::Line => self.line(shape),
        }
    }

    /// The corners of a cell are enough to see the grid.
    fn corners(&mut self, shape: &Shape, style: Style) {
        let c = if self.ascii { '+' } else { '┼' };
        for (x, y) in [(0.0, 0.0), (shape.w, 0.0), (0.0, shape.h), (shape.w, shape.h)] {
            self.put(shape.x + x, shape.y + y, c, style);
        }
    }

    fn line(&mut self, shape: &Shape) {
        let style = shape.owner.map_or(Style::new().add_modifier(Modifier::BOLD), owner_style);
        let (x, y) = (shape.x + shape.w / 2.0, shape.y + shape.h / 2.0);
        match (shape.present, shape.h == 0.0) {
            (false, _) => self.put(x, y, if self.ascii { '.' } else { '·' }, Style::new().add_modifier(Modifier::DIM)),
            (true, true) => {
                for quarter in 1..4 {
                    let c = if self.ascii { '-' } else { '━' };
                    self.put(shape.x + shape.w * quarter as f32 / 4.0, y, c, style);
                }
            }
            (true, false) => self.put(x, y, if self.ascii { '|' } else { '┃' }, style),
        }
    }

    /// The last move stands in angle brackets, a hint in round ones, the cursor
    /// in square ones and reversed: told apart without colour.
    fn highlight(&mut self, shape: &Shape, highlights: Highlights<'_>) {
        let Some(mv) = shape.mv.as_deref() else { return };
        let (x, y) = (shape.x + shape.w / 2.0, shape.y + shape.h / 2.0);
        let mut brackets = |left, right, style| {
            self.put(x - 1.0 / UNIT_X, y, left, style);
            self.put(x + 1.0 / UNIT_X, y, right, style);
        };
        if highlights.last == Some(mv) {
            brackets('<', '>', Style::new().add_modifier(Modifier::BOLD));
        }
        if highlights.hint == Some(mv) {
            brackets('(', ')', Style::new().fg(Color::Green).add_modifier(Modifier::BOLD));
        }
        if highlights.cursor == Some(mv) {
            brackets('[', ']', Style::new().add_modifier(Modifier::REVERSED));
            if let Some(position) = self.place(x, y) {
                self.buffer[position].set_style(Style::new().add_modifier(Modifier::REVERSED));
            }
        }
    }
}

/// How a player's pieces look in one character.
pub(super) fn symbol(players: &[PlayerLook; 2], owner: Player, ascii: bool) -> char {
    let player = &players[owner.index()];
    match player.look {
        Look::Dark if !ascii => '●',
        Look::Light if !ascii => '○',
        _ => player.symbol,
    }
}

/// Blue and yellow stay apart for the colour-blind; the symbols differ anyway.
fn owner_style(owner: Player) -> Style {
    let colour = match owner {
        Player::First => Color::LightBlue,
        Player::Second => Color::Yellow,
    };
    Style::new().fg(colour).add_modifier(Modifier::BOLD)
}
