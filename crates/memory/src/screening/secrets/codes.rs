//! Short codes that open something: PINs, card verification codes, one-time codes, door codes.

use std::sync::LazyLock;

use super::Finding;
use super::digits::has_digits;
use super::pattern::Pattern;

/// A kind, the names it goes by, and the form of its codes. A name and a code are joined by a
/// copula or a sign, or stand side by side.
const NAMES: &[(&str, &str, &str)] = &[
    (
        "card verification code",
        r"(?-u:\b)cvv2?|(?-u:\b)cvc2?|(?-u:\b)csc(?-u:\b)|card\s+verification\s+(?:code|number|value)|(?:card\s+)?security\s+code|prüfnummer|código\s+de\s+segur(?-u:[a-z\x80-\xff])+|cryptogramme(?:\s+visuel)?|codice\s+di\s+sicurezza|安全码",
        r"[0-9]{3,4}",
    ),
    (
        "one-time code",
        r"(?-u:\b)otp(?-u:\b)|(?-u:\b)2fa(?:\s+code)?|(?-u:\b)mfa\s+code|(?-u:\b)totp(?-u:\b)|one[\s-]time\s+(?:code|password|passcode|pin)|(?:verification|confirmation|authentication|authenticator|security|log-?in|sign-?in|sms|backup|recovery)\s+codes?|(?:bestätigungs|verifizierungs|sicherheits|einmal|freischalt)code|(?-u:\b)tan(?-u:\b)|code\s+de\s+(?:vérification|confirmation|sécurité)|código\s+de\s+(?:verificación|verificação|confirmación|confirmação|seguridad)|codice\s+di\s+(?:verifica|conferma)|код\s+(?:подтверждения|проверки|из\s+смс)|验证码|驗證碼|認証コード|確認コード|인증\s*번호|doğrulama\s+kodu|kod\s+weryfikacyjny|verificatiecode",
        r"(?:G-)?[0-9]{4,8}|[0-9]{3}[ -][0-9]{3}|[0-9]{4}[ -][0-9]{4}|[a-z0-9]{4,6}-[a-z0-9]{4,6}",
    ),
    (
        "pin",
        r"(?-u:\b)pin(?:[\s-]*(?:code|number|nummer))?|(?-u:\b)puk(?-u:\b)|geheimzahl|geheimnummer|code\s+pin|código\s+pin|código\s+secreto|code\s+secret|codice\s+(?:pin|segreto)|пин[\s-]?код|暗証番号|pin码|(?:voicemail|phone|card|sim|unlock|screen|tablet)\s+(?:pin|passcode|code)|code\s+(?:de\s+(?:la|ma|sa)\s+)?carte(?:\s+(?:bleue|bancaire))?|code\s+cb(?-u:\b)|kartencode|código\s+(?:de\s+la\s+tarjeta|do\s+cartão)|codice\s+(?:della\s+carta|del\s+bancomat)",
        r"[0-9]{4,8}|[0-9](?:[ -][0-9]){3,7}",
    ),
    (
        "access code",
        r"(?:door|gate|alarm|entry|access|safe|locker|garage|key\s?pad|lock\s?box|building|security\s+system|padlock|vault)\s+(?:code|combination|combo)|combination\s+(?:to|of|for)\s+(?:the|my)\s+(?-u:[a-z\x80-\xff])+|(?:tür|alarm|tor|zugangs|safe|tresor)code|code\s+(?:de\s+la\s+porte|d'entrée|de\s+l'alarme|d'accès)|código\s+(?:de\s+la\s+puerta|de\s+la\s+alarma|da\s+porta|do\s+alarme|de\s+acceso|de\s+acesso)|codice\s+(?:dell'allarme|della\s+porta|di\s+accesso)|код\s+(?:домофона|от\s+двери|сигнализации)|门禁密码|开锁密码|(?:door|gate|safe|garage|lock|locker|tür|tor|tresor|porte|puerta|porta)\s+(?:opens|unlocks|öffnet|geht|s'ouvre|se\s+abre|abre|si\s+apre)\s+(?:with|by|mit|avec|con|com)",
        r"[#*]?[0-9]{3,8}[#*]?|[0-9]{1,2}(?:[ -][0-9]{1,2}){2,3}",
    ),
];

static COMPILED: LazyLock<Vec<(&'static str, Pattern)>> = LazyLock::new(|| {
    let compile = |&(kind, names, form): &(&'static str, &str, &str)| {
        let source = format!(
            r#"(?xi) (?:{}) (?:\s+(?:for|of|on|to|from|at|für|von|am|de|del|du|da|do|di|para|pour|per|в|для|от)\s+(?-u:[^\s.;:?!]{{1,20}}(?:\s[^\s.;:?!0-9]{{1,20}}){{0,3}}?))?
               \s* (?: (?:\s(?:is|was|are|ist|lautet|war|es|est|é|è|jest|это)(?-u:\b)|是|为|為|は|[:=\#]|->|→)\s*(?:(?:now|still|currently|jetzt|now:|:)\s*)? )?
               ["'`\s]* ((?-i:{})) (?-u:\b)"#,
            names.replace(' ', r"\ "),
            form.replace(' ', r"\ ").replace('#', r"\#"),
        );
        (kind, Pattern::new(&source))
    };
    NAMES.iter().map(compile).collect()
});

/// Units and nouns after which a number was no code: `PIN 4 digits`, `backup codes 2026 edition`.
static COUNTED: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)^\s*(?:digits?|numbers?|characters?|chars|minutes?|hours?|days?|seconds?|weeks?|months?|years?|times?|attempts?|users?|employees|people|stellen|ziffern|minuten|tage|chiffres|dígitos|cifre|位|分钟|桁|%|€|\$|km|kg|am(?-u:\b)|pm(?-u:\b)|uhr(?-u:\b))",
    )
});

/// Names the kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(kind, ..)| *kind)
}

/// Finds codes.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    if !has_digits(text, 3) {
        return;
    }
    for (kind, form) in COMPILED.iter() {
        for found in form.all(text) {
            let joined = &text[found.whole.start..found.value.start];
            let rest = found.after();
            let longer = rest.starts_with(['-', '/', ':', '.'])
                && rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric());
            if !COUNTED.is_match(rest) && !longer && is_joined(joined, found.value()) {
                findings.push(Finding::new(kind, found.value));
            }
        }
    }
}

/// A year right behind a name (`access code 2026`) is a year unless something says `is`.
fn is_joined(joined: &str, code: &str) -> bool {
    let year = code.len() == 4 && (code.starts_with("19") || code.starts_with("20"));
    let signs = [
        " is", " was", " are", " ist", " lautet", " es", " est", " é", " è", "是", "为", "は", ":", "=", "#",
    ];
    let lower = joined.to_lowercase();
    let letters_only = code.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    !letters_only && (!year || signs.iter().any(|sign| lower.contains(sign)))
}
