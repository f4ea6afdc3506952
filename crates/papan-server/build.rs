//! Puts the built page, with compressed twins of each file, where the crate
//! embeds it from.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What is shown when the page was never built.
const NO_PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Papan</title>\
<h1>Papan</h1><p>The server runs, but it was built without its page: <code>web/dist</code> was missing. \
The API is at <a href=\"/api/openapi.json\">/api/openapi.json</a>.</p></html>\n";

/// Smaller files gain nothing from compression.
const WORTH_COMPRESSING: usize = 512;

fn main() -> io::Result<()> {
    let manifest = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let source = manifest.join("../../web/dist");
    let target = PathBuf::from(std::env::var("OUT_DIR").expect("cargo sets it")).join("page");
    println!("cargo:rerun-if-changed=build.rs");
    // Cargo looks at a whole folder; while it is missing, at its parent's
    // coming and going.
    println!("cargo:rerun-if-changed={}", source.display());
    if target.exists() {
        fs::remove_dir_all(&target)?;
    }
    fs::create_dir_all(&target)?;
    if source.join("index.html").exists() {
        copy_folder(&source, &target)
    } else {
        put(&target.join("index.html"), NO_PAGE.as_bytes())
    }
}

fn copy_folder(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            copy_folder(&entry.path(), &target)?;
        } else {
            put(&target, &fs::read(entry.path())?)?;
        }
    }
    Ok(())
}

/// Writes a file and, where they are smaller, its compressed twins.
fn put(path: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(path, bytes)?;
    if bytes.len() < WORTH_COMPRESSING {
        return Ok(());
    }
    for (ending, compressed) in [("br", brotli(bytes)?), ("gz", gzip(bytes)?)] {
        if compressed.len() < bytes.len() {
            let mut name = path.as_os_str().to_owned();
            name.push(".");
            name.push(ending);
            fs::write(name, compressed)?;
        }
    }
    Ok(())
}

fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut compressed = Vec::new();
    // Quality 9 is within a few per cent of 11 and many times faster.
    let parameters = brotli::enc::BrotliEncoderParams { quality: 9, ..Default::default() };
    brotli::BrotliCompress(&mut &bytes[..], &mut compressed, &parameters)?;
    Ok(compressed)
}
