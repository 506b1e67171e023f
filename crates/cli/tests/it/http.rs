//! The program as a server: how the tests start it and talk to it.

use super::program;
use serde_json::{Value, json};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

/// What lets the tests in.
pub(crate) const TOKEN: &str = "0123456789abcdef0123456789abcdef";

/// A server that takes longer has failed.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// An empty home whose server knows the tests' token and has no limit of requests.
pub(crate) fn home(name: &str) -> PathBuf {
    let home = super::scratch(name);
    std::fs::remove_dir_all(&home).expect("it was made above");
    std::fs::create_dir_all(&home).expect("it can be made");
    let config = format!(
        "[engine]\ntt_mb = 1\n[api]\ntoken = \"{TOKEN}\"\nrate_limit_rps = 100000\n[play]\nblunder_alert = false\n"
    );
    std::fs::write(home.join("config.toml"), config).expect("it can be written");
    home
}

/// Starts a server, and waits until it says its port.
pub(crate) fn start(home: &Path, stderr: Stdio) -> (Child, u16) {
    let mut child = program()
        .args(["serve", "--no-open", "--port", "0", "--home"])
        .arg(home)
        .stdout(Stdio::piped())
        .stderr(stderr)
        .spawn()
        .expect("the program was built for this test");
    let mut lines = BufReader::new(child.stdout.take().expect("piped above")).lines();
    let url = lines
        .next()
        .expect("it says where it is")
        .expect("in UTF-8");
    let (_, after) = url.split_once("127.0.0.1:").expect("on this computer");
    let digits: String = after.chars().take_while(char::is_ascii_digit).collect();
    (child, digits.parse().expect("a port"))
}

/// One request (`GET /api/…`): the status and the JSON of its answer. An answer that was cut off
/// is an error.
pub(crate) fn request(
    port: u16,
    line: &str,
    body: Option<&Value>,
) -> std::io::Result<(u16, Value)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let body = body.map(Value::to_string).unwrap_or_default();
    let length = body.len();
    write!(
        stream,
        "{line} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAuthorization: Bearer {TOKEN}\r\n\
         Content-Type: application/json\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let (head, body) = answer
        .split_once("\r\n\r\n")
        .ok_or(std::io::ErrorKind::UnexpectedEof)?;
    let status = head.split(' ').nth(1).and_then(|it| it.parse().ok());
    let status = status.ok_or(std::io::ErrorKind::InvalidData)?;
    Ok((status, serde_json::from_str(body)?))
}

/// A move of the current game.
pub(crate) fn play(port: u16, action: &str) -> (u16, Value) {
    let wish = json!({ "move": action });
    let line = "POST /api/sessions/current/moves";
    request(port, line, Some(&wish)).expect("the server answers")
}

/// The current game as the API shows it.
pub(crate) fn current(port: u16) -> Value {
    let answer = request(port, "GET /api/sessions/current", None);
    let (status, view) = answer.expect("the server answers");
    assert_eq!(status, 200, "{view}");
    view
}
