//! The files of the console. Each but the page is named by a digest of its content, so that a
//! browser fetches it once.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::bundle::{Module, joined};

/// A file that is served.
#[derive(Debug)]
pub(super) struct Asset {
    pub(super) name: String,
    pub(super) content_type: &'static str,
    pub(super) caching: &'static str,
    pub(super) tag: String,
    pub(super) content: &'static str,
}

macro_rules! module {
    ($name:literal) => {
        Module {
            name: $name,
            text: include_str!(concat!("../../console/app/", $name)),
        }
    };
}

/// The modules of the console in the order in which they need each other.
pub(super) const MODULES: &[Module] = &[
    module!("lib.js"),
    module!("catalogue.js"),
    module!("texts.js"),
    module!("format.js"),
    module!("state.js"),
    module!("api.js"),
    module!("ui.js"),
    module!("endless.js"),
    module!("keys.js"),
    module!("stats.js"),
    module!("actions.js"),
    module!("memory.js"),
    module!("memories.js"),
    module!("asking.js"),
    module!("review.js"),
    module!("tree.js"),
    module!("conversations.js"),
    module!("document.js"),
    module!("activity.js"),
    module!("privacy.js"),
    module!("schema.js"),
    module!("profile.js"),
    module!("knowledge.js"),
    module!("metrics.js"),
    module!("access_keys.js"),
    module!("operations.js"),
    module!("chat.js"),
    module!("consent.js"),
    module!("signin.js"),
    module!("shell.js"),
    module!("app.js"),
];

const VENDORED: [&str; 3] = [
    include_str!("../../console/vendor/preact.js"),
    include_str!("../../console/vendor/hooks.js"),
    include_str!("../../console/vendor/htm.js"),
];

/// Gives the files that the page refers to.
pub(super) fn assets() -> &'static [Asset] {
    static ASSETS: LazyLock<[Asset; 2]> = LazyLock::new(|| {
        [
            named("console", "js", joined(&VENDORED, MODULES)),
            named(
                "console",
                "css",
                include_str!("../../console/console.css").to_owned(),
            ),
        ]
    });
    &*ASSETS
}

/// Gives the page itself.
pub(super) fn page() -> &'static Asset {
    static PAGE: LazyLock<Asset> = LazyLock::new(|| {
        let [script, style] = assets() else {
            unreachable!("there are two files")
        };
        let page = include_str!("../../console/index.html")
            .replace("{{console.js}}", &format!("console/{}", script.name))
            .replace("{{console.css}}", &format!("console/{}", style.name));
        Asset {
            name: "index.html".to_owned(),
            content_type: "text/html; charset=utf-8",
            caching: "no-cache",
            tag: format!("\"{}\"", digest(&page)),
            content: page.leak(),
        }
    });
    &PAGE
}

/// Names a file by what is in it. It is made once and stays for as long as the process.
fn named(stem: &str, ending: &str, content: String) -> Asset {
    let digest = digest(&content);
    Asset {
        name: format!("{stem}-{digest}.{ending}"),
        content_type: match ending {
            "css" => "text/css; charset=utf-8",
            _ => "text/javascript; charset=utf-8",
        },
        caching: "public, max-age=31536000, immutable",
        tag: format!("\"{digest}\""),
        content: content.leak(),
    }
}

fn digest(content: &str) -> String {
    let digest = Sha256::digest(content.as_bytes());
    digest[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}
