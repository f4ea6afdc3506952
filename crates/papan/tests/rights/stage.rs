//! Folders with bots in them, and papan run as one user or another.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that every user may use, gone when dropped.
pub(crate) struct Stage(pub(crate) PathBuf);

impl Stage {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("papan-rights-{}-{number}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        let stage = Self(fs::canonicalize(path).unwrap());
        stage.open("");
        stage
    }

    fn open(&self, name: &str) {
        fs::set_permissions(self.0.join(name), fs::Permissions::from_mode(0o777)).unwrap();
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file, with folders that everyone may use.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        let parts: Vec<&str> = name.split('/').collect();
        for depth in 1..parts.len() {
            let folder = parts[..depth].join("/");
            fs::create_dir_all(self.0.join(&folder)).unwrap();
            self.open(&folder);
        }
        fs::write(self.0.join(name), text).unwrap();
        fs::set_permissions(self.0.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        self.path(name)
    }

    /// The Python starter, which plays every game, after some words of its own.
    pub(crate) fn bot(&self, name: &str, first: &str) -> String {
        let starter = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/bots/starter.py");
        self.file(name, &format!("{first}\n{}", fs::read_to_string(starter).unwrap()))
    }

    /// A bot that tries to read each of these files and says on its standard
    /// error which it could.
    pub(crate) fn spy(&self, name: &str, files: &[String]) -> String {
        let code = format!(
            "import sys\nfor path in {files:?}:\n    try:\n        open(path).read(1)\n        said = 'READ '\n    \
             except OSError:\n        said = 'SHUT '\n    print(said + path, file=sys.stderr, flush=True)\n"
        );
        self.bot(name, &code)
    }

    /// Everything that bots said into the files of a folder.
    pub(crate) fn said(&self, folder: &str) -> String {
        let entries = fs::read_dir(self.0.join(folder)).into_iter().flatten().flatten();
        entries.filter_map(|entry| fs::read_to_string(entry.path()).ok()).collect()
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Who runs papan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum User {
    Own,
    Ordinary,
}

impl User {
    /// Whoever runs the tests; if that is root, an ordinary user too.
    pub(crate) fn all() -> Vec<Self> {
        let root = fs::metadata("/proc/self").is_ok_and(|data| std::os::unix::fs::MetadataExt::uid(&data) == 0);
        if root { vec![Self::Own, Self::Ordinary] } else { vec![Self::Own] }
    }

    /// Runs papan with `home` as the home folder.
    pub(crate) fn papan(self, home: &str, arguments: &[&str]) -> Output {
        let program = env!("CARGO_BIN_EXE_papan");
        let mut command = match self {
            Self::Own => Command::new(program),
            Self::Ordinary => {
                // The folder of the tests' programs may be closed to others.
                let copy = ordinary_program(program);
                let mut command = Command::new("setpriv");
                command.args(["--reuid", "65534", "--regid", "65534", "--clear-groups"]).arg(copy);
                command
            }
        };
        command.env("HOME", home).args(arguments).output().expect("papan starts")
    }
}

/// A copy of the program that everyone can run, made once for all tests.
fn ordinary_program(program: &str) -> PathBuf {
    use std::sync::OnceLock;
    struct Copy(PathBuf);
    static COPY: OnceLock<Copy> = OnceLock::new();
    let open = Path::new(program)
        .ancestors()
        .all(|part| fs::metadata(part).is_ok_and(|data| data.permissions().mode() & 0o001 != 0));
    if open {
        return program.into();
    }
    let copy = COPY.get_or_init(|| {
        let path = std::env::temp_dir().join("papan-rights-program");
        fs::copy(program, &path).unwrap();
        Copy(path)
    });
    copy.0.clone()
}

pub(crate) fn text(output: &Output) -> (String, String) {
    (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
}
