//! Identity numbers that only what they are called gives away: passports, licences, tax and
//! insurance numbers.

use std::sync::LazyLock;

use super::super::Finding;
use super::super::digits::has_digits;
use super::super::pattern::Pattern;

/// A kind, the names it goes by in several languages, and the form of its numbers.
const NAMES: &[(&str, &str, &str)] = &[
    (
        "passport number",
        r"passport|passeport|pasaporte|passaporte|passaporto|reisepass|pass(?:nummer|[\s-]?nr)|paspoort|паспорт|护照|護照|パスポート|旅券|여권|pasaport|paszport",
        r"[A-Z]{0,3}[\s-]?[0-9][A-Z0-9]{5,9}|[0-9]{2}\s?[0-9]{2}\s[0-9]{6}|[A-Z][0-9]{2}[A-Z0-9]{6}|[CFGHJKLMNPRTVWXYZ][CFGHJKLMNPRTVWXYZ0-9]{8}",
    ),
    (
        "driving licence number",
        r"driv(?:ing|er'?s?)[\s-]licen[cs]e|(?-i:(?-u:\b)DL)|führerschein|permis\s+de\s+conduire|(?:permiso|licencia)\s+de\s+conducir|carnet\s+de\s+conducir|carta\s+de\s+condução|patente(?:\s+di\s+guida)?|rijbewijs|водительск(?-u:[a-z\x80-\xff])+(?:\s+(?-u:[a-z\x80-\xff])+)?|驾驶证|驾照|運転免許",
        r"[A-Za-z0-9](?:[\s-]?[A-Z0-9]){5,19}",
    ),
    (
        "us social security number",
        r"(?-u:\b)ssn|social\s+security(?:\s+(?:number|no\.?))?",
        r"[0-9]{3}[\s-]?[0-9]{2}[\s-]?[0-9]{4}",
    ),
    (
        "us taxpayer number",
        r"(?-u:\b)itin|taxpayer\s+id(?-u:[a-z\x80-\xff])*",
        r"9[0-9]{2}[\s-]?[0-9]{2}[\s-]?[0-9]{4}",
    ),
    (
        "uk national insurance number",
        r"national\s+insurance|(?-u:\b)nino(?-u:\b)|(?-u:\b)ni\s+(?:number|no\.?)",
        r"[A-Z]{2}\s?[0-9]{2}\s?[0-9]{2}\s?[0-9]{2}\s?[A-D]",
    ),
    (
        "uk nhs number",
        r"(?-u:\b)nhs",
        r"[0-9]{3}[\s-]?[0-9]{3}[\s-]?[0-9]{4}",
    ),
    (
        "canadian social insurance number",
        r"(?-i:(?-u:\b)SIN(?-u:\b))|social\s+insurance|assurance\s+sociale|(?-u:\b)NAS(?-u:\b)",
        r"[0-9]{3}[\s-]?[0-9]{3}[\s-]?[0-9]{3}",
    ),
    (
        "tax number",
        r"(?-u:\b)tfn|tax\s+(?:file|id(?-u:[a-z\x80-\xff])*|number)|steuer[\s-]?(?:id(?-u:[a-z\x80-\xff])*|nummer)|(?-i:(?-u:\b)NIF(?-u:\b)|(?-u:\b)NIE(?-u:\b)|(?-u:\b)UTR(?-u:\b)|(?-u:\b)PPS(?-u:\b)|(?-u:\b)PPSN(?-u:\b))|codice\s+fiscale|num[eé]ro\s+fiscal|número\s+de\s+contribuinte|(?-u:\b)ИНН(?-u:\b)|税号",
        r"[0-9]{2,3}(?:[\s./-]?[0-9]{2,4}){2,4}|[A-Z]?[0-9]{7,9}[A-Z]{1,2}",
    ),
    (
        "identity card number",
        r"(?:national\s+|identity\s+card\s+|id\s+card\s+)(?:id\s+)?(?:number|no\.?)|personalausweis(?:nummer)?|ausweisnummer|carte\s+d'identité|(?-u:\b)CNI(?-u:\b)|(?-i:(?-u:\b)DNI(?-u:\b))|documento\s+de\s+identidad|c[eé]dula|carta\s+d'identità|cartão\s+de\s+cidadão|identiteitskaart|(?-u:\b)BSN(?-u:\b)|burgerservicenummer|(?-u:\b)PESEL(?-u:\b)|rijksregisternummer|personnummer|fødselsnummer|(?-u:\b)CPR(?-u:\b)|TC\s+kimlik|kimlik\s+no|身份证|身分證|마이|주민등록번호|マイナンバー|個人番号|aadhaa?r|आधार|(?-u:\b)CPF(?-u:\b)|(?-u:\b)RUT(?-u:\b)|(?-u:\b)HKID(?-u:\b)|(?-u:\b)NRIC(?-u:\b)",
        r"[A-Z]{0,2}[0-9](?:[\s.-]?[A-Z0-9]){6,17}",
    ),
    (
        "indian pan",
        r"(?-i:(?-u:\b)PAN(?-u:\b))",
        r"[A-Z]{5}[0-9]{4}[A-Z]",
    ),
    (
        "health insurance number",
        r"medicare|medicaid|health\s+(?:insurance|card)|krankenversicher(?-u:[a-z\x80-\xff])*|versichertennummer|carte\s+vitale|tarjeta\s+sanitaria",
        r"[A-Z]{0,3}[0-9](?:[\s-]?[A-Z0-9]){7,14}",
    ),
];

static COMPILED: LazyLock<Vec<(&'static str, Pattern)>> = LazyLock::new(|| {
    let compile = |&(kind, names, form): &(&'static str, &str, &str)| {
        let source = format!(
            r"(?i)(?:{names})(?:\s*(?:number|no\.?|num\.?|nr\.?|nummer|#|id|n[°º]|número|numéro|numero|номер|号码|號碼|番号|번호))?(?:\s+(?:of|for|von|de|del|di|für)\s+(?-u:\S{{1,20}}(?:\s\S{{1,20}})?))?\s*(?:is|was|ist|lautet|es|est|è|é|是|为|は|:|=|,|-|\()?\s*[:#]?\s*((?-i:{form}))(?-u:\b)",
        );
        (kind, Pattern::new(&source))
    };
    NAMES.iter().map(compile).collect()
});

/// Names the kinds.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(kind, ..)| *kind)
}

/// Finds numbers after their names.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    for (kind, form) in COMPILED.iter() {
        for found in form.all(text) {
            if has_digits(found.value(), 4) && !is_date(found.value()) && !goes_on(found.after()) {
                findings.push(Finding::new(kind, found.value));
            }
        }
    }
}

/// A number that goes on is something else: a longer code, a phone number, a price.
fn goes_on(rest: &str) -> bool {
    let mut rest = rest.chars();
    let (first, second) = (rest.next(), rest.next());
    first.is_some_and(|c| c.is_ascii_alphanumeric())
        || (matches!(first, Some('-' | '.' | ',')) && second.is_some_and(|c| c.is_ascii_digit()))
}

/// Dates and years stand near documents more often than numbers do.
fn is_date(number: &str) -> bool {
    static DATE: LazyLock<Pattern> = LazyLock::new(|| {
        Pattern::new(
            r"^(?:(?:19|20)[0-9]{2}[\s./-]?[0-9]{1,2}[\s./-]?[0-9]{1,2}|[0-9]{1,2}[\s./-][0-9]{1,2}[\s./-](?:19|20)[0-9]{2})$",
        )
    });
    DATE.is_match(number)
}
