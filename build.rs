//! What the compiler does not see: migrations are embedded as they are, the page as a table of its files and their bundle.

use bundle::Bundle;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[path = "build/bundle.rs"]
mod bundle;

fn main() -> Result<(), Box<dyn Error>> {
    for input in ["build.rs", "build", "migrations", "web"] {
        println!("cargo::rerun-if-changed={input}");
    }
    let web = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("web");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    fs::create_dir_all(out.join("assets"))?;

    // Where a file lies, from the table's own place, and its compressed form.
    let mut files = BTreeMap::new();
    for file in files_below(&web)? {
        let path = file.strip_prefix(&web)?.display().to_string();
        let source = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), \"/web/{path}\")");
        files.insert(path, (source, "None".to_owned()));
    }
    let bundle = Bundle::of(&|path| {
        let text = fs::read_to_string(web.join(path));
        text.map_err(|error| format!("web/{path}: {error}"))
    })?;
    fs::write(out.join("index.html"), bundle.index)?;
    files.insert(
        "index.html".to_owned(),
        ("\"index.html\"".to_owned(), "None".to_owned()),
    );
    for (path, content) in bundle.assets {
        let mut encoder = GzEncoder::new(fs::File::create(out.join(format!("{path}.gz")))?, Compression::best());
        encoder.write_all(content.as_bytes())?;
        encoder.finish()?;
        fs::write(out.join(&path), content)?;
        let packed = format!("Some(include_bytes!(\"{path}.gz\"))");
        files.insert(path.clone(), (format!("\"{path}\""), packed));
    }
    let mut table = String::new();
    for (path, (content, gzip)) in files {
        table += &format!("File {{ path: \"{path}\", content: include_bytes!({content}), gzip: {gzip} }},\n");
    }
    Ok(fs::write(out.join("page.rs"), format!("[{table}]"))?)
}

fn files_below(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        match path.is_dir() {
            true => files.append(&mut files_below(&path)?),
            false => files.push(path),
        }
    }
    Ok(files)
}
