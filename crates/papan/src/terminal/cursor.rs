//! Moving a cursor between the playable shapes of a scene, as the eye would.

use papan_core::scene::{Scene, Shape};

/// The middle of a shape.
fn centre(shape: &Shape) -> (f32, f32) {
    (shape.x + shape.w / 2.0, shape.y + shape.h / 2.0)
}

/// The shape that `mv` stands for.
pub(super) fn shape_of<'a>(scene: &'a Scene, mv: &str) -> Option<&'a Shape> {
    scene.shapes.iter().find(|shape| shape.mv.as_deref() == Some(mv))
}

/// The playable move nearest to the middle of the board: where a cursor starts.
pub(super) fn start(scene: &Scene) -> Option<String> {
    nearest(scene, (scene.width / 2.0, scene.height / 2.0))
}

/// The playable move nearest to where `mv` is, itself if it is playable.
pub(super) fn settle(scene: &Scene, mv: &str) -> Option<String> {
    shape_of(scene, mv).map_or_else(|| start(scene), |shape| nearest(scene, centre(shape)))
}

fn nearest(scene: &Scene, (x, y): (f32, f32)) -> Option<String> {
    let distance = |shape: &Shape| (centre(shape).0 - x).powi(2) + (centre(shape).1 - y).powi(2);
    let playable = scene.shapes.iter().filter(|shape| shape.playable);
    playable.min_by(|a, b| distance(a).total_cmp(&distance(b))).and_then(|shape| shape.mv.clone())
}

/// The playable move that a step of `(dx, dy)` from `mv` leads to: the one with
/// the least way to go, where going aside counts double. `None` if there is
/// nothing in that direction.
pub(super) fn step(scene: &Scene, mv: &str, (dx, dy): (i32, i32)) -> Option<String> {
    let (x, y) = centre(shape_of(scene, mv)?);
    let way = |shape: &Shape| {
        let (to_x, to_y) = (centre(shape).0 - x, centre(shape).1 - y);
        let ahead = to_x * dx as f32 + to_y * dy as f32;
        let aside = (to_x * dy as f32).abs() + (to_y * dx as f32).abs();
        (ahead > 0.01).then_some(ahead + 2.0 * aside)
    };
    let candidates = scene.shapes.iter().filter(|shape| shape.playable);
    let best = candidates.filter_map(|shape| Some((way(shape)?, shape))).min_by(|a, b| a.0.total_cmp(&b.0))?;
    best.1.mv.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scene(game: &str) -> Scene {
        papan_roster::table(game, None).unwrap().scene()
    }

    #[test]
    fn arrows_walk_over_a_board_of_cells() {
        let scene = scene("tic-tac-toe");
        assert_eq!(start(&scene).as_deref(), Some("b2"));
        assert_eq!(step(&scene, "b2", (1, 0)).as_deref(), Some("c2"));
        assert_eq!(step(&scene, "b2", (0, -1)).as_deref(), Some("b1"));
        assert_eq!(step(&scene, "a1", (-1, 0)), None);
    }

    #[test]
    fn every_line_of_dots_and_boxes_can_be_reached() {
        let scene = scene("dots-and-boxes");
        let mut reached = vec![start(&scene).unwrap()];
        let mut next = 0;
        while next < reached.len() {
            for direction in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
                if let Some(mv) = step(&scene, &reached[next], direction)
                    && !reached.contains(&mv)
                {
                    reached.push(mv);
                }
            }
            next += 1;
        }
        assert_eq!(reached.len(), 24);
    }
}
