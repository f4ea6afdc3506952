//! Othello once more, from its rules, on a grid of characters.

use crate::kit::Twin;

#[derive(Clone)]
pub(crate) struct SlowOthello {
    grid: Vec<Vec<char>>,
    players: [char; 2],
    mover: usize,
    passing: bool,
}

const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

impl SlowOthello {
    pub(crate) fn start(size: usize, players: [char; 2], passing: bool) -> Self {
        let mut grid = vec![vec!['-'; size]; size];
        let (low, high) = (size / 2 - 1, size / 2);
        grid[low][low] = 'O';
        grid[high][high] = 'O';
        grid[low][high] = 'X';
        grid[high][low] = 'X';
        Self { grid, players, mover: 0, passing }
    }

    fn at(&self, row: i32, column: i32) -> Option<char> {
        let row = self.grid.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied()
    }

    /// The places that a disc of `player` at this place would turn.
    fn turned(&self, player: usize, row: i32, column: i32) -> Vec<(i32, i32)> {
        let (own, enemy) = (self.players[player], self.players[1 - player]);
        let mut turned = Vec::new();
        if self.at(row, column) != Some('-') {
            return turned;
        }
        for (down, right) in DIRECTIONS {
            let mut line = Vec::new();
            let mut place = (row + down, column + right);
            while self.at(place.0, place.1) == Some(enemy) {
                line.push(place);
                place = (place.0 + down, place.1 + right);
            }
            if self.at(place.0, place.1) == Some(own) {
                turned.extend(line);
            }
        }
        turned
    }

    fn places(&self, player: usize) -> Vec<String> {
        let size = self.grid.len() as i32;
        let mut places = Vec::new();
        for row in 0..size {
            for column in 0..size {
                if !self.turned(player, row, column).is_empty() {
                    places.push(format!("{}{}", "abcdefgh".chars().nth(column as usize).unwrap(), row + 1));
                }
            }
        }
        places
    }

    fn count(&self, wanted: char) -> i32 {
        self.grid.iter().flatten().filter(|&&square| square == wanted).count() as i32
    }
}

impl Twin for SlowOthello {
    fn legal(&self) -> Vec<String> {
        let places = self.places(self.mover);
        if places.is_empty() && self.passing && !self.places(1 - self.mover).is_empty() {
            return vec!["pass".to_owned()];
        }
        places
    }

    fn play(&mut self, mv: &str) {
        if mv != "pass" {
            let column = "abcdefgh".find(&mv[..1]).unwrap() as i32;
            let row = mv[1..].parse::<i32>().unwrap() - 1;
            let mut places = self.turned(self.mover, row, column);
            places.push((row, column));
            for (row, column) in places {
                self.grid[row as usize][column as usize] = self.players[self.mover];
            }
        }
        self.mover = 1 - self.mover;
    }

    fn mover(&self) -> usize {
        self.mover
    }

    fn points(&self) -> [i32; 2] {
        let [mut first, mut second] = self.players.map(|player| self.count(player));
        if self.legal().is_empty() {
            let empties = self.count('-');
            if first > second {
                first += empties;
            } else if second > first {
                second += empties;
            } else {
                first += empties / 2;
                second += empties / 2;
            }
        }
        [first, second]
    }
}
