//! Programs that attack those who watch them: what the arena counts by, waits
//! for and reads.

use super::hostile::assert_memory_bound;
use super::*;

/// A name that is no text must hide nothing.
#[test]
fn memory_of_processes_with_unreadable_names_counts() {
    assert_memory_bound("unreadable_name");
}

#[test]
fn memory_in_page_tables_counts() {
    assert_memory_bound("empty_pages");
}

/// Counting pages that many share takes long: nobody takes more meanwhile.
#[test]
fn memory_is_counted_in_time_however_long_that_takes() {
    assert_memory_bound("crowd");
}

#[test]
fn endless_remarks_before_a_request_are_cut_off() {
    let mut bad = Bad::new("floods_info.py");
    bad.form = None;
    assert_lost(&bad.play(&bad.rules()), Verdict::OutputLimit);
}

/// The arena waits ten seconds for a supervisor that does not end.
#[test]
fn a_bot_that_keeps_its_input_open_holds_nobody_up() {
    let bad = Bad::new("keeps_its_input.py");
    let started = Instant::now();
    let record = bad.play(&bad.rules());
    assert_eq!(record.verdict, Verdict::Finished, "{:?}", record.faults);
    assert!(started.elapsed() < Duration::from_secs(9), "{:?} {}", started.elapsed(), bad.stderr());
}

/// At any level, a name that is no text must save nobody.
#[test]
fn a_daemon_with_an_unreadable_name_does_not_survive() {
    for sandbox in
        [Sandbox::off(launcher()), Sandbox::find_with(launcher(), ResourceLimits::default(), Wanted::Nothing).unwrap()]
    {
        let bad = Bad { argument: "unreadable".to_owned(), ..Bad::new("daemonises.py") };
        let record = play(&mut Player::outside("bad", bad.program_in(Arc::new(sandbox))), &bad.rules());
        assert_lost(&record, Verdict::Crash);
        bad.assert_nothing_left();
    }
}
