//! Programs and weights by the hash of their bytes: put into the queue's object
//! store by whoever asks, fetched and checked by whoever works.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE;
use papan_arena::outside::{is_unpacked, unpack};
use serde::Deserialize;
use tokio::runtime::Handle;

use crate::coordinator::runtime;
use crate::link::{Link, LinkError, QueueOptions, Teller};
use crate::names::{BOTS, is_token};
use crate::streams::{Durability, patiently, set_up};
use crate::wire::hash;

/// Bytes of one thing at most.
const MOST: usize = 80 << 20;

/// Puts things into the object store of a queue, each once.
pub fn put_all(
    options: &QueueOptions,
    durability: Durability,
    things: &[Vec<u8>],
    tell: &Teller,
) -> Result<(), LinkError> {
    if things.is_empty() {
        return Ok(());
    }
    runtime()?.block_on(async {
        let link = Link::connect(options, "papan coordinator", tell).await?;
        patiently(|| put(&link, durability, things), tell).await
    })
}

async fn put(link: &Link, durability: Durability, things: &[Vec<u8>]) -> Result<(), LinkError> {
    set_up(&link.js, durability).await?;
    let unfit = |error: &dyn std::fmt::Display| LinkError::Unfit(format!("a program cannot be stored: {error}"));
    let store = link.js.get_object_store(BOTS).await.map_err(|error| unfit(&error))?;
    for thing in things {
        let name = hash(thing);
        if store.info(&name).await.is_ok_and(|info| !info.deleted) {
            continue;
        }
        store.put(name.as_str(), &mut thing.as_slice()).await.map_err(|error| unfit(&error))?;
    }
    Ok(())
}

/// What a worker has fetched, in a folder of its own.
pub struct Shelf {
    link: Link,
    runtime: Handle,
    folder: PathBuf,
    // Two lanes that want the same thing fetch it once.
    fetching: Mutex<()>,
}

impl Shelf {
    pub(crate) fn new(link: Link, runtime: Handle, folder: &Path) -> Self {
        Self { link, runtime, folder: folder.to_owned(), fetching: Mutex::new(()) }
    }

    /// The folder with a program's files. Waits for the network: not for async
    /// threads.
    ///
    /// # Errors
    /// If it is not in the store, or is not what its name says.
    pub fn program(&self, name: &str) -> Result<PathBuf, String> {
        if !name.bytes().all(|byte| byte.is_ascii_hexdigit()) || name.len() != 64 {
            return Err("a program whose name is no hash".to_owned());
        }
        let _alone = self.fetching.lock().map_err(|_| "another lane failed while it fetched a program".to_owned())?;
        let place = self.folder.join("bots").join(name);
        // What was kept is held against its hash each time that it is taken.
        let parcel = self.folder.join("bots").join(format!("{name}.parcel"));
        let kept = fs::read(&parcel).ok().filter(|bytes| hash(bytes) == name);
        let is_kept = kept.is_some();
        let bytes = kept.map_or_else(|| self.bytes(name), Ok)?;
        if is_kept && is_unpacked(&bytes, &place) {
            return Ok(place);
        }
        let beside = self.folder.join("bots").join(format!("{name}.{}.new", std::process::id()));
        let unpacked = || {
            let _ = fs::remove_dir_all(&beside);
            fs::create_dir_all(&beside)?;
            unpack(&bytes, &beside)?;
            let _ = fs::remove_dir_all(&place);
            fs::rename(&beside, &place)?;
            fs::write(&parcel, &bytes)
        };
        unpacked().map_err(|error| format!("program {}: {error}", &name[..12]))?;
        Ok(place)
    }

    /// The bytes of this hash. Waits for the network: not for async threads.
    ///
    /// # Errors
    /// If they are not in the store, or are not what their name says.
    pub fn bytes(&self, name: &str) -> Result<Vec<u8>, String> {
        let fetch = fetch(&self.link, name);
        let short = &name[..name.len().min(12)];
        let bytes = self.runtime.block_on(fetch).map_err(|error| format!("{short} cannot be fetched: {error}"))?;
        if hash(&bytes) != name {
            return Err(format!("{short} is not what its name says"));
        }
        Ok(bytes)
    }
}

/// What the store's own description of a thing says that matters here.
#[derive(Deserialize)]
struct Description {
    nuid: String,
    chunks: usize,
    size: usize,
    #[serde(default)]
    deleted: bool,
}

/// Reads a thing message by message. The usual way needs a consumer, and with
/// the right to make one a worker could have the server publish in its place.
async fn fetch(link: &Link, name: &str) -> Result<Vec<u8>, async_nats::Error> {
    let stream = link.js.get_stream(format!("OBJ_{BOTS}")).await?;
    let about = format!("$O.{BOTS}.M.{}", URL_SAFE.encode(name));
    let about = stream.get_last_raw_message_by_subject(&about).await?;
    let about: Description = serde_json::from_slice(&about.payload)?;
    if about.deleted || about.size > MOST || !is_token(&about.nuid) {
        return Err("it is not there, or too large".into());
    }
    let subject = format!("$O.{BOTS}.C.{}", about.nuid);
    let (mut bytes, mut next) = (Vec::with_capacity(about.size), 1);
    for _ in 0..about.chunks {
        let chunk = stream.raw_message_builder().sequence(next).next_by_subject(&subject).send().await?;
        next = chunk.sequence + 1;
        bytes.extend_from_slice(&chunk.payload);
        if bytes.len() > about.size {
            return Err("it is larger than it says".into());
        }
    }
    Ok(bytes)
}
