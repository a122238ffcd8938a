//! The files a browser loads: one style sheet, one script to begin with, one more for each part that is loaded when it is
//! needed. Made from `index.html` and what it names.

use super::module::Module;
use crate::http::etag;
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;

/// Reads a file of the page.
pub type Read<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Defines modules by name, runs each once, and fetches the parts that are loaded when needed.
const LOADER: &str = "const made=new Map(),makers=new Map();\n\
    const define=(entries)=>{for(const[name,make]of Object.entries(entries))if(!makers.has(name))makers.set(name,make)};\n\
    const use=(name)=>{if(!made.has(name))made.set(name,makers.get(name)(use,load));return made.get(name)};\n\
    const load=async(name)=>{if(!makers.has(name))define((await import(parts[name])).default);return use(name)};\n";

/// A file whose name holds its hash.
pub struct Asset {
    pub name: String,
    pub content: Bytes,
    pub gzip: Bytes,
}

/// The page as it is served.
pub struct Bundle {
    pub index: Bytes,
    /// By path without the leading slash.
    pub assets: BTreeMap<String, Asset>,
    /// Path and content of every file that was asked for.
    sources: BTreeMap<String, Option<String>>,
}

impl Bundle {
    /// Bundles what `index.html` names. What cannot be bundled is served as it is: the page then works, only slower.
    pub fn of(read: Read<'_>) -> Self {
        let mut bundle = Self {
            index: Bytes::new(),
            assets: BTreeMap::new(),
            sources: BTreeMap::new(),
        };
        let html = read("index.html").unwrap_or_default();
        bundle.sources.insert("index.html".to_owned(), Some(html.clone()));
        bundle.index = match bundle.rewrite(&html, read) {
            Ok(html) => html.into(),
            Err(error) => {
                tracing::error!(error, "The page is not bundled: {error}");
                html.into()
            }
        };
        bundle
    }

    /// Whether the files are still as they were.
    pub fn is_of(&self, read: Read<'_>) -> bool {
        self.sources.iter().all(|(path, content)| read(path) == *content)
    }

    /// `index.html` with the names of the bundle. Style sheets become one, in the place of the first.
    fn rewrite(&mut self, html: &str, read: Read<'_>) -> Result<String, String> {
        let mut styles = String::new();
        let mut entry = None;
        for line in html.lines() {
            match attribute(line, "href").filter(|_| line.contains("rel=\"stylesheet\"")) {
                Some(path) => styles.push_str(&without_comments(&self.source(path, read)?)),
                None if line.contains("<script") => entry = attribute(line, "src"),
                None => {}
            }
        }
        let style = self.add("app.css", &styles);
        let entry = entry.ok_or("index.html has no script")?.trim_start_matches('/');
        let parts = self.scripts(entry, read)?;
        let script = parts.get(entry).ok_or("the script was not bundled")?;

        let mut out = String::with_capacity(html.len());
        let mut is_styled = false;
        for line in html.lines() {
            let path = attribute(line, "href")
                .or_else(|| attribute(line, "src"))
                .unwrap_or_default();
            let line = if line.contains("rel=\"stylesheet\"") {
                if std::mem::replace(&mut is_styled, true) {
                    continue;
                }
                line.replace(path, &format!("/{style}"))
            } else if line.contains("<script") {
                line.replace(path, &format!("/{script}"))
            } else if let Some(part) = parts.get(path.trim_start_matches('/')) {
                line.replace(path, &format!("/{part}"))
            } else {
                line.to_owned()
            };
            out.push_str(&line);
            out.push('\n');
        }
        Ok(out)
    }

    /// Bundles the entry and every part; the names of the files by the module that each begins with.
    fn scripts(&mut self, entry: &str, read: Read<'_>) -> Result<BTreeMap<String, String>, String> {
        let mut modules = BTreeMap::new();
        let mut waiting = vec![entry.to_owned()];
        while let Some(path) = waiting.pop() {
            if modules.contains_key(&path) {
                continue;
            }
            let module = Module::parse(&path, &self.source(&path, read)?)?;
            waiting.extend(
                module
                    .imports
                    .iter()
                    .map(|(path, _)| path.clone())
                    .chain(module.loads.clone()),
            );
            modules.insert(path, module);
        }
        let at_first = reachable(entry, &modules);
        let loads: BTreeSet<&String> = modules.values().flat_map(|module| &module.loads).collect();
        let mut parts = BTreeMap::new();
        for part in loads {
            let needed: BTreeSet<_> = reachable(part, &modules).difference(&at_first).cloned().collect();
            let script = format!("export default {};\n", definitions(&needed, &modules));
            parts.insert(part.clone(), self.add(file_name(part), &script));
        }
        let table: Vec<_> = parts
            .iter()
            .map(|(name, path)| format!("\"{name}\":\"/{path}\""))
            .collect();
        let script = format!(
            "const parts={{{}}};\n{LOADER}define({});\nuse(\"{entry}\");\n",
            table.join(","),
            definitions(&at_first, &modules)
        );
        let path = self.add(file_name(entry), &script);
        parts.insert(entry.to_owned(), path);
        Ok(parts)
    }

    fn source(&mut self, path: &str, read: Read<'_>) -> Result<String, String> {
        let path = path.trim_start_matches('/');
        let source = read(path);
        self.sources.insert(path.to_owned(), source.clone());
        source.ok_or_else(|| format!("{path} is missing"))
    }

    /// Keeps a file; answers its path.
    fn add(&mut self, name: &str, content: &str) -> String {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "js"));
        let hash = etag::hash(content.as_bytes());
        let path = format!("assets/{stem}.{}.{extension}", &hash[..12]);
        let asset = Asset {
            name: name.to_owned(),
            content: Bytes::from(content.to_owned()),
            gzip: gzip(content.as_bytes()),
        };
        self.assets.insert(path.clone(), asset);
        path
    }
}

/// The module and everything it imports, and so on.
fn reachable(from: &str, modules: &BTreeMap<String, Module>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![from.to_owned()];
    while let Some(path) = waiting.pop() {
        if let Some(module) = modules.get(&path).filter(|_| found.insert(path.clone())) {
            waiting.extend(module.imports.iter().map(|(path, _)| path.clone()));
        }
    }
    found
}

fn definitions(paths: &BTreeSet<String>, modules: &BTreeMap<String, Module>) -> String {
    let factories: Vec<_> = paths
        .iter()
        .filter_map(|path| Some(format!("\"{path}\":{}", modules.get(path)?.factory())))
        .collect();
    format!("{{\n{}\n}}", factories.join(",\n"))
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn attribute<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split_once(&format!(" {name}=\""))?.1.split('"').next()
}

fn without_comments(css: &str) -> String {
    let mut out = String::with_capacity(css.len());
    let mut rest = css;
    while let Some((before, comment)) = rest.split_once("/*") {
        out.push_str(before);
        rest = comment.split_once("*/").map_or("", |(_, after)| after);
    }
    out.push_str(rest);
    let lines = out.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines: Vec<&str> = lines.collect();
    // Braces and semicolons need no line break after them.
    lines
        .join("\n")
        .replace(";\n", ";")
        .replace(" {\n", "{")
        .replace("}\n", "}")
        .replace(";}", "}")
}

fn gzip(content: &[u8]) -> Bytes {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(content);
    encoder.finish().unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "<head>\n<link rel=\"stylesheet\" href=\"/a.css\">\n<link rel=\"stylesheet\" href=\"/b.css\">\n\
        <link rel=\"prefetch\" href=\"/views/late.js\">\n<script type=\"module\" src=\"/app.js\"></script>\n</head>\n";

    fn files(late: &'static str) -> impl Fn(&str) -> Option<String> {
        move |path| {
            let text = match path {
                "index.html" => INDEX,
                "a.css" => "/* one */\na { color: red }\n",
                "b.css" => "b { color: blue }\n",
                "app.js" => "import { x } from \"./x.js\";\nx(() => import(\"./views/late.js\"));\n",
                "x.js" => "export const x = (f) => f();\n",
                "views/late.js" => late,
                _ => return None,
            };
            Some(text.to_owned())
        }
    }

    #[test]
    fn one_style_sheet_one_script_and_a_part() {
        let files = files("import { x } from \"../x.js\";\nexport const late = x;\n");
        let bundle = Bundle::of(&files);
        assert!(bundle.is_of(&files));
        let html = std::str::from_utf8(&bundle.index).expect("text");
        assert_eq!(html.matches("stylesheet").count(), 1, "{html}");
        let names: Vec<_> = bundle
            .assets
            .keys()
            .map(|path| path.split('.').next().expect("a name"))
            .collect();
        assert_eq!(names, ["assets/app", "assets/app", "assets/late"]);
        assert!(bundle.assets.keys().all(|path| html.contains(path.as_str())), "{html}");
        let content = |start: &str, end: &str| {
            let found = bundle
                .assets
                .iter()
                .find(|(path, _)| path.starts_with(start) && path.ends_with(end));
            String::from_utf8(found.expect("a file").1.content.to_vec()).expect("text")
        };
        assert_eq!(content("assets/app", ".css"), "a { color: red }b { color: blue }");
        let script = content("assets/app", ".js");
        assert!(
            script.contains("\"x.js\":(use,load)=>{") && script.contains("load(\"views/late.js\")"),
            "{script}"
        );
        let late = content("assets/late", ".js");
        assert!(
            late.starts_with("export default {") && !late.contains("\"x.js\":("),
            "what the entry has comes once: {late}"
        );
    }

    #[test]
    fn a_changed_file_changes_the_name_and_a_strange_one_leaves_the_page_as_it_is() {
        let before = Bundle::of(&files("export const late = 1;\n"));
        let after = Bundle::of(&files("export const late = 2;\n"));
        assert_ne!(before.index, after.index);
        assert!(!before.is_of(&files("export const late = 2;\n")));
        assert_eq!(Bundle::of(&files("export default 1;\n")).index, INDEX);
    }
}
