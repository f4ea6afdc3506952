//! Any bytes as what comes from the queue: runs, jobs, results, packed
//! programs. What is read and written again reads the same.
//! Run: cargo xtask fuzz queue

#![no_main]

use std::fmt::Debug;
use std::{env, fs, process};

use libfuzzer_sys::fuzz_target;
use papan_arena::outside::unpack;
use papan_fuzz::{check_line, choice};
use papan_nats::fuzzing::{report, run, task};
use serde::Serialize;

fuzz_target!(|data: &[u8]| {
    let (kind, bytes) = choice(data);
    let subject = format!("papan.jobs.run.{}", own("id", bytes));
    let answered = format!("papan.results.{}.run.{}", own("worker", bytes), own("id", bytes));
    match kind % 4 {
        0 => check(run, bytes),
        1 => check(|bytes| task(&subject, bytes, None), bytes),
        2 => check(|bytes| report(&answered, bytes, None), bytes),
        _ => check_parcel(bytes),
    }
});

/// What a message calls itself: a stranger would publish it under that.
fn own(field: &str, bytes: &[u8]) -> String {
    let value: Option<serde_json::Value> = serde_json::from_slice(bytes).ok();
    value.and_then(|value| Some(value.get(field)?.as_str()?.to_owned())).unwrap_or_default()
}

fn check<T: Serialize + PartialEq + Debug>(read: impl Fn(&[u8]) -> Result<T, String>, bytes: &[u8]) {
    match read(bytes) {
        Ok(form) => {
            let written = serde_json::to_vec(&form).expect("plain data");
            assert_eq!(read(&written).as_ref(), Ok(&form));
        }
        Err(reason) => check_line(&reason),
    }
}

fn check_parcel(bytes: &[u8]) {
    let folder = env::temp_dir().join(format!("papan-fuzz-{}", process::id()));
    let inside = folder.join("inside");
    fs::create_dir_all(&inside).expect("a folder of one's own");
    let _ = unpack(bytes, &inside);
    assert_eq!(fs::read_dir(&folder).expect("it is there").count(), 1, "something lies outside the folder");
    fs::remove_dir_all(&folder).expect("it is ours");
}
