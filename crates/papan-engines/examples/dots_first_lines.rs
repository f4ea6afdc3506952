//! Writes the values of the first positions of 3x3 that the Dots and Boxes solver looks up:
//!
//! ```text
//! cargo run --release -p papan-engines --features training --example dots_first_lines -- FILE
//! ```
//!
//! Needed again when fingerprints change; a test says so.

fn main() -> std::io::Result<()> {
    let file = std::env::args().nth(1).expect("a file to write");
    std::fs::write(file, papan_engines::dots_and_boxes::first_lines_making::made())
}
