//! Tensors read from a safetensors file one at a time, so that loading needs little more memory
//! than the model itself.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::Metadata;
use sha2::{Digest, Sha256};

use crate::model_files::LoadError;

/// No real header is longer: it holds about a hundred bytes a tensor.
const HEADER_BYTES_MAX: u64 = 16 << 20;

/// An open weights' file whose header has been checked against its length.
pub(crate) struct WeightFile {
    path: PathBuf,
    file: File,
    data_start: u64,
    metadata: Metadata,
    prefix: &'static str,
    digest: Sha256,
}

impl WeightFile {
    /// Opens `path`. Tensors may be named with one of `prefixes` in front (`bert.` and the like).
    pub(crate) fn open(path: &Path, prefixes: &[&'static str]) -> Result<WeightFile, LoadError> {
        let hint = "; weights are read from safetensors files only";
        let mut file = File::open(path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => LoadError::Missing {
                path: path.to_path_buf(),
                hint,
            },
            _ => LoadError::Read {
                path: path.to_path_buf(),
                source,
            },
        })?;
        let broken = |reason: String| LoadError::Weights {
            path: path.to_path_buf(),
            reason,
        };
        let unreadable = |source| LoadError::Read {
            path: path.to_path_buf(),
            source,
        };
        let length = file.metadata().map_err(unreadable)?.len();
        if length < 8 {
            return Err(broken(format!("{length} bytes is too short for a header")));
        }
        let mut size = [0; 8];
        file.read_exact(&mut size).map_err(unreadable)?;
        let header_bytes = u64::from_le_bytes(size);
        if HEADER_BYTES_MAX < header_bytes || length - 8 < header_bytes {
            return Err(broken(format!(
                "its header claims {header_bytes} bytes in a file of {length}"
            )));
        }
        let mut header = vec![0; header_bytes as usize];
        file.read_exact(&mut header).map_err(unreadable)?;
        let metadata: Metadata =
            serde_json::from_slice(&header).map_err(|error| broken(error.to_string()))?;
        let data_start = 8 + header_bytes;
        let expected = metadata.data_len() as u64;
        if length - data_start != expected {
            let found = length - data_start;
            return Err(broken(format!(
                "{found} bytes of tensors where its header claims {expected}"
            )));
        }
        let prefix = prefixes
            .iter()
            .find(|prefix| metadata.offset_keys().iter().any(|key| key.starts_with(**prefix)))
            .unwrap_or(&"");
        Ok(WeightFile {
            path: path.to_path_buf(),
            file,
            data_start,
            metadata,
            prefix,
            digest: Sha256::new(),
        })
    }

    /// Reads a vector of `length` values.
    pub(crate) fn vector(&mut self, name: &str, length: usize) -> Result<Vec<f32>, LoadError> {
        self.read(name, &[length]).map(|tensor| tensor.to_f32())
    }

    /// Reads a matrix of `rows` by `columns` values, row by row.
    pub(crate) fn matrix(&mut self, name: &str, rows: usize, columns: usize) -> Result<Vec<f32>, LoadError> {
        self.read(name, &[rows, columns]).map(|tensor| tensor.to_f32())
    }

    /// Reads a matrix and keeps it as it is stored, which for 16-bit weights is half the size.
    pub(crate) fn table(&mut self, name: &str, rows: usize, columns: usize) -> Result<Table, LoadError> {
        self.read(name, &[rows, columns])
    }

    /// Picks the one of several spellings of a tensor's name that the file uses.
    pub(crate) fn spelling<'n>(&self, names: &[&'n str]) -> &'n str {
        names
            .iter()
            .find(|name| self.key(name).is_some())
            .unwrap_or(&names[0])
    }

    /// Tells where the file is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Gives a digest of everything read so far.
    pub(crate) fn fingerprint(self) -> [u8; 32] {
        self.digest.finalize().into()
    }

    /// Names are looked up with the prefix first: heads such as `classifier` carry none.
    fn key(&self, name: &str) -> Option<String> {
        let prefixed = format!("{}{name}", self.prefix);
        [prefixed, name.to_string()]
            .into_iter()
            .find(|key| self.metadata.info(key).is_some())
    }

    fn read(&mut self, name: &str, shape: &[usize]) -> Result<Table, LoadError> {
        let path = self.path.clone();
        let wrong = |reason: String| LoadError::Tensor {
            path: path.clone(),
            name: name.to_string(),
            reason,
        };
        let key = self
            .key(name)
            .ok_or_else(|| wrong("it is not there".to_string()))?;
        let info = self
            .metadata
            .info(&key)
            .ok_or_else(|| wrong("it is not there".to_string()))?;
        if info.shape != shape {
            return Err(wrong(format!("its shape is {:?}, not {shape:?}", info.shape)));
        }
        let kind = match info.dtype {
            Dtype::F32 => Kind::F32,
            Dtype::F16 => Kind::F16,
            Dtype::BF16 => Kind::Bf16,
            other => return Err(wrong(format!("its type is {other:?}, not F32, F16 or BF16"))),
        };
        let (start, end) = info.data_offsets;
        let mut bytes = vec![0; end - start];
        let unreadable = |source| LoadError::Read {
            path: path.clone(),
            source,
        };
        self.file
            .seek(SeekFrom::Start(self.data_start + start as u64))
            .map_err(unreadable)?;
        self.file.read_exact(&mut bytes).map_err(unreadable)?;
        self.digest.update(name.as_bytes());
        self.digest.update(&bytes);
        Ok(Table {
            bytes,
            kind,
            columns: shape.last().copied().unwrap_or(1),
        })
    }
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    F32,
    F16,
    Bf16,
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Kind::F32 => 4,
            Kind::F16 | Kind::Bf16 => 2,
        }
    }
}

/// A matrix as it was stored, read row by row.
pub(crate) struct Table {
    bytes: Vec<u8>,
    kind: Kind,
    columns: usize,
}

impl Table {
    /// Adds row `row` to `sums`. A row that does not exist adds nothing.
    pub(crate) fn add_row(&self, row: usize, sums: &mut [f32]) {
        let width = self.columns * self.kind.bytes();
        let bytes = self.bytes.get(row * width..(row + 1) * width).unwrap_or(&[]);
        self.each(bytes, sums.iter_mut(), |sum, value| *sum += value);
    }

    fn to_f32(&self) -> Vec<f32> {
        let mut values = vec![0.0; self.bytes.len() / self.kind.bytes()];
        self.each(&self.bytes, values.iter_mut(), |slot, value| *slot = value);
        values
    }

    fn each<'s>(&self, bytes: &[u8], slots: impl Iterator<Item = &'s mut f32>, put: impl Fn(&mut f32, f32)) {
        let (wide, narrow) = (bytes.as_chunks::<4>().0, bytes.as_chunks::<2>().0);
        match self.kind {
            Kind::F32 => slots
                .zip(wide)
                .for_each(|(slot, raw)| put(slot, f32::from_le_bytes(*raw))),
            Kind::F16 => slots
                .zip(narrow)
                .for_each(|(slot, raw)| put(slot, f16::from_le_bytes(*raw).to_f32())),
            Kind::Bf16 => slots
                .zip(narrow)
                .for_each(|(slot, raw)| put(slot, bf16::from_le_bytes(*raw).to_f32())),
        }
    }
}
