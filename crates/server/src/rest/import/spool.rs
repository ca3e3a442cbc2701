//! Writes the body of a request to a temporary file as it arrives.

use std::fs::File;
use std::io;

use axum::body::Body;
use http_body_util::BodyExt;
use tokio::io::{AsyncSeekExt, AsyncWriteExt};

use crate::error::{ApiError, Code};

/// Takes a body of at most `bytes_max` bytes. The file has no name, and is gone when it is closed.
pub(super) async fn spool(mut body: Body, bytes_max: usize) -> Result<File, ApiError> {
    let file = tempfile::tempfile().map_err(|error| failed(&error))?;
    let mut file = tokio::fs::File::from_std(file);
    let mut left = bytes_max;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|_| ApiError::new(Code::Timeout, "the body did not arrive whole"))?;
        // Trailers are not read.
        let Ok(piece) = frame.into_data() else { continue };
        left = left.checked_sub(piece.len()).ok_or_else(|| {
            let detail = format!("the body is over the limit of {bytes_max} bytes");
            ApiError::new(Code::BodyTooLarge, detail)
        })?;
        file.write_all(&piece).await.map_err(|error| failed(&error))?;
    }
    file.flush().await.map_err(|error| failed(&error))?;
    file.rewind().await.map_err(|error| failed(&error))?;
    Ok(file.into_std().await)
}

/// Makes an error of a temporary file that cannot be written.
pub(super) fn failed(error: &io::Error) -> ApiError {
    let code = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Code::StorageFull,
        _ => Code::StorageUnavailable,
    };
    tracing::warn!(%error, "a temporary file for an import cannot be written");
    ApiError::new(code, "the temporary file for the import cannot be written")
        .hint("nothing was changed; free some space where TMPDIR points, or set it elsewhere")
}
