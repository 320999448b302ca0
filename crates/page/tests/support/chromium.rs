//! A headless Chromium, driven by the protocol of its developer tools over two pipes.
//!
//! Everything that happens on a page is an event there: what its script complains of, and each request that it makes, also those that its policy forbids.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The names that it may have.
const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A running browser with one page.
pub struct Chromium {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    /// The session of the page.
    session: String,
    next: u64,
    /// What has happened since the page was opened.
    events: Vec<Value>,
}

impl Chromium {
    /// Starts one, if it is installed. Its profile is in that folder.
    pub fn start(profile: &Path) -> Option<Self> {
        let is_there = |name: &&str| Command::new(name).arg("--version").output().is_ok();
        let name = NAMES.into_iter().find(|name| is_there(name))?;
        // The pipes are those with the numbers 3 and 4.
        let script = "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>/dev/null";
        let mut child = Command::new("sh")
            .args([
                "-c",
                script,
                name,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
            ])
            .args([
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
            ])
            .args([
                "--disable-extensions",
                "--disable-background-networking",
                "--disable-component-update",
            ])
            .args(["--remote-debugging-pipe", "about:blank"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .ok()?;
        let input = child.stdin.take()?;
        let output = BufReader::new(child.stdout.take()?);
        let mut browser = Chromium {
            child,
            input,
            output,
            session: String::new(),
            next: 0,
            events: Vec::new(),
        };
        let target = browser.ask("Target.createTarget", json!({"url": "about:blank"}));
        let attached = browser.ask(
            "Target.attachToTarget",
            json!({"targetId": target["targetId"], "flatten": true}),
        );
        browser.session = attached["sessionId"].as_str()?.to_owned();
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), json!({}));
        }
        Some(browser)
    }

    /// Sends a command and waits for its answer.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let mut message = json!({"id": self.next, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.input
            .write_all(message.to_string().as_bytes())
            .expect("the browser runs");
        self.input.write_all(&[0]).expect("the browser runs");
        self.input.flush().expect("the browser runs");
        loop {
            let answer = self.read();
            if answer["id"] == json!(self.next) {
                assert!(answer.get("error").is_none(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The next message; events are kept.
    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.output
            .read_until(0, &mut bytes)
            .expect("the browser runs");
        bytes.pop();
        let message: Value = serde_json::from_slice(&bytes).expect("a message of the browser");
        if message.get("method").is_some() {
            self.events.push(message.clone());
        }
        message
    }

    /// Opens a file in a window of that size, and waits until it is loaded.
    pub fn open(&mut self, file: &Path, (width, height): (u32, u32), dark: bool) {
        let phone = width < 600;
        let scheme = if dark { "dark" } else { "light" };
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}),
        );
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]}),
        );
        self.events.clear();
        self.ask(
            "Page.navigate",
            json!({"url": format!("file://{}", file.display())}),
        );
        while !self
            .events
            .iter()
            .any(|e| e["method"] == "Page.loadEventFired")
        {
            self.read();
        }
    }

    /// The value of an expression on the page.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        let answer = self.ask(
            "Runtime.evaluate",
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true}),
        );
        assert!(
            answer.get("exceptionDetails").is_none(),
            "{expression}: {answer}"
        );
        answer["result"]["value"].clone()
    }

    /// Presses a key.
    pub fn press(&mut self, key: &str) {
        let code = match key {
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Home" => 36,
            "End" => 35,
            _ => 0,
        };
        for kind in ["rawKeyDown", "keyUp"] {
            let event =
                json!({"type": kind, "key": key, "code": key, "windowsVirtualKeyCode": code});
            self.ask("Input.dispatchKeyEvent", event);
        }
    }

    /// Clicks where an element is, once it is in sight.
    pub fn click(&mut self, selector: &str) {
        let quoted = json!(selector);
        let place = self.evaluate(&format!(
            "(() => {{ const e = document.querySelector({quoted}); e.scrollIntoView({{ block: 'center' }}); const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            self.ask("Input.dispatchMouseEvent", json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1}));
        }
    }

    /// The whole page as a picture.
    pub fn screenshot(&mut self, file: &Path) {
        let size = self.ask("Page.getLayoutMetrics", json!({}));
        let size = &size["cssContentSize"];
        let clip =
            json!({"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1});
        let answer = self.ask(
            "Page.captureScreenshot",
            json!({"format": "png", "captureBeyondViewport": true, "clip": clip}),
        );
        let picture = answer["data"].as_str().expect("a picture");
        std::fs::write(file, decoded(picture)).expect("the picture is written");
    }

    /// What the page has complained of, and what it has asked for beside itself.
    pub fn complaints(&self) -> Vec<String> {
        let wrong = |event: &&Value| match event["method"].as_str() {
            Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded") => true,
            Some("Network.requestWillBeSent") => event["params"]["type"] != "Document",
            _ => false,
        };
        self.events
            .iter()
            .filter(wrong)
            .map(Value::to_string)
            .collect()
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Bytes from their form in base 64.
fn decoded(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'+' => 62,
        _ => 63,
    };
    let text = text.trim_end_matches('=').as_bytes();
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for chunk in text.chunks(4) {
        let bits = chunk
            .iter()
            .fold(0u32, |bits, c| (bits << 6) | u32::from(digit(*c)));
        let bits = bits << (6 * (4 - chunk.len()));
        bytes.extend_from_slice(&bits.to_be_bytes()[1..chunk.len()]);
    }
    bytes
}
