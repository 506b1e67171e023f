//! The server as a process: how it ends.

use crate::{Conversation, program, scratch};

/// Starts a server in a folder of its own and waits until it has printed its address.
#[cfg(unix)]
fn serving(name: &str) -> (Conversation, String, std::path::PathBuf) {
    let home = scratch(name);
    let shown = home.to_str().expect("a path of ours");
    let mut server = Conversation::start(&["serve", "--no-open", "--port", "0", "--home", shown]);
    let address = server.hear();
    (server, address, home)
}

#[cfg(unix)]
#[test]
fn a_closed_terminal_ends_the_server_in_peace() {
    for signal in ["-HUP", "-TERM", "-INT"] {
        let (mut server, address, home) = serving("hang-up");
        assert!(address.contains("/#code="), "{address}");
        assert!(home.join("server.json").exists());
        let id = server.child.id().to_string();
        #[expect(clippy::disallowed_methods, reason = "the signal of a closed terminal")]
        let sent = std::process::Command::new("kill")
            .args([signal, &id])
            .status();
        assert!(sent.expect("every Unix has kill").success());
        let status = server.child.wait().expect("it is ours");
        assert_eq!(status.code(), Some(0), "{signal}: {status}");
        assert!(!home.join("server.json").exists(), "{signal}");
    }
}

#[cfg(unix)]
#[test]
fn a_second_start_prints_an_address_of_the_first() {
    let (mut server, first, home) = serving("second-start");
    let shown = home.to_str().expect("a path of ours");
    let again = program()
        .args(["serve", "--no-open", "--home", shown])
        .output()
        .expect("the program was built for this test");
    let second = String::from_utf8(again.stdout).expect("an address");
    let origin = |address: &str| address.split('#').next().map(str::to_owned);
    assert_eq!(origin(&second), origin(&first));
    assert_ne!(second.trim(), first, "an address works once");
    server.child.kill().expect("it runs");
    server.child.wait().expect("it was killed");
}
