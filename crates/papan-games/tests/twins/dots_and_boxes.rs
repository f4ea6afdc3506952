//! Dots and Boxes as plain tables of lines, written from the rules.

use crate::kit::Twin;

#[derive(Clone)]
pub(crate) struct SlowDotsAndBoxes {
    rows: usize,
    cols: usize,
    /// `across[r][c]` is the line above box `r, c`; one row more than boxes.
    across: Vec<Vec<bool>>,
    /// `down[r][c]` is the line left of box `r, c`; one column more than boxes.
    down: Vec<Vec<bool>>,
    boxes: [i32; 2],
    turn: usize,
}

impl SlowDotsAndBoxes {
    pub(crate) fn new(rows: usize, cols: usize, border: &str) -> Self {
        let mut board = Self {
            rows,
            cols,
            across: vec![vec![false; cols]; rows + 1],
            down: vec![vec![false; cols + 1]; rows],
            boxes: [0, 0],
            turn: 0,
        };
        if border != "none" {
            board.across[rows] = vec![true; cols];
            board.down.iter_mut().for_each(|row| row[0] = true);
        }
        if border == "swedish" {
            board.across[0] = vec![true; cols];
            board.down.iter_mut().for_each(|row| row[cols] = true);
        }
        board
    }

    fn full(&self) -> i32 {
        let mut full = 0;
        for r in 0..self.rows {
            for c in 0..self.cols {
                let sides = [self.across[r][c], self.across[r + 1][c], self.down[r][c], self.down[r][c + 1]];
                full += i32::from(sides == [true; 4]);
            }
        }
        full
    }
}

impl Twin for SlowDotsAndBoxes {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for (name, lines) in [("h", &self.across), ("v", &self.down)] {
            for (r, row) in lines.iter().enumerate() {
                for (c, drawn) in row.iter().enumerate() {
                    if !drawn {
                        moves.push(format!("{name}{r},{c}"));
                    }
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        let before = self.full();
        let (r, c) = mv[1..].split_once(',').unwrap();
        let lines = if mv.starts_with('h') { &mut self.across } else { &mut self.down };
        let line = &mut lines[r.parse::<usize>().unwrap()][c.parse::<usize>().unwrap()];
        assert!(!*line);
        *line = true;
        let completed = self.full() - before;
        self.boxes[self.turn] += completed;
        if completed == 0 {
            self.turn = 1 - self.turn;
        }
    }

    fn mover(&self) -> usize {
        self.turn
    }

    fn points(&self) -> [i32; 2] {
        self.boxes
    }
}
