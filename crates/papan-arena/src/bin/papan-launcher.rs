//! The sandbox's launcher as a program of its own, for tests and benchmarks of
//! this crate; the `papan` command has the same behind a hidden command.

fn main() {
    #[cfg(target_os = "linux")]
    {
        let arguments: Vec<String> = std::env::args().skip(1).collect();
        std::process::exit(papan_arena::sandbox::launcher::main(&arguments));
    }
}
