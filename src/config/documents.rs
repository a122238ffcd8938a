use clap::Args;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of all further fonts together: they stay in memory. Noto's Chinese, Japanese and Korean in one weight has 19 MB.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// `DOCUMENT_FONTS`.
#[derive(Debug, Clone, Args)]
pub struct DocumentsConfig {
    /// Folder of fonts (.ttf, .otf, .ttc) for scripts that the built-in ones lack, for PDFs
    #[arg(long = "document-fonts", env = "DOCUMENT_FONTS", value_parser = FontFolder::read)]
    pub fonts: Option<FontFolder>,
}

/// A folder of fonts, read when the program starts.
#[derive(Clone)]
pub struct FontFolder {
    path: PathBuf,
    files: Arc<[Arc<[u8]>]>,
}

impl FontFolder {
    /// Reads the fonts of a folder and of those in it, in the order of their names, so that each instance prints the same bytes.
    ///
    /// # Errors
    /// What is wrong with the folder.
    pub fn read(path: &str) -> Result<Self, String> {
        if path.trim().is_empty() {
            return Ok(Self {
                path: PathBuf::new(),
                files: Arc::default(),
            });
        }
        let mut found = Vec::new();
        find(Path::new(path), &mut found).map_err(|error| format!("cannot be read: {error}"))?;
        found.sort();
        if found.is_empty() {
            return Err("has no .ttf, .otf or .ttc file".to_owned());
        }
        let mut files = Vec::new();
        let mut left = MOST_BYTES;
        for file in found {
            let bytes = std::fs::read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            left = (left.checked_sub(bytes.len() as u64))
                .ok_or_else(|| format!("has more than {} MiB of fonts", MOST_BYTES >> 20))?;
            files.push(bytes.into());
        }
        Ok(Self {
            path: path.into(),
            files: files.into(),
        })
    }

    /// The files.
    pub fn files(&self) -> &[Arc<[u8]>] {
        &self.files
    }
}

fn find(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        // A link to a folder is not followed: it may lead to where it is.
        if entry.file_type()?.is_dir() {
            find(&entry.path(), found)?;
            continue;
        }
        let path = entry.path();
        let kind = path.extension().and_then(|kind| kind.to_str()).unwrap_or_default();
        if ["ttf", "otf", "ttc"]
            .iter()
            .any(|known| kind.eq_ignore_ascii_case(known))
        {
            found.push(path);
        }
    }
    Ok(())
}

impl fmt::Debug for FontFolder {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{} files of {}", self.files.len(), self.path.display())
    }
}

#[cfg(test)]
mod tests {
    use super::FontFolder;
    use std::fs;

    #[test]
    fn a_folder_of_fonts_is_read_in_order_and_anything_else_is_an_error() {
        let folder = std::env::temp_dir().join(format!("document-fonts-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder");
        let path = folder.to_str().expect("UTF-8");
        let refused = FontFolder::read(path).expect_err("empty");
        assert_eq!(refused, "has no .ttf, .otf or .ttc file");
        fs::create_dir_all(folder.join("b")).expect("a folder");
        for (name, text) in [("b/two.TTC", "2"), ("a.otf", "1"), ("b/readme.md", "3")] {
            fs::write(folder.join(name), text).expect("a file");
        }
        let read = FontFolder::read(path).expect("fonts");
        assert_eq!(read.files().iter().map(|file| file[0]).collect::<Vec<_>>(), *b"12");
        fs::remove_dir_all(&folder).expect("a folder");
        assert!(FontFolder::read(" ").expect("not set").files().is_empty());
        let absent = FontFolder::read("/nowhere").expect_err("absent");
        assert!(absent.starts_with("cannot be read: "), "{absent}");
    }
}
