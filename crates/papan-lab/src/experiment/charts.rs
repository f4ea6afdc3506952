//! Line charts as SVG, with a logarithmic axis where values span decades.

use std::fmt::Write as _;

use crate::draw::escaped;

const WIDTH: f64 = 700.0;
const HEIGHT: f64 = 320.0;
const LEFT: f64 = 72.0;
const RIGHT: f64 = 220.0;
const TOP: f64 = 24.0;
const BOTTOM: f64 = 44.0;

/// Told apart by the colour-blind; each also has a dash of its own.
const COLOURS: [&str; 8] = ["#0072b2", "#d55e00", "#009e73", "#8a5a83", "#7a6a00", "#3a7ca5", "#b3400a", "#26231e"];
const DASHES: [&str; 8] = ["", "7 4", "2 3", "10 3 2 3", "4 2", "12 4", "1 4", "6 2 1 2"];

/// One line of a chart.
pub(super) struct Series {
    pub(super) name: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// A chart of `series` over whole numbers.
pub(super) fn line_chart(title: &str, x_name: &str, series: &[Series], logarithmic: bool) -> String {
    let points = || series.iter().flat_map(|line| &line.points);
    let (x_low, x_high) = span(points().map(|point| point.0));
    let (mut y_low, y_high) = span(points().map(|point| point.1));
    if !logarithmic {
        y_low = y_low.min(0.0);
    }
    let scale =
        Scale { x_low, x_high, y_low: lifted(y_low, logarithmic), y_high: lifted(y_high, logarithmic), logarithmic };
    let mut out = String::new();
    let _ = writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" font-family="system-ui, sans-serif" font-size="12" role="img"><title>{}</title><rect width="100%" height="100%" fill="#faf6ec"/>"##,
        escaped(title)
    );
    scale.axes(&mut out, x_name);
    for (number, line) in series.iter().enumerate() {
        scale.line(&mut out, number, line);
    }
    out.push_str("</svg>\n");
    out
}

fn span(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) =
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low > high { (0.0, 1.0) } else { (low, if high > low { high } else { low + 1.0 }) }
}

/// The value on the axis: its decades where that is asked for.
fn lifted(value: f64, logarithmic: bool) -> f64 {
    if logarithmic { value.max(1e-9).log10() } else { value }
}

struct Scale {
    x_low: f64,
    x_high: f64,
    y_low: f64,
    y_high: f64,
    logarithmic: bool,
}

impl Scale {
    fn x(&self, value: f64) -> f64 {
        LEFT + (value - self.x_low) / (self.x_high - self.x_low) * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        let share = (lifted(value, self.logarithmic) - self.y_low) / (self.y_high - self.y_low).max(1e-9);
        HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
    }

    fn axes(&self, out: &mut String, x_name: &str) {
        const RULE: &str = "#c9bfa9";
        for tick in self.ticks() {
            let y = self.y(tick);
            let _ = writeln!(
                out,
                r##"<path d="M{LEFT} {y:.1}H{}" stroke="{RULE}"/><text x="{}" y="{:.1}" text-anchor="end" fill="#26231e">{}</text>"##,
                WIDTH - RIGHT,
                LEFT - 8.0,
                y + 4.0,
                short(tick)
            );
        }
        let mut tick = self.x_low.ceil();
        while tick <= self.x_high {
            let _ = writeln!(
                out,
                r##"<text x="{:.1}" y="{}" text-anchor="middle" fill="#26231e">{tick}</text>"##,
                self.x(tick),
                HEIGHT - BOTTOM + 18.0
            );
            tick += 1.0;
        }
        let _ = writeln!(
            out,
            r##"<text x="{:.1}" y="{}" text-anchor="middle" fill="#26231e">{}</text>"##,
            f64::midpoint(LEFT, WIDTH - RIGHT),
            HEIGHT - 8.0,
            escaped(x_name)
        );
    }

    /// Where the rules are drawn: whole decades, or five equal steps.
    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let (low, high) = (self.y_low.floor() as i32, self.y_high.ceil() as i32);
            let inside = |decade: &i32| (self.y_low - 1e-9..=self.y_high + 1e-9).contains(&f64::from(*decade));
            let decades: Vec<f64> = (low..=high).filter(inside).map(|decade| 10f64.powi(decade)).collect();
            if decades.len() >= 2 {
                return decades;
            }
            return vec![10f64.powf(self.y_low), 10f64.powf(self.y_high)];
        }
        (0..=4).map(|step| self.y_low + (self.y_high - self.y_low) * f64::from(step) / 4.0).collect()
    }

    fn line(&self, out: &mut String, number: usize, line: &Series) {
        let (colour, dash) = (COLOURS[number % COLOURS.len()], DASHES[number % DASHES.len()]);
        let mut path = String::new();
        for (index, &(x, y)) in line.points.iter().enumerate() {
            let _ = write!(path, "{}{:.1} {:.1}", if index == 0 { "M" } else { "L" }, self.x(x), self.y(y));
        }
        let _ = writeln!(
            out,
            r#"<path d="{path}" fill="none" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/>"#
        );
        for &(x, y) in &line.points {
            let _ = writeln!(out, r#"<circle cx="{:.1}" cy="{:.1}" r="3" fill="{colour}"/>"#, self.x(x), self.y(y));
        }
        let y = TOP + 18.0 * number as f64;
        let x = WIDTH - RIGHT + 14.0;
        let _ = writeln!(
            out,
            r##"<path d="M{x} {y}h24" stroke="{colour}" stroke-width="2" stroke-dasharray="{dash}"/><text x="{}" y="{}" fill="#26231e">{}</text>"##,
            x + 30.0,
            y + 4.0,
            escaped(&clipped(&line.name))
        );
    }
}

/// A name that fits beside the chart.
fn clipped(name: &str) -> String {
    const FITS: usize = 24;
    if name.chars().count() <= FITS { name.to_owned() } else { name.chars().take(FITS - 1).chain(['…']).collect() }
}

/// A number in a few characters.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1e6 => format!("{:.1} M", value / 1e6),
        size if size >= 1e4 => format!("{:.0} k", value / 1e3),
        size if size >= 100.0 || value == value.trunc() => format!("{value:.0}"),
        size if size >= 0.01 => format!("{value:.2}"),
        _ => format!("{value:.1e}"),
    }
}
