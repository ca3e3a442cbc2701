//! Tokens, one template a kind: those with a format of their own, and those that only their name
//! gives away.

use super::generator::Generator;

/// A kind and what makes an example of it.
pub type Kind = (&'static str, Box<dyn Fn(&mut Generator) -> String>);

/// Tokens with a format of their own. They are found wherever they stand.
const FORMATTED: &[(&str, &str)] = &[
    ("1password secret key", "A3-{U6}-{U11}-{U5}-{U5}-{U5}"),
    ("1password service token", "ops_eyJ{B250}"),
    ("adobe client secret", "p8e-{a32}"),
    ("age secret key", "AGE-SECRET-KEY-1{U58}"),
    ("airtable token", "pat{A14}.{H64}"),
    ("alibaba access key id", "LTAI{a20}"),
    ("anthropic key", "sk-ant-api03-{W93}AA"),
    ("anthropic admin key", "sk-ant-admin01-{W93}AA"),
    ("artifactory key", "AKCp{A69}"),
    ("atlassian token", "ATATT3{W186}"),
    ("aws access key", "AKIA{U16}"),
    ("aws session key", "ASIA{U16}"),
    ("aws bedrock key", "ABSK{B109}"),
    ("azure client secret", "{A3}8Q~{W33}"),
    (
        "azure storage key",
        "DefaultEndpointsProtocol=https;AccountName=ana;AccountKey={B86}==",
    ),
    ("brevo key", "xkeysib-{H64}-{A16}"),
    ("clickhouse key", "4b1d{A38}"),
    ("clojars token", "CLOJARS_{a60}"),
    ("cloudflare origin key", "v1.0-{H24}-{H146}"),
    ("databricks token", "dapi{H32}"),
    ("digitalocean personal token", "dop_v1_{H64}"),
    ("digitalocean oauth token", "doo_v1_{H64}"),
    ("discord bot token", "MTA{A21}.{W6}.{W38}"),
    ("docker token", "dckr_pat_{W27}"),
    ("doppler token", "dp.pt.{A43}"),
    ("dropbox short token", "sl.{W135}"),
    ("duffel token", "duffel_live_{W43}"),
    ("dynatrace token", "dt0c01.{U24}.{U64}"),
    ("easypost key", "EZAK{A54}"),
    ("facebook page token", "EAAC{A120}"),
    ("facebook app token", "{D15}|{W27}"),
    ("figma token", "figd_{W40}"),
    ("firebase messaging key", "AAAA{W7}:{W140}"),
    ("flutterwave key", "FLWSECK_TEST-{H32}-X"),
    ("fly.io token", "fo1_{W43}"),
    ("frame.io token", "fio-u-{W64}"),
    ("gcp api key", "AIza{W35}"),
    ("github personal token", "ghp_{A36}"),
    ("github fine-grained token", "github_pat_{A22}_{A59}"),
    ("github oauth token", "gho_{A36}"),
    ("github app token", "ghs_{A36}"),
    ("gitlab personal token", "glpat-{W20}"),
    ("gitlab runner token", "glrt-{W20}"),
    ("gitlab deploy token", "gldt-{W20}"),
    ("google oauth secret", "GOCSPX-{W28}"),
    ("google oauth token", "ya29.{W120}"),
    ("grafana service token", "glsa_{A32}_{H8}"),
    ("grafana cloud token", "glc_{A60}"),
    ("groq key", "gsk_{A52}"),
    ("harness key", "pat.{W22}.{A24}.{A20}"),
    ("heroku key", "HRKU-AA{W58}"),
    ("hubspot token", "pat-na1-{G}"),
    ("hugging face token", "hf_{L34}"),
    ("infracost key", "ico-{A32}"),
    ("jwt", "eyJ{W30}.eyJ{W60}.{W43}"),
    ("langsmith key", "lsv2_pt_{H32}_{H10}"),
    ("launchdarkly sdk key", "sdk-{G}"),
    ("linear key", "lin_api_{A40}"),
    ("mailchimp key", "{H32}-us14"),
    ("mailgun key", "key-{H32}"),
    ("mapbox token", "sk.eyJ{W60}.{W22}"),
    ("maxmind key", "{A6}_{A29}_mmk"),
    ("neon key", "napi_{a64}"),
    ("netlify token", "nfp_{A40}"),
    ("new relic user key", "NRAK-{U27}"),
    ("notion token", "ntn_{D11}{A35}"),
    ("npm token", "npm_{A36}"),
    ("nvidia key", "nvapi-{W64}"),
    ("octopus key", "API-{U26}"),
    ("okta token", "00{W40}"),
    ("openai project key", "sk-proj-{W74}T3BlbkFJ{W74}"),
    ("openai key", "sk-{A20}T3BlbkFJ{A20}"),
    ("openrouter key", "sk-or-v1-{H64}"),
    ("openshift token", "sha256~{W43}"),
    ("perplexity key", "pplx-{A48}"),
    ("plaid token", "access-production-{G}"),
    ("planetscale password", "pscale_pw_{W43}"),
    ("postman key", "PMAK-{H24}-{H34}"),
    ("prefect key", "pnu_{A36}"),
    ("pulumi token", "pul-{H40}"),
    ("pypi token", "pypi-AgEIcHlwaS5vcmc{W120}"),
    ("readme key", "rdme_{a70}"),
    ("replicate token", "r8_{A37}"),
    ("rubygems token", "rubygems_{H48}"),
    ("sendgrid key", "SG.{W22}.{W43}"),
    ("sentry user token", "sntryu_{H64}"),
    ("shippo token", "shippo_live_{H40}"),
    ("shopify token", "shpat_{H32}"),
    ("shopify shared secret", "shpss_{H32}"),
    ("slack bot token", "xoxb-{D12}-{D12}-{A24}"),
    ("slack user token", "xoxp-{D12}-{D12}-{D12}-{H32}"),
    ("slack app token", "xapp-1-A{U9}-{D13}-{H64}"),
    (
        "slack webhook",
        "https://hooks.slack.com/services/T{U8}/B{U10}/{A24}",
    ),
    ("sourcegraph token", "sgp_{H40}"),
    ("square token", "sq0atp-{W22}"),
    ("stripe live key", "sk_live_{A24}"),
    ("stripe restricted key", "rk_live_{A40}"),
    ("stripe webhook secret", "whsec_{A32}"),
    ("supabase token", "sbp_{H40}"),
    ("tailscale key", "tskey-auth-{A12}-{A32}"),
    (
        "teams webhook",
        "https://acme.webhook.office.com/webhookb2/{G}@{G}/IncomingWebhook/{H32}/{G}",
    ),
    ("telegram token", "{D10}:AA{W33}"),
    ("terraform token", "{A14}.atlasv1.{A67}"),
    ("twilio key", "SK{H32}"),
    ("twitter bearer token", "AAAAAAAAAAAAAAAAAAAAAA{A80}"),
    ("typeform token", "tfp_{W59}"),
    ("vault service token", "hvs.{W95}"),
    ("vault legacy token", "s.{A24}"),
    ("yandex key", "AQVN{W37}"),
    (
        "ssh private key",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n{B70}\n{B70}\n-----END OPENSSH PRIVATE KEY-----",
    ),
    (
        "rsa private key",
        "-----BEGIN RSA PRIVATE KEY-----\n{B64}\n{B64}\n-----END RSA PRIVATE KEY-----",
    ),
    (
        "pgp private key",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n{B64}\n-----END PGP PRIVATE KEY BLOCK-----",
    ),
    ("bitcoin key", "L{S51}"),
    ("extended private key", "xprv{S107}"),
    ("database url", "postgres://ana:{A12}@db.internal:5432/app"),
    ("mongodb url", "mongodb+srv://svc:{W16}@cluster0.mongodb.net"),
    ("redis url", "redis://:{A20}@cache:6379/0"),
    (
        "https url with a password",
        "https://bot:{A14}@git.example.com/team/repo.git",
    ),
    ("amqp url", "amqp://guest:{a10}@mq:5672"),
];

/// Credentials without a format of their own, and how they are called.
const NAMED: &[(&str, &str)] = &[
    ("adafruit api key", "{a32}"),
    ("aws secret access key", "{B40}"),
    ("algolia api key", "{H32}"),
    ("asana client secret", "{a32}"),
    ("bitbucket client secret", "{W64}"),
    ("cloudflare api token", "{W40}"),
    ("codecov token", "{G}"),
    ("cohere api key", "{A40}"),
    ("coinbase access token", "{a64}"),
    ("confluent secret key", "{a64}"),
    ("contentful token", "{W43}"),
    ("datadog api key", "{H32}"),
    ("datadog app key", "{H40}"),
    ("discord client secret", "{W32}"),
    ("dropbox api secret", "{a15}"),
    ("etsy access token", "{a24}"),
    ("facebook app secret", "{H32}"),
    ("fastly api token", "{W32}"),
    ("finnhub token", "{a20}"),
    ("heroku api key", "{G}"),
    ("hubspot api key", "{G}"),
    ("intercom api key", "{a60}"),
    ("jfrog identity token", "{a64}"),
    ("kraken api secret", "{B88}"),
    ("linkedin client secret", "{a16}"),
    ("mattermost access token", "{a26}"),
    ("messagebird api token", "{a25}"),
    ("netlify access token", "{W43}"),
    ("plaid secret", "{H30}"),
    ("rapidapi key", "{a50}"),
    ("sentry auth token", "{H64}"),
    ("snyk token", "{G}"),
    ("spotify client secret", "{H32}"),
    ("twilio auth token", "{H32}"),
    ("twitch access token", "{a30}"),
    ("twitter api secret", "{A50}"),
    ("zendesk api token", "{a40}"),
    ("webhook secret", "{A32}"),
    ("session token", "{A40}"),
    ("encryption key", "{B43}="),
];

/// Gives every kind of token.
pub fn kinds() -> Vec<Kind> {
    let formatted = |&(kind, template): &(&'static str, &'static str)| -> Kind {
        (kind, Box::new(move |generator| formatted(generator, template)))
    };
    let named = |&(kind, template): &(&'static str, &'static str)| -> Kind {
        (kind, Box::new(move |generator| named(generator, kind, template)))
    };
    FORMATTED
        .iter()
        .map(formatted)
        .chain(NAMED.iter().map(named))
        .collect()
}

/// A token that is found wherever it stands.
fn formatted(generator: &mut Generator, template: &str) -> String {
    const SENTENCES: &[&str] = &[
        "*",
        "Remember this for me: *",
        "use * for the staging bot",
        "(*)",
        "der Schlüssel ist * und gilt bis Mai",
        "export TOKEN=*",
        "我的令牌是*。",
        "It was \"*\" last time I looked.",
        "la clave nueva: *",
        "<*>",
        "config:\n  value: *\n  region: eu",
    ];
    let token = generator.fill(template);
    generator.pick(SENTENCES).replace('*', &token)
}

/// A token with its name.
fn named(generator: &mut Generator, kind: &str, template: &str) -> String {
    const SENTENCES: &[&str] = &[
        "my NAME is *",
        "the NAME is *",
        "NAME: *",
        "NAME = *",
        "Please remember the NAME: *",
        "UPPER=*",
        "UPPER: \"*\"",
        "the NAME for staging is *",
        "NAME -> *",
        "The NAME was * before the rotation",
    ];
    let token = generator.fill(template);
    generator
        .pick(SENTENCES)
        .replace("NAME", kind)
        .replace("UPPER", &kind.to_uppercase().replace(' ', "_"))
        .replace('*', &token)
}
