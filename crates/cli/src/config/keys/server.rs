//! Settings of the server.

use recalld_agent::tools::ToolSet;
use recalld_server::{AddressRange, TokenAlgorithm};
use serde_json::json;

use super::super::key::{Key, hidden};
use super::super::parse;
use crate::failure::shortened;

pub(super) const KEYS: &[Key] = &[
    Key {
        name: "server.listen",
        about: "address that `recalld serve` listens on",
        set: |values, text, _| {
            values.server.listen = text.to_owned();
            Ok(())
        },
        get: |values| json!(values.server.listen),
    },
    Key {
        name: "server.public",
        about: "allows listening where other machines can reach the server; callers still need keys",
        set: |values, text, _| parse::truth(text).map(|public| values.server.public = public),
        get: |values| json!(values.server.public),
    },
    Key {
        name: "server.oauth",
        about: "lets MCP clients sign in through the console; off where server.jwt_issuer is set",
        set: |values, text, _| parse::truth(text).map(|is_on| values.server.oauth = is_on),
        get: |values| json!(values.server.oauth),
    },
    Key {
        name: "server.metrics_public",
        about: "shows /metrics without a key even where other machines can reach the server",
        set: |values, text, _| parse::truth(text).map(|public| values.server.metrics_public = public),
        get: |values| json!(values.server.metrics_public),
    },
    Key {
        name: "server.access_log",
        about: "file to which every request is logged as a line of JSON; empty: none",
        set: |values, text, base| {
            values.server.access_log = parse::optional(text)
                .map(|text| parse::path(&text).map(|path| base.join(path)))
                .transpose()?;
            Ok(())
        },
        get: |values| {
            let path = values.server.access_log.as_ref();
            json!(path.map_or_else(String::new, |path| path.display().to_string()))
        },
    },
    Key {
        name: "server.access_log_users",
        about: "names the user of each request in the access log",
        set: |values, text, _| parse::truth(text).map(|named| values.server.access_log_users = named),
        get: |values| json!(values.server.access_log_users),
    },
    Key {
        name: "server.body_bytes_max",
        about: "maximum size of a request body, such as 1 MiB",
        set: |values, text, _| parse::bytes(text).map(|bytes| values.server.body_bytes_max = bytes),
        get: |values| json!(values.server.body_bytes_max),
    },
    Key {
        name: "server.concurrent_max",
        about: "maximum number of concurrent requests; further ones are answered 503",
        set: |values, text, _| parse::within(text, 1, 100_000).map(|n| values.server.concurrent_max = n),
        get: |values| json!(values.server.concurrent_max),
    },
    Key {
        name: "server.per_key_second_max",
        about: "maximum number of requests per key and second; further ones are answered 429",
        set: |values, text, _| {
            parse::within(text, 1, 1_000_000).map(|n| values.server.per_key_second_max = n)
        },
        get: |values| json!(values.server.per_key_second_max),
    },
    Key {
        name: "server.request_timeout_s",
        about: "time limit of a request, in seconds",
        set: |values, text, _| parse::within(text, 1, 3_600).map(|n| values.server.request_timeout_s = n),
        get: |values| json!(values.server.request_timeout_s),
    },
    Key {
        name: "server.connections_max",
        about: "maximum number of open connections; the limit on open files may lower it",
        set: |values, text, _| parse::within(text, 1, 1_000_000).map(|n| values.server.connections_max = n),
        get: |values| json!(values.server.connections_max),
    },
    Key {
        name: "server.address_connections_max",
        about: "maximum number of open connections per address",
        set: |values, text, _| {
            parse::within(text, 1, 1_000_000).map(|n| values.server.connections_per_address_max = n)
        },
        get: |values| json!(values.server.connections_per_address_max),
    },
    Key {
        name: "server.trusted_proxies",
        about: "addresses or ranges of proxies, separated by commas; the limit per address does not apply to them",
        set: |values, text, _| {
            let named = text.split(',').map(str::trim).filter(|range| !range.is_empty());
            let ranges: Result<Vec<AddressRange>, _> = named.map(str::parse).collect();
            values.server.trusted_proxies = ranges.map_err(|error| error.to_string())?;
            Ok(())
        },
        get: |values| {
            let ranges = values.server.trusted_proxies.iter().map(ToString::to_string);
            json!(ranges.collect::<Vec<_>>().join(","))
        },
    },
    Key {
        name: "server.url",
        about: "public URL of the server, such as https://memory.example",
        set: |values, text, _| {
            values.server.url = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.server.url.as_deref().unwrap_or("")),
    },
    Key {
        name: "server.tool_sets",
        about: "tool sets that MCP clients see, separated by commas; default: storage,history",
        set: |values, text, _| {
            let named = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            let sets: Option<Vec<ToolSet>> = named.map(ToolSet::parse).collect();
            let known = ToolSet::ALL.map(ToolSet::as_str).join(", ");
            values.server.tool_sets =
                sets.ok_or_else(|| format!("is {:?}; known are {known}", shortened(text)))?;
            Ok(())
        },
        get: |values| {
            let names = values.server.tool_sets.iter().map(|set| set.as_str());
            json!(names.collect::<Vec<_>>().join(","))
        },
    },
    Key {
        name: "server.cors_origins",
        about: "origins whose web pages may call the server, separated by commas",
        set: |values, text, _| {
            let origins = text.split(',').map(str::trim).filter(|origin| !origin.is_empty());
            values.server.cors_origins = origins.map(str::to_owned).collect();
            Ok(())
        },
        get: |values| json!(values.server.cors_origins.join(",")),
    },
    Key {
        name: "server.peers",
        about: "addresses of all servers on the same database, this one included, separated by commas; responses \
                then name the one that holds the user's space (Recalld-Space-Owner)",
        set: |values, text, _| {
            let peers = text.split(',').map(str::trim).filter(|peer| !peer.is_empty());
            let peers: Vec<String> = peers.map(str::to_owned).collect();
            if let Some(peer) = peers
                .iter()
                .find(|peer| !peer.bytes().all(|byte| byte.is_ascii_graphic()))
            {
                return Err(format!("has {:?}, which is no address", shortened(peer)));
            }
            values.server.peers = peers;
            Ok(())
        },
        get: |values| json!(values.server.peers.join(",")),
    },
    Key {
        name: "server.jwt_secret",
        about: "HS256 secret of the trusted token issuer, at least 32 bytes",
        set: |values, text, _| {
            values.server.jwt_secret = parse::optional(text);
            Ok(())
        },
        get: |values| hidden(&values.server.jwt_secret),
    },
    Key {
        name: "server.jwt_jwks_url",
        about: "URL of the issuer's published keys (RS256, ES256), instead of a secret",
        set: |values, text, _| {
            values.server.jwt_jwks_url = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.server.jwt_jwks_url.as_deref().unwrap_or("")),
    },
    Key {
        name: "server.jwt_algorithms",
        about: "accepted algorithms of published keys, separated by commas: RS256, ES256",
        set: |values, text, _| {
            let named = text.split(',').map(str::trim).filter(|name| !name.is_empty());
            let known = named.map(|name| {
                TokenAlgorithm::ALL
                    .into_iter()
                    .find(|known| known.as_str() == name)
            });
            let known: Option<Vec<TokenAlgorithm>> = known.collect();
            values.server.jwt_algorithms = known
                .filter(|known| !known.is_empty())
                .ok_or_else(|| format!("is {:?}; it can be RS256, ES256 or both", shortened(text)))?;
            Ok(())
        },
        get: |values| {
            let names = values.server.jwt_algorithms.iter().map(|known| known.as_str());
            json!(names.collect::<Vec<_>>().join(","))
        },
    },
    Key {
        name: "server.jwt_issuer",
        about: "required value of the `iss` claim",
        set: |values, text, _| {
            values.server.jwt_issuer = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.server.jwt_issuer.as_deref().unwrap_or("")),
    },
    Key {
        name: "server.jwt_audience",
        about: "value that the `aud` claim must contain",
        set: |values, text, _| {
            values.server.jwt_audience = parse::optional(text);
            Ok(())
        },
        get: |values| json!(values.server.jwt_audience.as_deref().unwrap_or("")),
    },
];
