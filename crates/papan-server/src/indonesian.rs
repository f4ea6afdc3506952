//! What is wrong with a text, in Indonesian: the lines of [`ParseError`] are
//! made of few sentences, which this is the phrase book of. What it lacks is
//! said in English.
//!
//! [`ParseError`]: papan_core::ParseError

/// Between what was found and what should be there.
const EXPECTED: &str = ", expected ";

/// A sentence with `{}` for what varies, and its translation with the same
/// slots in the same order. More particular ones stand first.
type Phrase = (&'static str, &'static str);

const FOUND: &[Phrase] = &[
    ("{} is not legal here; the game is over", "{} tidak boleh di sini; permainan sudah selesai"),
    ("{} is not legal here; legal: {}", "{} tidak boleh di sini; yang boleh: {}"),
    ("{} is not a game; there are {}", "{} bukan permainan; yang ada: {}"),
    ("{} is not a bot for {}; there are {}", "{} bukan bot untuk {}; yang ada: {}"),
    ("{} plays only {}, and this is {}", "{} hanya memainkan {}, sedangkan ini {}"),
    ("{} has no option {}; it has none", "{} tidak punya pilihan {}; memang tidak ada pilihannya"),
    ("{} has no option {}; it has {}", "{} tidak punya pilihan {}; yang ada: {}"),
    ("option {} is given twice", "pilihan {} disebut dua kali"),
    ("option {} has no value", "pilihan {} tidak ada nilainya"),
    ("option {} is {}", "pilihan {} bernilai {}"),
    ("nothing is given", "tidak ada isinya"),
    ("the side to move is missing", "gilirannya belum disebut"),
    ("the size is missing", "ukurannya belum disebut"),
    ("the field of horizontal lines is missing", "garis mendatarnya belum ada"),
    ("the field of vertical lines is missing", "garis tegaknya belum ada"),
    ("the count of boxes is missing", "jumlah kotaknya belum ada"),
    ("there is {} after the side to move", "ada {} setelah giliran"),
    ("there is {} after the sixth field", "ada {} setelah bagian keenam"),
    ("both players have {} in a row", "kedua pemain punya {} sebaris"),
    ("the side to move is {}", "gilirannya {}"),
    ("side to move is {}", "gilirannya {}"),
    ("the side is {}", "gilirannya {}"),
    ("the board has {} rows", "papan punya {} baris"),
    ("the board has {} cells", "papan punya {} petak"),
    ("row {} has {} cells", "baris {} punya {} petak"),
    ("cell {} is {}", "petak {} berisi {}"),
    ("{} cells", "ada {} petak"),
    ("{} is no cell", "{} bukan petak"),
    ("{} is not a cell", "{} bukan petak"),
    ("{} is not a square", "{} bukan petak"),
    ("{} is no line", "{} bukan garis"),
    ("{} is not on the board", "{} tidak ada di papan"),
    ("rounds left are {}", "sisa rondenya {}"),
    ("after {} cells stands {}", "setelah {} petak ada {}"),
    ("move {} of the transcript is {}, which is not legal there", "langkah {} transkrip, {}, tidak boleh di sana"),
    ("the position is {}, but the game is {}", "posisinya {}, tetapi permainannya {}"),
    ("the size is {}", "ukurannya {}"),
    ("there are {} horizontal lines", "ada {} garis mendatar"),
    ("there are {} vertical lines", "ada {} garis tegak"),
    ("horizontal line {} is {}", "garis mendatar {} tertulis {}"),
    ("vertical line {} is {}", "garis tegak {} tertulis {}"),
    ("the boxes are {}, but {} are completed", "kotaknya {}, tetapi yang lengkap {}"),
    ("the boxes are {}", "kotaknya {}"),
    ("there are {} box owners", "ada {} pemilik kotak"),
    ("the owner of box {} is {}", "pemilik kotak {} tertulis {}"),
    ("box {} has an owner but is not completed", "kotak {} punya pemilik tetapi belum lengkap"),
    ("{} owns {} boxes", "{} memiliki {} kotak"),
    ("nothing can be put at {}", "tidak ada yang bisa ditaruh di {}"),
    ("a cell is empty or belongs to a player", "petak itu kosong atau milik seorang pemain"),
    (
        "this line of the border is drawn in every game of this kind",
        "garis tepi ini selalu ada dalam permainan macam ini",
    ),
    ("a line is drawn or not, it is nobody's", "garis hanya ada atau tidak, bukan milik siapa pun"),
    ("this box is open; draw its lines first", "kotak ini terbuka; tarik dahulu garis-garisnya"),
    ("a complete box belongs to a player", "kotak yang lengkap milik seorang pemain"),
    (
        "this box was complete before the game, it is nobody's",
        "kotak ini lengkap sebelum permainan, bukan milik siapa pun",
    ),
    ("an X stands beside an O", "ada X di sebelah O"),
    ("expected 64 cells, the side to move and the rounds left", "seharusnya 64 petak, giliran, dan sisa ronde"),
];

const WANTED: &[Phrase] = &[
    ("nothing", "tidak ada apa-apa"),
    ("at most one", "paling banyak satu"),
    ("at most {}", "paling banyak {}"),
    ("the side X or O", "giliran X atau O"),
    ("X or O after the board", "X atau O setelah papan"),
    ("rows such as {} and a side", "baris seperti {} dan giliran"),
    ("rows and columns of boxes such as {}", "baris dan kolom kotak seperti {}"),
    (
        "two neighbouring dots such as {}, or h or v, a row and a column such as {}",
        "dua titik bertetangga seperti {}, atau h atau v, baris, dan kolom seperti {}",
    ),
    ("boxes of 1 and 2 such as {}", "kotak milik 1 dan 2 seperti {}"),
    ("numbers that add up to {}", "angka yang jumlahnya {}"),
    ("{} digits of 0 and 1", "{} angka 0 dan 1"),
    ("{} ({} rows of {})", "{} ({} baris berisi {})"),
    ("a time such as {} or {}", "waktu seperti {} atau {}"),
    ("{} or more", "{} atau lebih"),
    ("{} to {} or pass", "{} sampai {} atau pass"),
    ("{} to {}", "{} sampai {}"),
    ("{} or {}", "{} atau {}"),
];

/// `message` in Indonesian.
pub(crate) fn translated(message: &str) -> String {
    // A line within a line.
    if let Some((number, inner)) = message.split_once(" of the transcript cannot be read: ") {
        let number = number.trim_start_matches("move ");
        return format!("langkah {number} transkrip tidak terbaca: {}", translated(inner));
    }
    if let Some((number, rest)) = message.strip_prefix("move ").and_then(|rest| rest.split_once(" is '"))
        && let Some((word, inner)) = rest.split_once("': ")
    {
        return format!("langkah {number}, '{word}': {}", translated(inner));
    }
    if let Some(whole) = look_up(FOUND, message) {
        return whole;
    }
    let Some((found, wanted)) = message.rsplit_once(EXPECTED) else { return message.to_owned() };
    let found = look_up(FOUND, found).unwrap_or_else(|| found.to_owned());
    let wanted = look_up(WANTED, wanted).unwrap_or_else(|| wanted.to_owned());
    format!("{found}, seharusnya {wanted}")
}

/// What stands in the slots of the first phrase that fits, in its
/// translation. A fit with "expected" in a slot is two sentences, not one.
fn look_up(book: &[Phrase], text: &str) -> Option<String> {
    book.iter().find_map(|(sentence, translation)| {
        let slots = slots(sentence, text)?;
        if slots.iter().any(|slot| slot.contains(EXPECTED)) {
            return None;
        }
        let mut parts = translation.split("{}");
        let first = parts.next().unwrap_or_default().to_owned();
        Some(parts.zip(slots).fold(first, |line, (part, slot)| line + slot + part))
    })
}

/// What stands for each `{}` of `pattern` in `text`, `None` if it does not fit.
fn slots<'a>(pattern: &str, text: &'a str) -> Option<Vec<&'a str>> {
    let mut literals = pattern.split("{}");
    let mut rest = text.strip_prefix(literals.next()?)?;
    let literals: Vec<_> = literals.collect();
    let mut slots = Vec::with_capacity(literals.len());
    for (number, literal) in literals.iter().enumerate() {
        let last = number + 1 == literals.len();
        let end = if last { rest.strip_suffix(literal)?.len() } else { rest.find(literal)? };
        slots.push(&rest[..end]);
        rest = &rest[end + literal.len()..];
    }
    rest.is_empty().then_some(slots)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::roster;

    #[test]
    fn sentences_are_put_together_again() {
        for (en, id) in [
            ("b2 is not legal here; legal: a1, c3", "b2 tidak boleh di sini; yang boleh: a1, c3"),
            ("cell b2 is 'Q', expected . X O", "petak b2 berisi 'Q', seharusnya . X O"),
            ("'e1' is no cell, expected a1 to d3", "'e1' bukan petak, seharusnya a1 sampai d3"),
            (
                "both players have 3 in a row, expected at most one",
                "kedua pemain punya 3 sebaris, seharusnya paling banyak satu",
            ),
            ("the board has 5 cells, expected 9 (3 rows of 3)", "papan punya 5 petak, seharusnya 9 (3 baris berisi 3)"),
            (
                "move 3 is 'a1': a1 is not legal here; legal: b1, c1",
                "langkah 3, 'a1': a1 tidak boleh di sini; yang boleh: b1, c1",
            ),
            (
                "move 1 is 'zz': 'zz' is no line, expected two neighbouring dots such as c1-d1, or h or v, a row and a column such as h0,2",
                "langkah 1, 'zz': 'zz' bukan garis, seharusnya dua titik bertetangga seperti c1-d1, atau h atau v, baris, dan kolom seperti h0,2",
            ),
            ("something new", "something new"),
            ("", ""),
        ] {
            assert_eq!(translated(en), id);
        }
    }

    #[test]
    fn slots_of_a_phrase_and_of_its_translation_are_as_many() {
        for (en, id) in FOUND.iter().chain(WANTED) {
            assert_eq!(en.matches("{}").count(), id.matches("{}").count(), "{en}");
        }
    }

    /// What people get wrong, in every game.
    #[test]
    fn no_english_is_left() {
        let positions = [
            (
                "tic-tac-toe",
                ["", "X", "X.O/.X./..O Q", "X.O/.Q./..O X", "X.O/.X. X", "XXX/.../OOO X", "X.O/.X./..O X 3", "a1 a1"],
            ),
            ("adjacency", ["", "X", "X.O X 8", "Q X 8", "... Z 8", ". X 99", "X X X", "b2 zz"]),
            (
                "dots-and-boxes",
                [
                    "",
                    "abc",
                    "3x3",
                    "3x3 0 0 1 0-0",
                    "2x2 000000 002000 1 0-0",
                    "2x2 000000 000000 3 0-0",
                    "2x2 000000 000000 1 0+0",
                    "h0,0 zz",
                ],
            ),
            ("othello", ["", "X", "f5f5", "q9", "f5q9", "--- X", "QQQ X", "f5 d6 a1"]),
        ];
        let english = ["expected", " is ", " the ", "there ", " are ", "missing"];
        for (game, texts) in positions {
            for text in texts {
                let Err(error) = roster::table(game, Some(text)) else { continue };
                let line = translated(error.message());
                assert!(!english.iter().any(|word| line.contains(word)), "{game} {text}: {line}");
            }
            let mut table = roster::table(game, None).unwrap();
            for mv in ["zebra", "a1", "h9,9", "h8", ""] {
                let Err(error) = table.play(mv) else { continue };
                let line = translated(error.message());
                assert!(!english.iter().any(|word| line.contains(word)), "{game} {mv}: {line}");
            }
        }
        for spec in [
            "chess",
            "othello:size=7",
            "othello:zebra=1",
            "othello:size",
            "othello:size=8,size=8",
            "tic-tac-toe:rows=99",
        ] {
            let error = roster::table(spec, None).err().unwrap();
            let line = translated(error.message());
            assert!(!english.iter().any(|word| line.contains(word)), "{spec}: {line}");
        }
    }
}
