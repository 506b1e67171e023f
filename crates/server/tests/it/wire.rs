//! The generated TypeScript is what the types say.

use std::{fs, path::Path};

#[test]
fn the_typescript_is_fresh() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/api/wire.ts");
    let fresh = server::wire::declarations();
    if std::env::var_os("KIBITZ_UPDATE").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, &fresh).unwrap();
    }
    let stored = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        stored == fresh,
        "web/src/api/wire.ts is stale; run `KIBITZ_UPDATE=1 cargo test -p server wire`"
    );
}
