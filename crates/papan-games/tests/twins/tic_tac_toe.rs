//! Tic-tac-toe as plain rows of characters, written from the rules.

use crate::kit::Twin;

#[derive(Clone)]
pub(crate) struct SlowTicTacToe {
    board: Vec<Vec<char>>,
    side: char,
    k: usize,
    misere: bool,
}

impl SlowTicTacToe {
    pub(crate) fn new(rows: usize, cols: usize, k: usize, misere: bool) -> Self {
        Self { board: vec![vec!['.'; cols]; rows], side: 'X', k, misere }
    }

    fn at(&self, row: i32, col: i32) -> Option<char> {
        let row = self.board.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }

    fn has_row(&self, mark: char) -> bool {
        let (rows, cols) = (self.board.len() as i32, self.board[0].len() as i32);
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        (0..rows).any(|row| {
            (0..cols).any(|col| {
                directions.iter().any(|(down, right)| {
                    (0..self.k as i32).all(|along| self.at(row + along * down, col + along * right) == Some(mark))
                })
            })
        })
    }
}

impl Twin for SlowTicTacToe {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        if self.has_row('X') || self.has_row('O') {
            return moves;
        }
        for (row, cells) in self.board.iter().enumerate() {
            for (col, &cell) in cells.iter().enumerate() {
                if cell == '.' {
                    moves.push(format!("{}{}", "abcdefghijklmno".chars().nth(col).unwrap(), row + 1));
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        let col = "abcdefghijklmno".find(&mv[..1]).unwrap();
        let row = mv[1..].parse::<usize>().unwrap() - 1;
        assert_eq!(self.board[row][col], '.');
        self.board[row][col] = self.side;
        self.side = if self.side == 'X' { 'O' } else { 'X' };
    }

    fn mover(&self) -> usize {
        usize::from(self.side == 'O')
    }

    fn points(&self) -> [i32; 2] {
        match (self.has_row('X'), self.has_row('O'), self.misere) {
            (true, _, false) | (_, true, true) => [1, 0],
            (_, true, false) | (true, _, true) => [0, 1],
            _ => [0, 0],
        }
    }
}
