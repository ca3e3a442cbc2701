//! Jumbles of characters that a name announces: `api key: 9f8e…`, `TWILIO_AUTH_TOKEN=…`.

use std::sync::LazyLock;

use super::Finding;
use super::digits::has_long_word;
use super::password_words::is_placeholder;
use super::pattern::Pattern;

/// Names of credentials in plain words; what follows one may be short.
const CREDENTIALS: &str = r"api[\s_-]?keys?|api[\s_-]?(?:token|secret)|app[\s_-]?(?:key|secret|token)|access[\s_-]?(?:key|token)(?:[\s_-]?(?:id|secret))?|secret[\s_-]?(?:access[\s_-]?)?key|secret[\s_-]?token|auth(?:entication|orization)?[\s_-]?(?:key|token)|bearer(?:[\s_-]?token)?|client[\s_-]?secret|consumer[\s_-]?(?:key|secret)|oauth[\s_-]?(?:token|secret)|refresh[\s_-]?token|session[\s_-]?(?:token|key|cookie)|webhook[\s_-]?secret|signing[\s_-]?(?:key|secret)|encryption[\s_-]?key|private[\s_-]?key|master[\s_-]?key|deploy[\s_-]?(?:key|token)|service[\s_-]?(?:key|token)|personal[\s_-]?access[\s_-]?token|account[\s_-]?(?:key|token)|shared[\s_-]?secret|integration[\s_-]?(?:key|token)|upload[\s_-]?token|bot[\s_-]?token|license[\s_-]?key|licen[cs]e[\s_-]?key|recovery[\s_-]?key|bitlocker[\s_-]?key|(?:api[\s-]?|zugangs|geheim)schlüssel|clé\s+(?:api|d'api|secrète)|clave\s+(?:de\s+)?(?:la\s+)?(?:api|secreta)|chave\s+(?:de\s+)?(?:api|secreta)|chiave\s+(?:api|segreta)|ключ\s+(?:api|доступа)|api[\s-]?ключ|токен|(?:api|接口)?\s?密钥|访问令牌|令牌|apiキー|アクセストークン|シークレットキー|api\s?키|액세스\s?토큰";

/// Names that may stand alone in a text without a credential: what follows must be long.
const HINTS: &str = r"token|secret|credentials?|creds|apikey|passkey|cookie|psk|dsn|webhook|auth";

/// Vendors whose keys have no format of their own.
const VENDORS: &str = r"adafruit|adobe|airtable|algolia|alibaba|amplitude|artifactory|asana|atlassian|auth0|aws|azure|beamer|bitbucket|bitfinex|binance|bittrex|bugsnag|codecov|cloudflare|cloudinary|cohere|coinbase|confluence|confluent|contentful|datadog|deepseek|discord|docusign|droneci|dropbox|elastic|etsy|facebook|fastly|finicity|finnhub|firebase|flickr|freshbooks|ghost|gitter|gocardless|google|grafana|heroku|hubspot|instagram|intercom|jenkins|jfrog|jira|kraken|kucoin|launchdarkly|linear|linkedin|lob|looker|mailchimp|mailgun|mapbox|mattermost|meraki|messagebird|mistral|mixpanel|nasa|netlify|new[\s_-]?relic|notion|nytimes|okta|openai|opsgenie|paypal|pagerduty|plaid|postmark|pusher|rapidapi|reddit|rollbar|salesforce|segment|sendbird|sentry|shodan|slack|snyk|sonar|spotify|squarespace|stripe|sumo(?:logic)?|supabase|telegram|travis|trello|twilio|twitch|twitter|typeform|vonage|wandb|yandex|zendesk|zoom";

static SHORT: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(&format!(
        r#"(?i)(?:{CREDENTIALS}){BETWEEN}([A-Za-z0-9+/_.=~%$!@^&*-]{{8,}})"#
    ))
});

static LONG: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(&format!(
        r#"(?i)(?:^|(?-u:[^a-z]))(?:[a-z0-9]+[_.-])*(?:{HINTS})(?:[_.-][a-z0-9]+)*{BETWEEN}([A-Za-z0-9+/_.=~-]{{16,}})"#
    ))
});

static VENDOR: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(&format!(
        r#"(?i)(?:^|(?-u:[^a-z]))(?:{VENDORS})[a-z0-9 _.-]{{0,30}}?["']?\s*(?:=|:{{1,2}}=?|=>|->|→|(?-u:\b)(?:is|was)(?-u:\b))\s*["'`]?([A-Za-z0-9_=+/-]{{14,}})"#
    ))
});

/// What may stand between a name and its value: `for the staging server is`, `=`, `: "`.
const BETWEEN: &str = r#"["'`)\]]*(?:\s+(?:for|to|of|on|from|für|von|de|del|da|do|di|para|pour|per|для)\s+(?-u:[^\s,;:.!?]{1,30}(?:\s+[^\s,;:.!?=]{1,20}){0,3}?))?\s*(?:(?:(?-u:\b)(?:is|was|ist|lautet|es|est|è|é)(?-u:\b)|это|是|为|為|は|=>|:=|[:=]|->|→)\s*)*["'`<(]*"#;

/// A pattern, and what tells whether the value that it finds is a key.
type Rule<'a> = (&'a Pattern, fn(&str) -> bool);

/// Finds values by their names.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    if !has_long_word(text, 8) {
        return;
    }
    let rules: [Rule<'_>; 3] = [
        (&SHORT, is_short_key),
        (&LONG, is_long_key),
        (&VENDOR, is_vendor_key),
    ];
    for (rule, is_key) in rules {
        for found in rule.all(text) {
            let key = found.value().trim_end_matches(['.', '!', '-']);
            if is_key(key) && !is_placeholder(key) {
                let range = found.value.start..found.value.start + key.len();
                findings.push(Finding::new("access key or token", range));
            }
        }
    }
}

fn count(text: &str, is: impl Fn(&u8) -> bool) -> usize {
    text.as_bytes().iter().filter(|b| is(b)).count()
}

/// Letters and digits mixed, and not as a date, a version or a file name has them.
fn is_short_key(value: &str) -> bool {
    let (digits, letters) = (
        count(value, u8::is_ascii_digit),
        count(value, u8::is_ascii_alphabetic),
    );
    let mixed_case = count(value, u8::is_ascii_uppercase) > 1 && count(value, u8::is_ascii_lowercase) > 1;
    let long = 24 <= value.len() && mixed_case && !value.contains(['.', '/']);
    8 <= value.len()
        && ((0 < digits && 2 <= letters && !is_name(value))
            || long
            || (digits == value.len() && 20 <= digits))
}

fn is_long_key(value: &str) -> bool {
    let digits = count(value, u8::is_ascii_digit);
    16 <= value.len()
        && !is_uuid(value)
        && 2 <= digits
        && 4 <= count(value, u8::is_ascii_alphabetic)
        && !is_name(value)
}

fn is_vendor_key(value: &str) -> bool {
    14 <= value.len() && 3 <= count(value, u8::is_ascii_digit) && !is_name(value)
}

/// A UUID is an id of something unless its name says that it is a key.
fn is_uuid(value: &str) -> bool {
    uuid::Uuid::try_parse(value).is_ok()
}

/// Words with a number among them, a file, a path or a model's name: `gpt-4o-mini-2024-07-18`,
/// `report_2026.pdf`.
fn is_name(value: &str) -> bool {
    let parts: Vec<&str> = value
        .split(['-', '_', '.', '/', '+', '='])
        .filter(|part| !part.is_empty())
        .collect();
    let is_word = |part: &&str| {
        let letters = part.chars().take_while(char::is_ascii_alphabetic).count();
        let tail = part.len() - letters;
        let one_case = part[..letters].chars().skip(1).all(|c| c.is_ascii_lowercase())
            || part.chars().all(|c| !c.is_ascii_lowercase());
        (letters == part.len() && one_case && part.len() <= 14)
            || (tail == part.len() && part.bytes().all(|b| b.is_ascii_digit()) && part.len() <= 4)
            || (one_case && tail <= 2 && letters <= 8 && part[letters..].bytes().all(|b| b.is_ascii_digit()))
            || (part.len() <= 3)
    };
    1 < parts.len() && parts.iter().all(is_word)
}
