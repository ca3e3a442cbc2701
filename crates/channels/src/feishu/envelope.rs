//! Proves that a request is from Feishu, and opens it.

use aws_lc_rs::cipher::{AES_256, DecryptionContext, PaddedBlockDecryptingKey, UnboundCipherKey};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use data_encoding::HEXLOWER;
use serde_json::Value;
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{FeishuSettings, WINDOW_S};
use crate::platform::{Refusal, WebhookRequest, refuse_stale};

/// What a verified request holds.
#[derive(Debug, PartialEq)]
pub(super) enum Envelope {
    /// Feishu tries the address, and expects this text back.
    Challenge(String),
    Event(Value),
}

const TIMESTAMP: &str = "x-lark-request-timestamp";
const NONCE: &str = "x-lark-request-nonce";
const SIGNATURE: &str = "x-lark-signature";

impl Envelope {
    /// Verifies a request and opens it.
    pub(super) fn open(settings: &FeishuSettings, request: &WebhookRequest<'_>) -> Result<Envelope, Refusal> {
        let outer: Value = serde_json::from_slice(request.body).map_err(|_| Refusal::Malformed("no JSON"))?;
        let is_signed = (request.header)(SIGNATURE).is_some();
        if let Some(key) = &settings.encrypt_key
            && is_signed
        {
            verify(key, request)?;
        }
        let body = match (&settings.encrypt_key, outer["encrypt"].as_str()) {
            (Some(key), Some(sealed)) => decrypt(key, sealed)?,
            (None, Some(_)) => return Err(Refusal::Malformed("encrypted, but encrypt_key is not set")),
            // With a key, whatever is not encrypted is not from Feishu.
            (Some(_), None) => return Err(Refusal::Forged),
            (None, None) => outer,
        };
        let token = body["header"]["token"].as_str().or(body["token"].as_str());
        if let Some(wanted) = &settings.verification_token {
            same(token.unwrap_or_default(), wanted)?;
        }
        if body["type"] == "url_verification" {
            // Feishu signs events, but not always this request. It is answered with what it
            // brought, and only someone who knows the key or the token can have made it.
            let challenge = body["challenge"]
                .as_str()
                .ok_or(Refusal::Malformed("no challenge"))?;
            return Ok(Envelope::Challenge(challenge.to_owned()));
        }
        if settings.encrypt_key.is_some() && !is_signed {
            return Err(Refusal::Unsigned { header: SIGNATURE });
        }
        Ok(Envelope::Event(body))
    }
}

/// Checks the signature: SHA-256 over time, nonce, key and body.
fn verify(key: &str, request: &WebhookRequest<'_>) -> Result<(), Refusal> {
    let (timestamp, nonce) = (request.required(TIMESTAMP)?, request.required(NONCE)?);
    let digest = Sha256::new()
        .chain_update(timestamp)
        .chain_update(nonce)
        .chain_update(key)
        .chain_update(request.body)
        .finalize();
    same(request.required(SIGNATURE)?, &HEXLOWER.encode(&digest))?;
    let sent_s = timestamp
        .parse()
        .map_err(|_| Refusal::Malformed("the timestamp is not a number"))?;
    refuse_stale(sent_s, request.now, WINDOW_S)
}

/// Compares secrets without telling by the time how much of them is right.
fn same(given: &str, wanted: &str) -> Result<(), Refusal> {
    match bool::from(given.as_bytes().ct_eq(wanted.as_bytes())) {
        true => Ok(()),
        false => Err(Refusal::Forged),
    }
}

const BLOCK: usize = 16;

/// Decrypts a body: AES-256 in CBC mode with PKCS #7 padding under the SHA-256 of the key; the
/// first block is the initialisation vector.
fn decrypt(key: &str, sealed: &str) -> Result<Value, Refusal> {
    let mut bytes = BASE64_STANDARD.decode(sealed).map_err(|_| Refusal::Forged)?;
    if bytes.len() < 2 * BLOCK {
        return Err(Refusal::Forged);
    }
    let mut text = bytes.split_off(BLOCK);
    let start: [u8; BLOCK] = bytes.try_into().map_err(|_| Refusal::Forged)?;
    let key = UnboundCipherKey::new(&AES_256, &Sha256::digest(key)).map_err(|_| Refusal::Forged)?;
    let key = PaddedBlockDecryptingKey::cbc_pkcs7(key).map_err(|_| Refusal::Forged)?;
    let opened = key
        .decrypt(&mut text, DecryptionContext::Iv128(start.into()))
        .map_err(|_| Refusal::Forged)?;
    serde_json::from_slice(opened).map_err(|_| Refusal::Forged)
}
