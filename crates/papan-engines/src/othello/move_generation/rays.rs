//! Tables of rays and lines, computed by the compiler.

/// The four axes as bit distances: row, anti-diagonal, column, diagonal.
pub(crate) const AXES: [u32; 4] = [1, 7, 8, 9];

/// For each square and axis the squares behind it towards higher bits.
pub(crate) static RAYS_UP: [[u64; 4]; 64] = rays(true);
/// For each square and axis the squares behind it towards lower bits.
pub(crate) static RAYS_DOWN: [[u64; 4]; 64] = rays(false);

/// The squares next to each square, in all eight directions.
pub(crate) static NEIGHBOURS: [u64; 64] = neighbours();

/// For each square and axis the whole line through it, itself included.
pub(crate) static LINES: [[u64; 4]; 64] = lines();

/// `TURNED_ON_LINE[i][bits]`: how many discs a move on place `i` of a line of eight turns if `bits` are the own
/// discs on that line and all other places but `i` hold the opponent's.
pub(crate) static TURNED_ON_LINE: [[u8; 256]; 8] = turned_on_line();

const fn steps(axis: usize, up: bool) -> (i32, i32) {
    let (row, column) = match axis {
        0 => (0, 1),
        1 => (1, -1),
        2 => (1, 0),
        _ => (1, 1),
    };
    if up { (row, column) } else { (-row, -column) }
}

const fn ray(square: usize, axis: usize, up: bool) -> u64 {
    let (row_step, column_step) = steps(axis, up);
    let mut row = (square / 8) as i32 + row_step;
    let mut column = (square % 8) as i32 + column_step;
    let mut set = 0;
    while row >= 0 && row < 8 && column >= 0 && column < 8 {
        set |= 1 << (8 * row + column);
        row += row_step;
        column += column_step;
    }
    set
}

const fn rays(up: bool) -> [[u64; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            table[square][axis] = ray(square, axis, up);
            axis += 1;
        }
        square += 1;
    }
    table
}

const fn lines() -> [[u64; 4]; 64] {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        let mut axis = 0;
        while axis < 4 {
            table[square][axis] = ray(square, axis, true) | ray(square, axis, false) | 1 << square;
            axis += 1;
        }
        square += 1;
    }
    table
}

const fn neighbours() -> [u64; 64] {
    let mut table = [0; 64];
    let mut square = 0;
    while square < 64 {
        let mut row = square as i32 / 8 - 1;
        while row <= square as i32 / 8 + 1 {
            let mut column = square as i32 % 8 - 1;
            while column <= square as i32 % 8 + 1 {
                let index = 8 * row + column;
                if row >= 0 && row < 8 && column >= 0 && column < 8 && index != square as i32 {
                    table[square] |= 1 << index;
                }
                column += 1;
            }
            row += 1;
        }
        square += 1;
    }
    table
}

const fn turned_on_line() -> [[u8; 256]; 8] {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            let mut above = place + 1;
            while above < 8 && own >> above & 1 == 0 {
                above += 1;
            }
            if above < 8 {
                table[place][own] += (above - place - 1) as u8;
            }
            let mut below = place as i32 - 1;
            while below >= 0 && own >> below & 1 == 0 {
                below -= 1;
            }
            if below >= 0 {
                table[place][own] += (place as i32 - below - 1) as u8;
            }
            own += 1;
        }
        place += 1;
    }
    table
}
