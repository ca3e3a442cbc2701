//! The formats of tokens that say by their own letters what they are, as their vendors publish
//! them.
//!
//! `«A»` stands for a base-62 character, `«W»` for one of base64url, `«B»` for one of base64, `«H»`
//! for a lower-case hexadecimal digit, `«X»` for one in any case, `«U»` for a UUID. Lengths are
//! lower bounds where vendors have changed them before. To add a vendor, add a line.

/// A kind of token and its format.
pub(super) const FORMATS: &[(&str, &str)] = &[
    (
        "1password secret key",
        r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}",
    ),
    ("1password service account token", r"ops_eyJ«B»{60,}"),
    ("adobe client secret", r"p8e-«W»{32}"),
    ("age secret key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}"),
    ("airtable token", r"pat«A»{14}\.«H»{64}"),
    ("alibaba access key", r"LTAI«A»{12,26}"),
    ("anthropic key", r"sk-ant-«W»{20,}"),
    ("artifactory key", r"AKCp«A»{10,}|cmVmd«A»{59}"),
    ("atlassian token", r"AT(?:ATT3|BB|CTT3)[A-Za-z0-9_=-]{20,}"),
    (
        "authress key",
        r"(?:sc|ext|scauth|authress)_«A»{5,30}\.«A»{4,6}\.acc[_-]«W»{10,32}\.[A-Za-z0-9+/_=-]{30,}",
    ),
    (
        "aws access key",
        r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA)[A-Z0-9]{16}",
    ),
    ("aws bedrock key", r"ABSK«B»{100,}=*|bedrock-api-key-«B»{20,}"),
    ("aws mws key", r"amzn\.mws\.«U»"),
    (
        "azure client secret",
        r"[A-Za-z0-9_~.]{0,3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}",
    ),
    ("azure devops token", r"«A»{76}AZDO«A»{4}"),
    (
        "azure storage key",
        r"(?:AccountKey|SharedAccessKey)=«B»{40,}=*|«B»{76}\+ASt«B»{5,6}=*",
    ),
    ("azure shared access signature", r"[?&]sig=[A-Za-z0-9%/+=]{40,}"),
    ("bitbucket token", r"BBDC-«B»{40,}"),
    ("brevo key", r"x(?:keysib|smtpsib)-«H»{64}-«A»{16}"),
    ("buildkite token", r"bkua_«H»{40}"),
    ("circleci token", r"CCIPAT_«A»{10,}_«H»{40}"),
    ("clerk key", r"sk_(?:live|test)_«A»{20,}"),
    ("clickhouse cloud key", r"4b1d«A»{38}"),
    ("clojars token", r"(?i:CLOJARS_[a-z0-9]{60})"),
    ("cloudflare origin key", r"v1\.0-«H»{24}-«H»{146}"),
    ("contentful token", r"CFPAT-«W»{43}"),
    ("databricks token", r"dapi«H»{32}(?:-[0-9])?"),
    ("defined networking token", r"dnkey-«W»{26}-«W»{52}"),
    ("digitalocean token", r"do[opr]_v1_«H»{64}"),
    (
        "discord token",
        r"[MNO]«W»{23,27}\.«W»{6}\.«W»{27,38}|mfa\.«W»{80,}",
    ),
    (
        "discord webhook",
        r"discord(?:app)?\.com/api/webhooks/[0-9]{17,20}/«W»{60,}",
    ),
    ("docker token", r"dckr_(?:pat|oat)_«W»{20,}"),
    (
        "doppler token",
        r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:«W»{2,40}\.)?«A»{40,44}",
    ),
    ("dropbox token", r"sl\.(?:u\.)?«W»{60,}|«A»{11}AAAAAAAAAA«W»{43}"),
    ("duffel token", r"duffel_(?:test|live)_«W»{43}"),
    ("dynatrace token", r"dt0[a-z][0-9]{2}\.«A»{24}\.«A»{64}"),
    ("easypost key", r"EZ[AT]K«A»{54}"),
    (
        "facebook token",
        r"EAA[A-Z]?«A»{90,}|[0-9]{15,16}(?:\||%)«W»{27,40}",
    ),
    ("figma token", r"fig[dour]_«W»{40,}"),
    ("firebase cloud messaging key", r"AAAA«W»{7}:«W»{140}"),
    (
        "flutterwave key",
        r"FLW(?:SEC|PUB)K_TEST-[a-h0-9]{12,32}(?:-X)?|FLWSECK-[a-z0-9]{32}-X",
    ),
    ("fly.io token", r"fo1_«W»{43}|fm[12][ar]?_«B»{100,}=*"),
    ("frame.io token", r"fio-u-«W»{64}"),
    ("gcp api key", r"AIza«W»{35}"),
    ("github token", r"gh[pousr]_«A»{30,}|github_pat_[A-Za-z0-9_]{40,}"),
    (
        "gitlab token",
        r"gl(?:pat|dt|ft|rt|ptt|soat|oas|imt|agent|ffct|cbt|wt)-[A-Za-z0-9_.-]{20,}|GR1348941«W»{20}|_gitlab_session=[0-9a-z]{32}",
    ),
    ("google oauth secret", r"GOCSPX-«W»{24,}"),
    ("google oauth token", r"ya29\.«W»{20,}|1//0«W»{30,}"),
    (
        "grafana token",
        r"eyJrIjoi«A»{70,}=*|glc_«B»{32,}=*|glsa_«A»{32}_[A-Fa-f0-9]{8}",
    ),
    ("groq key", r"gsk_«A»{40,}"),
    ("harness key", r"(?:pat|sat)\.«W»{22}\.«A»{24}\.«A»{20}"),
    ("heroku key", r"HRKU-AA«W»{58}|HRKU-«U»"),
    ("hubspot token", r"pat-(?:na|eu)[0-9]-«U»"),
    ("hugging face token", r"hf_[A-Za-z0-9]{30,}|api_org_[A-Za-z]{34}"),
    ("infracost key", r"ico-«A»{32}"),
    ("intra42 secret", r"s-s4t2(?:ud|af)-«H»{64}"),
    (
        "jwt",
        r"ey[A-Za-z0-9_-]{10,}\.[A-Za-z0-9/_-]{10,}\.[A-Za-z0-9/_-]{5,}|ZXlK«B»{50,}=*",
    ),
    ("langsmith key", r"lsv2_(?:pt|sk)_«H»{32}_«H»{10}"),
    ("launchdarkly key", r"(?:api|sdk|mob)-«U»"),
    ("linear key", r"lin_(?:api|oauth)_«A»{40,}"),
    ("mailchimp key", r"«H»{32}-us[0-9]{1,2}"),
    ("mailgun key", r"(?:pub)?key-«H»{32}|«H»{32}-«H»{8}-«H»{8}"),
    (
        "mapbox token",
        r"[ps]k\.eyJ«W»{40,}\.«W»{20,}|[ps]k\.[a-z0-9]{60}\.[a-z0-9]{22}",
    ),
    ("maxmind key", r"«A»{6}_«A»{29}_mmk"),
    (
        "microsoft teams webhook",
        r"webhook\.office\.com/webhookb2/«U»@«U»/IncomingWebhook/[a-z0-9]{32}/«U»",
    ),
    ("neon key", r"napi_[a-z0-9]{50,}"),
    ("netlify token", r"nf[pkoc]_«A»{36,}"),
    ("new relic key", r"NR(?:AK|II|IQ|RA|AL|BR|JS)-«W»{19,}"),
    ("notion token", r"ntn_[0-9]{11}«A»{35}|secret_«A»{43}"),
    ("npm token", r"npm_«A»{36}"),
    ("nvidia key", r"nvapi-«W»{60,}"),
    ("octopus deploy key", r"API-[A-Z0-9]{26}"),
    ("okta token", r"00[A-Za-z0-9_=-]{40}"),
    (
        "openai key",
        r"sk-(?:proj|svcacct|admin|None)-«W»{20,}|sk-«A»{20}T3BlbkFJ«A»{20}|sk-«A»{32,}",
    ),
    ("openrouter key", r"sk-or-v1-«H»{64}"),
    ("openshift token", r"sha256~«W»{43}"),
    (
        "paypal token",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$«H»{32}",
    ),
    ("perplexity key", r"pplx-«A»{40,}"),
    ("pinecone key", r"pcsk_«W»{50,}"),
    ("plaid token", r"access-(?:sandbox|development|production)-«U»"),
    (
        "planetscale secret",
        r"pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,64}",
    ),
    ("posthog key", r"phx_«A»{40,}"),
    ("postman key", r"PMAK-«H»{24}-«H»{34}"),
    ("prefect key", r"pn[ub]_«A»{36}"),
    ("pulumi token", r"pul-«H»{40}"),
    ("pypi token", r"pypi-AgE«W»{50,}"),
    ("razorpay key", r"rzp_(?:live|test)_«A»{14}"),
    ("readme key", r"rdme_[a-z0-9]{70}"),
    ("replicate token", r"r8_«A»{37}"),
    ("resend key", r"re_«A»{8}_«A»{24}"),
    ("rubygems token", r"rubygems_«H»{48}"),
    ("scalingo token", r"tk-us-«W»{48}"),
    (
        "sendgrid key",
        r"SG\.«W»{16,32}\.«W»{16,64}|SG\.[A-Za-z0-9=_.-]{66}",
    ),
    (
        "sentry token",
        r"sntry[us]_[A-Za-z0-9+/=_]{40,}|[0-9a-f]{32}(?::[0-9a-f]{32})?@(?:o[0-9]+\.ingest\.)?sentry\.io",
    ),
    ("settlemint token", r"sm_(?:aat|pat|sat)_«A»{16}"),
    ("shippo token", r"shippo_(?:live|test)_[a-fA-F0-9]{40}"),
    ("shopify token", r"shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}"),
    (
        "slack token",
        r"xox[abceoprs](?:\.xox[bp])?-[A-Za-z0-9-]{10,}|xapp-[0-9]-[A-Z0-9]+-[0-9]+-[A-Za-z0-9]+|xoxd-[A-Za-z0-9%+/=-]{40,}",
    ),
    (
        "slack webhook",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}",
    ),
    ("sonar token", r"sq[uap]_«H»{40}"),
    (
        "sourcegraph token",
        r"sgp_(?:[a-fA-F0-9]{16}_|local_)?[a-fA-F0-9]{40}",
    ),
    ("square token", r"sq0(?:atp|csp|idp)-«W»{22,60}|EAAA«W»{56,60}"),
    (
        "stripe key",
        r"(?:sk|rk)_(?:live|test|prod)_«A»{10,}|whsec_«B»{24,}=*",
    ),
    ("supabase token", r"sbp_«H»{40}|sb_secret_«W»{20,}"),
    (
        "tailscale key",
        r"tskey-(?:auth|api|client|scim|webhook)-«A»{8,}-«A»{20,}",
    ),
    ("telegram token", r"[0-9]{8,10}:A[A-Za-z0-9_-]{34}"),
    ("terraform token", r"«A»{14}\.atlasv1\.[A-Za-z0-9_=-]{60,70}"),
    ("twilio key", r"(?:SK|AC)«X»{32}"),
    ("twitter bearer token", r"A{22}[A-Za-z0-9%]{60,}"),
    ("typeform token", r"tfp_[A-Za-z0-9_.=-]{40,}"),
    ("vault token", r"hv[sbr]\.«W»{24,}|s\.«A»{24}"),
    ("vercel token", r"vc[abcikpr]_«A»{24,}"),
    ("volcano engine key", r"AKLT«W»{40,}"),
    ("wandb key", r"wandb_v1_«W»{40,}"),
    ("xai key", r"xai-«A»{70,}"),
    (
        "yandex key",
        r"AQVN«W»{35,38}|YC«W»{38}|t1\.«W»{20,}=*\.«W»{86}=*|y[0-3]_«W»{50,}",
    ),
    (
        "zapier webhook",
        r"hooks\.zapier\.com/hooks/catch/[0-9]+/[A-Za-z0-9]+",
    ),
];

/// Writes the shorthands of a format out.
pub(super) fn expand(format: &str) -> String {
    const UUID: &str = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
    [
        ("«A»", "[A-Za-z0-9]"),
        ("«W»", "[A-Za-z0-9_-]"),
        ("«B»", "[A-Za-z0-9+/]"),
        ("«H»", "[0-9a-f]"),
        ("«X»", "[0-9a-fA-F]"),
        ("«U»", UUID),
    ]
    .into_iter()
    .fold(format.to_owned(), |format, (short, long)| {
        format.replace(short, long)
    })
}
