//! A server in a folder of its own, and a client that says exactly what it is told to.

use app::{ConfigFile, Home};
use serde_json::Value;
use server::{Server, Started, start};
use std::{
    io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _},
    net::{SocketAddr, TcpStream},
    path::Path,
    time::Duration,
};

/// Longer than anything takes on a busy machine; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(120);

pub(crate) struct Site {
    folder: tempfile::TempDir,
    server: Option<Server>,
}

/// Status, headers and body that the server sent.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    /// The value of a header, if it is there.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Fails unless it is this refusal.
    #[track_caller]
    pub(crate) fn refused(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{self:?}");
        let body = self.json();
        assert_eq!(body["code"], code, "{self:?}");
        let message = body["message"].as_str().unwrap().to_owned();
        assert!(!message.is_empty());
        message
    }

    /// Fails unless it went well.
    #[track_caller]
    pub(crate) fn ok(&self) -> Value {
        assert!((200..300).contains(&self.status), "{self:?}");
        self.json()
    }
}

impl Site {
    pub(crate) fn new() -> Self {
        Self::with_config("[api]\nrate_limit_rps = 100000\n")
    }

    pub(crate) fn with_config(config: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("config.toml"), config).unwrap();
        let mut site = Self {
            folder,
            server: None,
        };
        site.start();
        site
    }

    pub(crate) fn home(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn start(&mut self) {
        match self.try_start() {
            Started::Here(server) => self.server = Some(server),
            Started::Elsewhere(other) => panic!("already running at {}", other.address()),
        }
    }

    pub(crate) fn try_start(&self) -> Started {
        let home = Home::open(Some(self.folder.path())).unwrap();
        let config = ConfigFile::open(home.config_file());
        start(home, config, Some(0), app::Keeper::Nobody).unwrap()
    }

    pub(crate) fn stop(&mut self) {
        if let Some(server) = self.server.take() {
            server.stop().unwrap();
        }
    }

    pub(crate) fn server(&self) -> &Server {
        self.server.as_ref().unwrap()
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.server().address()
    }

    /// The headers of an honest program.
    pub(crate) fn honest(&self) -> String {
        format!(
            "Host: {}\r\nAuthorization: Bearer {}\r\n",
            self.address(),
            self.server().token()
        )
    }

    /// A request with exactly these headers; length and `Connection: close` are added.
    pub(crate) fn raw(&self, line: &str, headers: &str, body: &[u8]) -> Answer {
        self.raw_after(line, headers, body, || {})
    }

    /// The same, with something to do before connecting.
    pub(crate) fn raw_after(
        &self,
        line: &str,
        headers: &str,
        body: &[u8],
        ready: impl FnOnce(),
    ) -> Answer {
        ready();
        loop {
            if let Some(answer) = self.try_raw(line, headers, body) {
                return answer;
            }
        }
    }

    /// Asks once. No answer at all means that the connection was closed before the request had
    /// arrived, as happens to silent clients when there are too many; browsers ask again, too.
    fn try_raw(&self, line: &str, headers: &str, body: &[u8]) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        write!(
            stream,
            "{line} HTTP/1.1\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n"
        )
        .ok()?;
        // A server that refuses early may close before all is sent.
        let _sent = stream.write_all(body);
        read_answer(stream)
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.raw(&format!("GET {path}"), &self.honest(), b"")
    }

    pub(crate) fn delete(&self, path: &str) -> Answer {
        self.raw(&format!("DELETE {path}"), &self.honest(), b"")
    }

    pub(crate) fn send(&self, method: &str, path: &str, body: &Value) -> Answer {
        let headers = format!("{}Content-Type: application/json\r\n", self.honest());
        let line = format!("{method} {path}");
        self.raw(&line, &headers, body.to_string().as_bytes())
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, body)
    }

    pub(crate) fn view(&self) -> Value {
        self.get("/api/sessions/current").ok()
    }

    pub(crate) fn listen(&self) -> Events {
        self.listen_as(&self.honest())
    }

    /// Listens to the events that a query asks for.
    pub(crate) fn listen_to(&self, query: &str) -> Events {
        self.open_stream(query, &self.honest())
    }

    /// Listens to events with these headers.
    pub(crate) fn listen_as(&self, headers: &str) -> Events {
        self.open_stream("", headers)
    }

    fn open_stream(&self, query: &str, headers: &str) -> Events {
        let mut stream = TcpStream::connect(self.address()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        write!(stream, "GET /api/events{query} HTTP/1.1\r\n{headers}\r\n").unwrap();
        let mut events = Events {
            lines: BufReader::new(stream),
        };
        let mut line = String::new();
        events.lines.read_line(&mut line).unwrap();
        assert!(line.contains("200"), "{line}");
        events
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        if let Some(server) = self.server.take() {
            // A test that failed already has told why.
            server.stop().ok();
        }
    }
}

fn read_answer(stream: TcpStream) -> Option<Answer> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    match reader.read_line(&mut line) {
        Ok(0) => return None,
        Err(error) if error.kind() == ErrorKind::ConnectionReset => return None,
        read => read.unwrap(),
    };
    let status = line.split(' ').nth(1).unwrap_or_default();
    let status = status
        .parse()
        .unwrap_or_else(|_| panic!("no status in {line:?}"));
    let mut headers = Vec::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).unwrap();
        let Some((name, value)) = line.trim_end().split_once(": ") else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.to_owned()));
    }
    let mut bytes = Vec::new();
    // A refusal may come with the connection reset behind it.
    let _read = reader.read_to_end(&mut bytes);
    let mut answer = Answer {
        status,
        headers,
        body: String::from_utf8_lossy(&bytes).into_owned(),
    };
    if answer.header("transfer-encoding") == Some("chunked") {
        answer.body = unchunk(&answer.body);
    }
    Some(answer)
}

fn unchunk(text: &str) -> String {
    let mut whole = String::new();
    let mut rest = text;
    while let Some((size, after)) = rest.split_once("\r\n") {
        let size = usize::from_str_radix(size, 16).unwrap_or(0);
        if size == 0 {
            break;
        }
        whole.push_str(&after[..size]);
        rest = after.get(size + 2..).unwrap_or_default();
    }
    whole
}

/// A stream of events that a test reads one by one.
pub(crate) struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some(serde_json::from_str(data.trim_end()).unwrap());
            }
        }
    }

    /// Reads on until an event satisfies; gives it.
    #[track_caller]
    pub(crate) fn until(&mut self, mut satisfies: impl FnMut(&Value) -> bool) -> Value {
        loop {
            let event = self.next().expect("the stream has ended");
            if satisfies(&event) {
                return event;
            }
        }
    }

    /// Reads on to the next event of a kind; gives its data.
    #[track_caller]
    pub(crate) fn of(&mut self, kind: &str) -> Value {
        self.until(|event| event["type"] == kind)["data"].take()
    }
}
