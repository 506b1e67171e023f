//! Says where the page is: `web/dist` if the page was built, else a page that says how to.

use std::{env, fs, path::Path};

const MISSING: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Kibitz</title>
<h1>Kibitz is running, but its page was not built</h1>
<p>Stop it, then run <code>cargo xtask run</code>, which builds the page and the program (it needs
Node), or run <code>npm install</code> and <code>npm run build</code> in <code>web/</code> and build the
program again.</p>
</html>
";

fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let built = Path::new(&manifest).join("../../web/dist");
    println!("cargo::rerun-if-changed={}", built.display());
    let folder = if built.join("index.html").exists() {
        built.canonicalize().expect("it exists")
    } else {
        let out = env::var("OUT_DIR").expect("cargo sets it");
        let folder = Path::new(&out).join("page");
        fs::create_dir_all(&folder).expect("cargo's own folder can be written to");
        fs::write(folder.join("index.html"), MISSING).expect("so can files in it");
        folder
    };
    println!("cargo::rustc-env=KIBITZ_WEB_DIST={}", folder.display());
}
