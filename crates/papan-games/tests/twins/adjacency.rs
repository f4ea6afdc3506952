//! The Adjacency Strategy Game once more, from its rules, on a grid of
//! characters.

use crate::kit::Twin;

#[derive(Clone)]
pub(crate) struct SlowAdjacency {
    grid: Vec<Vec<char>>,
    players: [char; 2],
    mover: usize,
    moves_to_come: u32,
    diagonal: bool,
}

impl SlowAdjacency {
    pub(crate) fn start(rounds: u32, players: [char; 2], diagonal: bool) -> Self {
        let mut grid = vec![vec!['.'; 8]; 8];
        for (row, column) in [(6, 0), (6, 1), (7, 0), (7, 1)] {
            grid[row][column] = 'X';
        }
        for (row, column) in [(0, 6), (0, 7), (1, 6), (1, 7)] {
            grid[row][column] = 'O';
        }
        Self { grid, players, mover: 0, moves_to_come: 2 * rounds, diagonal }
    }
}

impl Twin for SlowAdjacency {
    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        for row in 0..8 {
            for column in 0..8 {
                if self.moves_to_come > 0 && self.grid[row][column] == '.' {
                    moves.push(format!("{}{}", "abcdefgh".chars().nth(column).unwrap(), row + 1));
                }
            }
        }
        moves
    }

    fn play(&mut self, mv: &str) {
        let column = "abcdefgh".find(&mv[..1]).unwrap() as i32;
        let row = mv[1..].parse::<i32>().unwrap() - 1;
        let (own, enemy) = (self.players[self.mover], self.players[1 - self.mover]);
        self.grid[row as usize][column as usize] = own;
        for (down, right) in [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)] {
            let beside = (row + down, column + right);
            let on_board = (0..8).contains(&beside.0) && (0..8).contains(&beside.1);
            let turns = self.diagonal || down == 0 || right == 0;
            if on_board && turns && self.grid[beside.0 as usize][beside.1 as usize] == enemy {
                self.grid[beside.0 as usize][beside.1 as usize] = own;
            }
        }
        self.mover = 1 - self.mover;
        self.moves_to_come -= 1;
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn points(&self) -> [i32; 2] {
        self.players.map(|player| self.grid.iter().flatten().filter(|&&cell| cell == player).count() as i32)
    }
}
