//! Scenes as self-contained SVG pictures.

use std::fmt::Write as _;

use crate::Player;
use crate::scene::{Look, Scene, Shape, ShapeKind};

/// Pixels of one grid unit.
const UNIT: f32 = 48.0;
/// Pixels around the board, where the labels stand.
const BORDER: f32 = 28.0;

const PAPER: &str = "#faf6ec";
const INK: &str = "#26231e";
const RULE: &str = "#c9bfa9";
/// Blue and orange of the Okabe–Ito palette: told apart by the colour-blind,
/// and by lightness in greyscale.
const FIRST_COLOUR: &str = "#0072b2";
const SECOND_COLOUR: &str = "#e69f00";

/// What a picture shows beside the position itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Marks<'a> {
    /// The move to mark as the last one.
    pub last: Option<&'a str>,
    /// Show the legal moves?
    pub legal: bool,
}

/// The scene as an SVG document.
#[must_use]
pub fn render(scene: &Scene, marks: Marks<'_>) -> String {
    let mut picture = Picture { out: String::new() };
    let width = scene.width * UNIT + 2.0 * BORDER;
    let height = scene.height * UNIT + 2.0 * BORDER;
    picture.open(width, height);
    picture.labels(scene);
    for shape in &scene.shapes {
        picture.shape(scene, shape);
    }
    for shape in &scene.shapes {
        picture.annotations(shape, marks);
    }
    picture.out.push_str("</svg>\n");
    picture.out
}

/// A point in pixels.
#[derive(Clone, Copy)]
struct Point {
    x: f32,
    y: f32,
}

fn at(x: f32, y: f32) -> Point {
    Point { x: BORDER + x * UNIT, y: BORDER + y * UNIT }
}

fn centre(shape: &Shape) -> Point {
    at(shape.x + shape.w / 2.0, shape.y + shape.h / 2.0)
}

struct Picture {
    out: String,
}

impl Picture {
    /// Writing to a string cannot fail.
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
        writeln!(self.out, "{line}").expect("writing to a string");
    }

    fn open(&mut self, width: f32, height: f32) {
        self.line(format_args!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="system-ui, sans-serif" font-size="13">"#
        ));
        self.line(format_args!(
            r##"<defs><pattern id="first" width="8" height="8" patternUnits="userSpaceOnUse"><path d="M0 8L8 0" stroke="{FIRST_COLOUR}" stroke-width="1.5"/></pattern><pattern id="second" width="8" height="8" patternUnits="userSpaceOnUse"><circle cx="4" cy="4" r="1.6" fill="{SECOND_COLOUR}"/></pattern></defs>"##
        ));
        self.line(format_args!(r#"<rect width="100%" height="100%" fill="{PAPER}"/>"#));
    }

    fn labels(&mut self, scene: &Scene) {
        let first = scene.first_label();
        for (column, label) in scene.column_labels.iter().enumerate() {
            let point = at(column as f32 + first, -0.2);
            self.words(point, label);
        }
        for (row, label) in scene.row_labels.iter().enumerate() {
            let point = at(-0.3, row as f32 + first + 0.1);
            self.words(point, label);
        }
    }

    fn words(&mut self, Point { x, y }: Point, words: &str) {
        let words = escaped(words);
        self.line(format_args!(r#"<text x="{x}" y="{y}" fill="{INK}" text-anchor="middle">{words}</text>"#));
    }

    fn shape(&mut self, scene: &Scene, shape: &Shape) {
        let title = escaped(&format!("{}: {}", shape.label.place.en, shape.label.state.en));
        self.line(format_args!(r#"<g id="{}"><title>{title}</title>"#, escaped(&shape.id)));
        match shape.kind {
            ShapeKind::Cell => self.cell(shape),
            ShapeKind::Mark | ShapeKind::Disc => self.piece(scene, shape),
            ShapeKind::Line => self.board_line(scene, shape),
            ShapeKind::Box => self.filled_box(scene, shape),
            ShapeKind::Dot => {
                let Point { x, y } = centre(shape);
                self.line(format_args!(r#"<circle cx="{x}" cy="{y}" r="5" fill="{INK}"/>"#));
            }
        }
        self.line(format_args!("</g>"));
    }

    fn cell(&mut self, shape: &Shape) {
        let Point { x, y } = at(shape.x, shape.y);
        let (w, h) = (shape.w * UNIT, shape.h * UNIT);
        self.line(format_args!(r#"<rect x="{x}" y="{y}" width="{w}" height="{h}" fill="none" stroke="{RULE}"/>"#));
    }

    fn piece(&mut self, scene: &Scene, shape: &Shape) {
        let Some(owner) = shape.owner else { return };
        let Point { x, y } = centre(shape);
        let colour = colour(owner);
        let r = 0.3 * UNIT;
        match scene.players[owner.index()].look {
            Look::Cross => self.line(format_args!(
                r#"<path d="M{} {}L{} {}M{} {}L{} {}" stroke="{colour}" stroke-width="6" stroke-linecap="round"/>"#,
                x - r,
                y - r,
                x + r,
                y + r,
                x - r,
                y + r,
                x + r,
                y - r
            )),
            Look::Ring => self.line(format_args!(
                r#"<circle cx="{x}" cy="{y}" r="{r}" fill="none" stroke="{colour}" stroke-width="6"/>"#
            )),
            Look::Dark => self.line(format_args!(
                r#"<circle cx="{x}" cy="{y}" r="{}" fill="{INK}" stroke="{INK}" stroke-width="2"/>"#,
                0.4 * UNIT
            )),
            Look::Light => self.line(format_args!(
                r##"<circle cx="{x}" cy="{y}" r="{}" fill="#ffffff" stroke="{INK}" stroke-width="2"/>"##,
                0.4 * UNIT
            )),
        }
    }

    /// Lines of the first player are solid, of the second doubled; a line
    /// whose drawer is unknown is solid in ink, an undrawn one is faint.
    fn board_line(&mut self, scene: &Scene, shape: &Shape) {
        let (from, to) = (at(shape.x, shape.y), at(shape.x + shape.w, shape.y + shape.h));
        let mut stroke = |colour: &str, width: f32| {
            self.line(format_args!(
                r#"<path d="M{} {}L{} {}" stroke="{colour}" stroke-width="{width}"/>"#,
                from.x, from.y, to.x, to.y
            ));
        };
        match shape.owner {
            _ if !shape.present => stroke(RULE, 1.0),
            None => stroke(INK, 5.0),
            Some(owner) => {
                stroke(colour(owner), 7.0);
                if scene.players[owner.index()].look == Look::Ring {
                    stroke(PAPER, 2.5);
                }
            }
        }
    }

    fn filled_box(&mut self, scene: &Scene, shape: &Shape) {
        if !shape.present {
            return;
        }
        let Point { x, y } = at(shape.x, shape.y);
        let fill = match shape.owner {
            Some(Player::First) => "url(#first)",
            Some(Player::Second) => "url(#second)",
            None => RULE,
        };
        self.line(format_args!(
            r#"<rect x="{}" y="{}" width="{}" height="{}" fill="{fill}" fill-opacity="0.55"/>"#,
            x + 5.0,
            y + 5.0,
            shape.w * UNIT - 10.0,
            shape.h * UNIT - 10.0
        ));
        if let Some(owner) = shape.owner {
            let Point { x, y } = centre(shape);
            let symbol = escaped(&scene.players[owner.index()].symbol.to_string());
            self.line(format_args!(
                r#"<text x="{x}" y="{}" fill="{INK}" text-anchor="middle" font-size="20" font-weight="600">{symbol}</text>"#,
                y + 7.0
            ));
        }
    }

    fn annotations(&mut self, shape: &Shape, marks: Marks<'_>) {
        let Point { x, y } = centre(shape);
        if marks.legal && shape.playable {
            self.line(format_args!(r#"<circle cx="{x}" cy="{y}" r="4" fill="{INK}" fill-opacity="0.35"/>"#));
        }
        if marks.last.is_some() && shape.mv.as_deref() == marks.last {
            self.line(format_args!(
                r##"<rect x="{}" y="{}" width="8" height="8" fill="#d55e00" stroke="{PAPER}"/>"##,
                x - 4.0,
                y - 4.0
            ));
        }
    }
}

const fn colour(owner: Player) -> &'static str {
    match owner {
        Player::First => FIRST_COLOUR,
        Player::Second => SECOND_COLOUR,
    }
}

/// Text as XML may contain it.
#[must_use]
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
