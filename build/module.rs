//! One ES module of the page, taken apart line by line. It knows the forms that `web/` uses and refuses every other, so
//! that a form it would misread never reaches a browser.

/// What a module imports and exports, and the rest of it.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Module {
    /// Path and names, `a` or `a as b`, in order.
    pub imports: Vec<(String, Vec<String>)>,
    /// Paths of modules that are loaded when needed.
    pub loads: Vec<String>,
    pub exports: Vec<String>,
    pub body: String,
}

impl Module {
    /// Reads the module at `path`, relative to the folder of the page.
    ///
    /// # Errors
    /// What it does not understand.
    pub(super) fn parse(path: &str, source: &str) -> Result<Self, String> {
        let mut module = Self {
            imports: Vec::new(),
            loads: Vec::new(),
            exports: Vec::new(),
            body: String::with_capacity(source.len()),
        };
        // Indentation is content inside a template literal of several lines, and only there.
        let is_flat = source.lines().all(|line| line.matches('`').count() % 2 == 0);
        let mut lines = source.lines();
        while let Some(line) = lines.next() {
            let start = line.trim_start();
            if start.starts_with("/*") {
                skip_comment(line, &mut lines);
            } else if start.starts_with("//") || start.is_empty() {
            } else if line.starts_with("import ") {
                let statement = whole_statement(line, &mut lines);
                module.imports.push(import(path, &statement)?);
            } else if let Some(declaration) = line.strip_prefix("export ") {
                module
                    .exports
                    .push(declared(declaration).ok_or_else(|| format!("{path}: {line}"))?);
                module.line(path, declaration)?;
            } else {
                module.line(path, if is_flat { start } else { line })?;
            }
        }
        Ok(module)
    }

    /// Keeps a line; a dynamic import in it becomes a call of `load` with the module's path.
    fn line(&mut self, path: &str, line: &str) -> Result<(), String> {
        let mut rest = line;
        while let Some((before, after)) = rest.split_once("import(\"") {
            let (target, after) = after.split_once("\")").ok_or_else(|| format!("{path}: {line}"))?;
            let target = resolve(path, target)?;
            self.body.push_str(before);
            self.body.push_str(&format!("load(\"{target}\")"));
            self.loads.push(target);
            rest = after;
        }
        self.body.push_str(rest);
        self.body.push('\n');
        Ok(())
    }

    /// The module as a function of `use`, which gives a module's exports, and `load`, which fetches them first.
    pub(super) fn factory(&self) -> String {
        let mut out = String::from("(use,load)=>{\n");
        for (path, names) in &self.imports {
            let names: Vec<_> = names.iter().map(|name| name.replace(" as ", ":")).collect();
            out.push_str(&format!("const{{{}}}=use(\"{path}\");\n", names.join(",")));
        }
        out.push_str(&self.body);
        out.push_str(&format!("return{{{}}};\n}}", self.exports.join(",")));
        out
    }
}

fn skip_comment<'a>(first: &'a str, lines: &mut impl Iterator<Item = &'a str>) {
    let mut line = Some(first);
    while line.is_some_and(|line| !line.contains("*/")) {
        line = lines.next();
    }
}

fn whole_statement<'a>(first: &str, lines: &mut impl Iterator<Item = &'a str>) -> String {
    let mut statement = first.to_owned();
    while !statement.contains(';') {
        let Some(line) = lines.next() else { break };
        statement.push(' ');
        statement.push_str(line.trim());
    }
    statement
}

/// `import { a, b as c } from "./x.js";`
fn import(path: &str, statement: &str) -> Result<(String, Vec<String>), String> {
    let odd = || format!("{path}: {statement}");
    let rest = statement.strip_prefix("import {").ok_or_else(odd)?;
    let (names, rest) = rest.split_once('}').ok_or_else(odd)?;
    let target = rest
        .trim()
        .strip_prefix("from \"")
        .and_then(|rest| rest.strip_suffix("\";"));
    let names = names.split(',').map(str::trim).filter(|name| !name.is_empty());
    Ok((
        resolve(path, target.ok_or_else(odd)?)?,
        names.map(str::to_owned).collect(),
    ))
}

/// The name that a declaration behind `export` gives.
fn declared(declaration: &str) -> Option<String> {
    let rest = [
        "async function* ",
        "async function ",
        "function* ",
        "function ",
        "class ",
        "const ",
    ]
    .iter()
    .find_map(|keyword| declaration.strip_prefix(keyword))?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))?;
    (end > 0).then(|| rest[..end].to_owned())
}

/// The path of what a module calls `./x.js` or `../x.js`.
fn resolve(path: &str, target: &str) -> Result<String, String> {
    let mut folders: Vec<&str> = path.split('/').collect();
    folders.pop();
    for part in target.split('/') {
        match part {
            "." => {}
            ".." => {
                folders.pop().ok_or_else(|| format!("{path}: {target}"))?;
            }
            name => folders.push(name),
        }
    }
    if target.starts_with('.') {
        Ok(folders.join("/"))
    } else {
        Err(format!("{path}: {target} is no path of the page"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_becomes_a_function() {
        let source = "/**\n * What it is for.\n */\nimport { h, put as place } from \"../dom.js\";\nimport {\n  one,\n  two,\n} from \"./x.js\";\n\n\
            // why\nexport const LIMIT = 7;\n\nexport class View {\n  // inside\n  show() { return h(\"p\", {}, \"a // b\"); }\n}\n\n\
            export async function later() {\n  return (await import(\"./print.js\")).print;\n}\n";
        let module = Module::parse("views/a.js", source).expect("understood");
        assert_eq!(module.exports, ["LIMIT", "View", "later"]);
        assert_eq!(module.loads, ["views/print.js"]);
        let expected = "(use,load)=>{\nconst{h,put:place}=use(\"dom.js\");\nconst{one,two}=use(\"views/x.js\");\nconst LIMIT = 7;\nclass View {\n\
            show() { return h(\"p\", {}, \"a // b\"); }\n}\nasync function later() {\nreturn (await load(\"views/print.js\")).print;\n}\n\
            return{LIMIT,View,later};\n}";
        assert_eq!(module.factory(), expected);
    }

    #[test]
    fn other_forms_are_refused() {
        for source in [
            "import x from \"./x.js\";",
            "import * as x from \"./x.js\";",
            "import { x } from \"lodash\";",
            "export default 1;",
            "export { x };",
            "export let x = 1;",
            "import { x } from \"../../x.js\";",
        ] {
            assert!(Module::parse("a.js", source).is_err(), "{source}");
        }
    }
}
