//! Clients that cost little: requests are made beforehand, and of an answer only its end and status
//! are looked for.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// When to stop.
#[derive(Clone, Copy)]
pub enum Until {
    /// After this time; the requests are sent again and again.
    After(Duration),
    /// When each request was answered.
    Done,
}

/// How it went.
pub struct Report {
    /// How long each request took, the shortest first.
    took: Vec<Duration>,
    statuses: Vec<u16>,
    lasted: Duration,
}

impl Report {
    pub fn per_second(&self) -> f64 {
        self.took.len() as f64 / self.lasted.as_secs_f64()
    }

    /// Gives the time within which this share of all requests was answered.
    pub fn percentile(&self, share: f64) -> Duration {
        let place = (self.took.len() as f64 * share / 100.0) as usize;
        self.took[place.min(self.took.len() - 1)]
    }

    /// Fails unless all answers had this status.
    pub fn expect_status(&self, status: u16) -> Result<(), String> {
        match self.statuses.iter().find(|other| **other != status) {
            None => Ok(()),
            Some(other) => Err(format!("an answer had status {other} and not {status}")),
        }
    }
}

/// Sends `requests` over some connections at a time.
pub async fn drive(
    address: SocketAddr,
    connections: usize,
    requests: Vec<Vec<u8>>,
    until: Until,
) -> io::Result<Report> {
    let requests = Arc::new(requests);
    let next = Arc::new(AtomicUsize::new(0));
    let began = Instant::now();
    let clients: Vec<_> = (0..connections)
        .map(|_| tokio::spawn(one(address, Arc::clone(&requests), Arc::clone(&next), until)))
        .collect();
    let (mut took, mut statuses) = (Vec::new(), Vec::new());
    for client in clients {
        for (status, time) in client.await.map_err(io::Error::other)?? {
            took.push(time);
            statuses.push(status);
        }
    }
    let lasted = began.elapsed();
    took.sort_unstable();
    statuses.dedup();
    if took.is_empty() {
        return Err(io::Error::other("nothing was answered"));
    }
    Ok(Report {
        took,
        statuses,
        lasted,
    })
}

async fn one(
    address: SocketAddr,
    requests: Arc<Vec<Vec<u8>>>,
    next: Arc<AtomicUsize>,
    until: Until,
) -> io::Result<Vec<(u16, Duration)>> {
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let (began, mut answers, mut buffer) = (Instant::now(), Vec::new(), Vec::new());
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        let is_over = match until {
            Until::After(time) => time <= began.elapsed(),
            Until::Done => requests.len() <= number,
        };
        if is_over {
            return Ok(answers);
        }
        let sent = Instant::now();
        stream.write_all(&requests[number % requests.len()]).await?;
        let status = answer(&mut stream, &mut buffer).await?;
        answers.push((status, sent.elapsed()));
    }
}

/// Reads one answer whole, and gives its status.
async fn answer(stream: &mut TcpStream, buffer: &mut Vec<u8>) -> io::Result<u16> {
    buffer.clear();
    let end_of_head = loop {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some(at) = buffer.windows(4).position(|window| window == b"\r\n\r\n") {
            break at + 4;
        }
    };
    let head = String::from_utf8_lossy(&buffer[..end_of_head]).to_ascii_lowercase();
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<usize>().ok());
    let status = number(head.get(9..12)).unwrap_or(0) as u16;
    let length = head
        .split("content-length:")
        .nth(1)
        .and_then(|rest| rest.lines().next());
    let whole = end_of_head + number(length).ok_or_else(|| io::Error::other("an answer without a length"))?;
    while buffer.len() < whole {
        if stream.read_buf(buffer).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    Ok(status)
}

/// Makes a request without a body.
pub fn get(address: SocketAddr, path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\nhost: {address}\r\n\r\n").into_bytes()
}

/// Makes a request with a JSON body.
pub fn post(address: SocketAddr, path: &str, headers: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nhost: {address}\r\n{headers}content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}
