//! Expressions that count from today, in the languages that people ask in.

use std::sync::LazyLock;

use jiff::civil::{Date, Weekday};
use jiff::{Span as Length, ToSpan};
use regex::{Regex, RegexSet};

use super::Days;

/// What an expression means.
#[derive(Clone, Copy)]
enum Meaning {
    DayBeforeYesterday,
    Yesterday,
    LastWeek,
    ThisWeek,
    LastMonth,
    ThisMonth,
    LastYear,
    ThisYear,
}

/// Expressions by meaning; one that holds another stands before it. Words of languages with spaces
/// are whole, the others stand anywhere.
const EXPRESSIONS: [(Meaning, &str, &str); 8] = [
    (
        Meaning::DayBeforeYesterday,
        "day before yesterday|vorgestern|anteayer|antes de ayer|avant-hier|anteontem|altro ieri|eergisteren|przedwczoraj|позавчера|evvelsi gün|hôm kia",
        "前天|一昨日|おととい|그저께|그제|أول أمس|เมื่อวานซืน",
    ),
    (
        Meaning::Yesterday,
        "yesterday|last night|gestern|ayer|anoche|hier soir|ontem|ieri|gisteren|wczoraj|вчера|dün|hôm qua|أمس|امس",
        "昨天|昨日|昨晚|昨夜|어제|어젯밤|เมื่อวาน",
    ),
    (
        Meaning::LastWeek,
        "last week|letzte woche|letzter woche|vergangene woche|semana pasada|semaine dernière|semaine passée|semana passada|settimana scorsa|vorige week|afgelopen week|(?:zeszłym|ubiegłym|zeszły|poprzednim) (?:tygodniu|tydzień)|прошлой неделе|прошлую неделю|geçen hafta|tuần trước|الأسبوع الماضي|الاسبوع الماضي|पिछले (?:हफ्ते|सप्ताह|हफ़्ते)",
        "上周|上星期|上个星期|上礼拜|上個星期|上週|先週|지난주|지난 주|สัปดาห์ที่แล้ว|อาทิตย์ที่แล้ว",
    ),
    (
        Meaning::ThisWeek,
        "past week|this week|diese woche|dieser woche|esta semana|cette semaine|questa settimana|deze week|tym tygodniu|этой неделе|bu hafta|tuần này|هذا الأسبوع|इस (?:हफ्ते|सप्ताह)",
        "这周|本周|这个星期|這週|今週|이번 주|이번주|สัปดาห์นี้",
    ),
    (
        Meaning::LastMonth,
        "last month|letzten monat|letztem monat|vergangenen monat|mes pasado|mois dernier|mois passé|mês passado|mese scorso|vorige maand|afgelopen maand|(?:zeszłym|ubiegłym) miesiącu|прошлом месяце|прошлый месяц|geçen ay|tháng trước|الشهر الماضي|पिछले महीने",
        "上个月|上月|上個月|先月|지난달|지난 달|เดือนที่แล้ว",
    ),
    (
        Meaning::ThisMonth,
        "past month|this month|diesen monat|diesem monat|este mes|ce mois|este mês|questo mese|deze maand|tym miesiącu|этом месяце|bu ay|tháng này|هذا الشهر|इस महीने",
        "这个月|本月|這個月|今月|이번 달|이번달|เดือนนี้",
    ),
    (
        Meaning::LastYear,
        "last year|letztes jahr|letzten jahr|vergangenes jahr|año pasado|année dernière|an dernier|an passé|ano passado|anno scorso|vorig jaar|afgelopen jaar|(?:zeszłym|ubiegłym) roku|прошлом году|geçen (?:yıl|sene)|năm (?:ngoái|trước)|السنة الماضية|العام الماضي|पिछले साल",
        "去年|작년|지난해|ปีที่แล้ว",
    ),
    (
        Meaning::ThisYear,
        "this year|dieses jahr|diesem jahr|este año|cette année|este ano|quest'anno|dit jaar|tym roku|этом году|bu (?:yıl|sene)|năm nay|هذا العام|هذه السنة|इस साल",
        "今年|올해|ปีนี้",
    ),
];

static NAMED: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = EXPRESSIONS
        .iter()
        .map(|(_, spaced, anywhere)| format!(r"\b(?:{spaced})\b|(?:{anywhere})"));
    RegexSet::new(patterns).expect("fixed patterns")
});

/// `three days ago`, `vor 3 Tagen`, `hace tres días`, `il y a trois jours`, `3天前`.
static AGO: LazyLock<Regex> = LazyLock::new(|| {
    let count = r"(\d{1,4}|an?|one|two|three|four|five|six|seven|ein\w*|zwei|drei|vier|fünf|sechs|sieben|un[ao]?|une|dos|deux|due|dois|duas|twee|een|tres|trois|tre|três|drie|cuatro|quatre|quattro|quatro|cinco|cinq|cinque|seis|six|sei)";
    let unit = r"(days?|weeks?|months?|years?|tag\w*|wochen?|monat\w*|jahr\w*|días?|semanas?|mes(?:es|i|e)?|años?|jours?|semaines?|mois|ans?|dias?|mês|anos?|giorn[io]|settiman[ae]|anni|anno|dag(?:en)?|weken|week|maand(?:en)?|jaar)";
    let patterns = [
        format!(r"\b{count} {unit} (?:ago|fa|geleden|atrás|back)\b"),
        format!(r"\b(?:vor|hace|il y a|há) {count} {unit}\b"),
        r"(\d{1,4}|[一二三四五六七两])\s?个?(天|日|周|星期|週間|か月|ヶ月|月|年|일|주|달|개월)\s?(?:之?前|以前|전)".to_owned(),
    ];
    Regex::new(&patterns.join("|")).expect("a fixed pattern")
});

/// `last Monday`, `letzten Montag`, `上周一`.
static WEEKDAY: LazyLock<Regex> = LazyLock::new(|| {
    let names = DAY_NAMES.map(|names| format!("({names})")).join("|");
    Regex::new(&format!(
        r"\b(?:last|letzten|le dernier|vorige|afgelopen) (?:{names})\b|\b(?:el|la|le)? ?(?:{names}) (?:pasad[oa]|dernier|passé|scors[oa]|passad[oa])\b"
    ))
    .expect("a fixed pattern")
});

const DAY_NAMES: [&str; 7] = [
    "monday|montag|lunes|lundi|lunedì|segunda(?:-feira)?|maandag",
    "tuesday|dienstag|martes|mardi|martedì|terça(?:-feira)?|dinsdag",
    "wednesday|mittwoch|miércoles|mercredi|mercoledì|quarta(?:-feira)?|woensdag",
    "thursday|donnerstag|jueves|jeudi|giovedì|quinta(?:-feira)?|donderdag",
    "friday|freitag|viernes|vendredi|venerdì|sexta(?:-feira)?|vrijdag",
    "saturday|samstag|sonnabend|sábado|samedi|sabato|zaterdag",
    "sunday|sonntag|domingo|dimanche|domenica|zondag",
];

/// The time that a question names by counting from today.
pub(super) fn named(text: &str, lower: &str, today: Date) -> Option<Days> {
    if let Some(found) = ago(lower, today).or_else(|| weekday(lower, today)) {
        return Some(found);
    }
    let at = NAMED.matches(lower).into_iter().next().or_else(|| {
        // Scripts that have no case keep what lowering would change.
        (!text.is_ascii()).then(|| NAMED.matches(text).into_iter().next())?
    })?;
    days_of(EXPRESSIONS[at].0, today)
}

fn days_of(meaning: Meaning, today: Date) -> Option<Days> {
    let back = |length: Length| today.checked_sub(length).ok();
    let monday = today
        .checked_sub(i64::from(today.weekday().to_monday_zero_offset()).days())
        .ok()?;
    let month = today.first_of_month();
    let year = Date::new(today.year(), 1, 1).ok()?;
    let tomorrow = today.checked_add(1.day()).ok()?;
    Some(match meaning {
        Meaning::DayBeforeYesterday => (back(2.days())?, back(1.day())?),
        Meaning::Yesterday => (back(1.day())?, today),
        Meaning::LastWeek => (monday.checked_sub(7.days()).ok()?, monday),
        Meaning::ThisWeek => (monday.min(back(7.days())?), tomorrow),
        Meaning::LastMonth => (month.checked_sub(1.month()).ok()?, month),
        Meaning::ThisMonth => (month, tomorrow),
        Meaning::LastYear => (year.checked_sub(1.year()).ok()?, year),
        Meaning::ThisYear => (year, tomorrow),
    })
}

/// The more it is ago, the less exact it is meant.
fn ago(lower: &str, today: Date) -> Option<Days> {
    let groups = AGO.captures(lower)?;
    let mut said = groups.iter().skip(1).flatten().map(|found| found.as_str());
    let (count, unit) = (number(said.next()?)?, said.next()?);
    let (back, give) = match unit.chars().next()? {
        'm' | '月' | 'か' | 'ヶ' | '달' | '개' => (count.months(), 15.days()),
        'w' | 's' | '周' | '星' | '週' | '주' => ((7 * count).days(), 3.days()),
        'y' | '年' => (count.years(), 180.days()),
        'a' => (count.years(), 180.days()),
        'j' if unit.starts_with("jour") => (count.days(), 0.days()),
        'j' => (count.years(), 180.days()),
        _ => (count.days(), 0.days()),
    };
    let day = today.checked_sub(back).ok()?;
    let end = day.checked_add(give).ok()?.checked_add(1.day()).ok()?;
    Some((day.checked_sub(give).ok()?, end))
}

fn number(word: &str) -> Option<i64> {
    Some(match word {
        "two" | "zwei" | "dos" | "deux" | "due" | "dois" | "duas" | "twee" | "二" | "两" => 2,
        "three" | "drei" | "tres" | "trois" | "tre" | "três" | "drie" | "三" => 3,
        "four" | "vier" | "cuatro" | "quatre" | "quattro" | "quatro" | "四" => 4,
        "five" | "fünf" | "cinco" | "cinq" | "cinque" | "五" => 5,
        "six" | "sechs" | "seis" | "sei" | "六" => 6,
        "seven" | "sieben" | "七" => 7,
        digits if digits.starts_with(|c: char| c.is_ascii_digit()) => {
            digits.parse().ok().filter(|count| (1..1000).contains(count))?
        }
        _ => 1,
    })
}

/// The day of that name before today.
fn weekday(lower: &str, today: Date) -> Option<Days> {
    let groups = WEEKDAY.captures(lower)?;
    let at = groups.iter().skip(1).position(|group| group.is_some())? % DAY_NAMES.len();
    let day = Weekday::from_monday_zero_offset(i8::try_from(at).ok()?).ok()?;
    let day = today.nth_weekday(-1, day).ok()?;
    Some((day, day.checked_add(1.day()).ok()?))
}
