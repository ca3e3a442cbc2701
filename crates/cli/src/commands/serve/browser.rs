//! The user's web browser.

use std::process::{Command, Stdio};

/// Opens a link in the browser. Without a browser, the user can copy the link from the terminal.
pub(in crate::commands) fn open(url: &str) {
    let (program, first): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(first)
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        tracing::warn!(%error, program, "cannot open the browser");
    }
}
