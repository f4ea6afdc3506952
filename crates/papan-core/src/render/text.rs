//! Scenes as text, with Unicode or plain ASCII.

use crate::Player;
use crate::scene::{Look, Scene, Shape, ShapeKind};

/// Which characters a text board uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Charset {
    /// Discs, dots and line-drawing characters.
    Unicode,
    /// Only ASCII.
    Ascii,
}

/// A rectangle of characters that shapes are drawn on.
struct Canvas {
    rows: Vec<Vec<char>>,
}

impl Canvas {
    fn new(width: usize, height: usize) -> Self {
        Self { rows: vec![vec![' '; width]; height] }
    }

    fn put(&mut self, x: usize, y: usize, c: char) {
        if let Some(cell) = self.rows.get_mut(y).and_then(|row| row.get_mut(x)) {
            *cell = c;
        }
    }

    fn write(&mut self, x: usize, y: usize, text: &str) {
        for (offset, c) in text.chars().enumerate() {
            self.put(x + offset, y, c);
        }
    }

    fn into_text(self) -> String {
        let mut text = String::new();
        for row in self.rows {
            text.push_str(row.iter().collect::<String>().trim_end());
            text.push('\n');
        }
        text
    }
}

/// How many characters one grid unit takes, and where the board begins.
struct Layout {
    unit_x: usize,
    unit_y: usize,
    left: usize,
    top: usize,
}

impl Layout {
    /// Boards of cells are set tight; boards with lines need room for them.
    fn of(scene: &Scene) -> Self {
        let lines = scene.shapes.iter().any(|shape| shape.kind == ShapeKind::Line);
        let label_width = scene.row_labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
        Self { unit_x: if lines { 4 } else { 2 }, unit_y: if lines { 2 } else { 1 }, left: label_width + 1, top: 1 }
    }

    fn column(&self, x: f32) -> usize {
        self.left + (x * self.unit_x as f32).floor() as usize
    }

    fn row(&self, y: f32) -> usize {
        self.top + (y * self.unit_y as f32).floor() as usize
    }

    fn centre(&self, shape: &Shape) -> (usize, usize) {
        (self.column(shape.x + shape.w / 2.0), self.row(shape.y + shape.h / 2.0))
    }
}

/// The scene as lines of text. `last` is the move to point out.
#[must_use]
pub fn render(scene: &Scene, charset: Charset, last: Option<&str>) -> String {
    let layout = Layout::of(scene);
    let width = layout.column(scene.width) + 2;
    let height = layout.row(scene.height) + 1;
    let mut canvas = Canvas::new(width, height);
    let first = scene.first_label();
    for (column, label) in scene.column_labels.iter().enumerate() {
        canvas.write(layout.column(column as f32 + first), 0, label);
    }
    for (row, label) in scene.row_labels.iter().enumerate() {
        canvas.write(0, layout.row(row as f32 + first), label);
    }
    for shape in &scene.shapes {
        draw(&mut canvas, &layout, scene, shape, charset);
    }
    if let Some(shape) = scene.shapes.iter().find(|shape| last.is_some() && shape.mv.as_deref() == last) {
        let (x, y) = layout.centre(shape);
        if shape.kind == ShapeKind::Line {
            canvas.put(x, y, if charset == Charset::Ascii { '#' } else { '◆' });
        } else {
            canvas.put(x.saturating_sub(1), y, '>');
        }
    }
    canvas.into_text()
}

fn draw(canvas: &mut Canvas, layout: &Layout, scene: &Scene, shape: &Shape, charset: Charset) {
    let (x, y) = layout.centre(shape);
    let ascii = charset == Charset::Ascii;
    match shape.kind {
        ShapeKind::Cell => canvas.put(x, y, if ascii { '.' } else { '·' }),
        ShapeKind::Mark | ShapeKind::Disc | ShapeKind::Box => {
            if let Some(owner) = shape.owner {
                canvas.put(x, y, owner_symbol(scene, owner, ascii));
            } else if shape.present {
                canvas.put(x, y, '?');
            }
        }
        ShapeKind::Dot => canvas.put(x, y, if ascii { '+' } else { '•' }),
        ShapeKind::Line if !shape.present => {}
        ShapeKind::Line if shape.h == 0.0 => {
            let c = if ascii { '-' } else { '─' };
            for x in layout.column(shape.x) + 1..layout.column(shape.x + shape.w) {
                canvas.put(x, y, c);
            }
        }
        ShapeKind::Line => canvas.put(x, y, if ascii { '|' } else { '│' }),
    }
}

fn owner_symbol(scene: &Scene, owner: Player, ascii: bool) -> char {
    let player = &scene.players[owner.index()];
    match player.look {
        Look::Dark if !ascii => '●',
        Look::Light if !ascii => '○',
        _ => player.symbol,
    }
}
