//! The files a browser loads: one style sheet, one script to begin with, one more for each part that is loaded when it is
//! needed. Made from `index.html` and what it names.

use module::Module;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hasher};

mod module;

/// Reads a file of the page, or says why it cannot.
pub(super) type Read<'a> = &'a dyn Fn(&str) -> Result<String, String>;

/// Defines modules by name, runs each once, and fetches the parts that are loaded when needed.
const LOADER: &str = "const made=new Map(),makers=new Map();\n\
    const define=(entries)=>{for(const[name,make]of Object.entries(entries))if(!makers.has(name))makers.set(name,make)};\n\
    const use=(name)=>{if(!made.has(name))made.set(name,makers.get(name)(use,load));return made.get(name)};\n\
    const load=async(name)=>{if(!makers.has(name))define((await import(parts[name])).default);return use(name)};\n";

/// The page as it is served.
pub(super) struct Bundle {
    pub index: String,
    /// Contents by path, without the leading slash. Each path holds the hash of its content.
    pub assets: BTreeMap<String, String>,
}

impl Bundle {
    /// Bundles what `index.html` names.
    ///
    /// # Errors
    /// A file that is missing or that it does not understand.
    pub(super) fn of(read: Read<'_>) -> Result<Self, String> {
        let mut bundle = Self {
            index: String::new(),
            assets: BTreeMap::new(),
        };
        bundle.index = bundle.rewrite(&read("index.html")?, read)?;
        Ok(bundle)
    }

    /// `index.html` with the names of the bundle. Style sheets become one, in the place of the first.
    fn rewrite(&mut self, html: &str, read: Read<'_>) -> Result<String, String> {
        let mut styles = String::new();
        let mut entry = None;
        for line in html.lines() {
            match attribute(line, "href").filter(|_| line.contains("rel=\"stylesheet\"")) {
                Some(path) => styles.push_str(&without_comments(&read(path.trim_start_matches('/'))?)),
                None if line.contains("<script") => entry = attribute(line, "src"),
                None => {}
            }
        }
        let style = self.add("app.css", &styles);
        let entry = entry.ok_or("index.html has no script")?.trim_start_matches('/');
        let parts = self.scripts(entry, read)?;

        let mut out = String::with_capacity(html.len());
        let mut is_styled = false;
        for line in html.lines() {
            let path = attribute(line, "href")
                .or_else(|| attribute(line, "src"))
                .unwrap_or_default();
            let made = match line.contains("rel=\"stylesheet\"") {
                true if std::mem::replace(&mut is_styled, true) => continue,
                true => Some(&style),
                false => parts.get(path.trim_start_matches('/')),
            };
            match made {
                Some(made) => out.push_str(&line.replace(path, &format!("/{made}"))),
                None => out.push_str(line),
            }
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
            let module = Module::parse(&path, &read(&path)?)?;
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

    /// Keeps a file; answers its path.
    fn add(&mut self, name: &str, content: &str) -> String {
        let (stem, extension) = name.rsplit_once('.').unwrap_or((name, "js"));
        let mut hasher = DefaultHasher::new();
        hasher.write(content.as_bytes());
        let path = format!("assets/{stem}.{:016x}.{extension}", hasher.finish());
        self.assets.insert(path.clone(), content.to_owned());
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

#[cfg(test)]
mod tests {
    use super::*;

    const INDEX: &str = "<head>\n<link rel=\"stylesheet\" href=\"/a.css\">\n<link rel=\"stylesheet\" href=\"/b.css\">\n\
        <link rel=\"prefetch\" href=\"/views/late.js\">\n<script type=\"module\" src=\"/app.js\"></script>\n</head>\n";

    fn files(late: &'static str) -> impl Fn(&str) -> Result<String, String> {
        move |path| {
            let text = match path {
                "index.html" => INDEX,
                "a.css" => "/* one */\na { color: red }\n",
                "b.css" => "b { color: blue }\n",
                "app.js" => "import { x } from \"./x.js\";\nx(() => import(\"./views/late.js\"));\n",
                "x.js" => "export const x = (f) => f();\n",
                "views/late.js" => late,
                _ => return Err(path.to_owned()),
            };
            Ok(text.to_owned())
        }
    }

    #[test]
    fn one_style_sheet_one_script_and_a_part() {
        let files = files("import { x } from \"../x.js\";\nexport const late = x;\n");
        let bundle = Bundle::of(&files).expect("bundled");
        let html = &bundle.index;
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
            found.expect("a file").1.as_str()
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
    fn a_changed_file_changes_the_name_and_a_strange_or_missing_one_is_an_error() {
        let index = |late| Bundle::of(&files(late)).map(|bundle| bundle.index);
        let before = index("export const late = 1;\n").expect("bundled");
        assert_ne!(index("export const late = 2;\n"), Ok(before));
        assert_eq!(
            index("export default 1;\n"),
            Err("views/late.js: export default 1;".to_owned())
        );
        assert_eq!(index("import { y } from \"./y.js\";\n"), Err("views/y.js".to_owned()));
    }
}
