//! Statements that say how the user wants to be answered, and statements that set a limit.

use std::sync::LazyLock;

use regex::RegexSet;

/// Longer texts are notes, in which such words stand by chance.
const BYTES_MAX: usize = 300;

/// Requests to whoever answers, by language: they begin with what is to be done.
const DIRECTIVES: &[&str] = &[
    // English, in the user's words and in a note about them.
    r"^(?:(?:the )?user (?:wants|would like|asked|prefers)(?: you| me| the assistant)?(?: to)? )?(?:(?:please|always|never|only|from now on|in future|in the future|make sure to|be sure to|don't|do not|stop)[, ]+)*(?:answer|reply|respond|address me|call me|talk to me|write to me|speak to me|use (?:emojis?|markdown|bullet|metric|imperial|formal|simple|plain)|using emojis?|keep (?:it|your|the|all|my)?\s?(?:answers?|replies|responses|explanations)|be (?:brief|concise|formal|informal|direct)|explain (?:everything|things|it)|cite|translate|end (?:every|each|your)|start (?:every|each|your)|begin (?:every|each|your))\b",
    r"^(?:i|(?:the )?user) (?:want|wants|prefer|prefers|like|likes)\b.{0,30}\b(?:answers|replies|responses|explanations|summaries)\b",
    // German
    r"^(?:(?:bitte|immer|nie|ab jetzt|von jetzt an|künftig)[, ]+)*(?:antworte|antworten sie|schreib(?:e)? mir|sprich|erkläre?|nenn(?:e)? mich|duze?|sieze?|(?:benutze?|verwende?)\b.*\b(?:emojis?|metrisch|markdown)|halte dich|fasse? dich)\b",
    // Spanish
    r"^(?:(?:por favor|siempre|nunca|a partir de ahora|no)[, ]+)*(?:responde|responda|contesta|contéstame|respóndeme|háblame|escríbeme|llámame|tutéame|us(?:a|es) emojis|sé (?:breve|conciso))\b",
    // French
    r"^(?:(?:s'il te plaît|s'il vous plaît|toujours|désormais|à l'avenir)[, ]+)*(?:(?:ne |n')?(?:réponds|répondez|écris-moi|écrivez-moi|parle-moi|parlez-moi|utilise pas d'emojis|appelle-moi|tutoie|vouvoie)|sois bref)\b",
    // Portuguese
    r"^(?:(?:por favor|sempre|nunca|a partir de agora|não)[, ]+)*(?:responda|responde|fale comigo|escreva|me chame|chame-me|use emojis|seja breve)\b",
    // Italian
    r"^(?:(?:per favore|sempre|d'ora in poi|non)[, ]+)*(?:rispondi|rispondimi|scrivimi|parlami|chiamami|dammi del|usare emoji|sii breve)\b",
    // Russian
    r"^(?:(?:пожалуйста|всегда|никогда не|не|впредь)[, ]+)*(?:отвечай(?:те)?|пиши(?:те)? мне|говори(?:те)? со мной|называй(?:те)? меня|обращай(?:ся|тесь) ко мне|используй(?:те)? (?:эмодзи|смайлики))\b",
    // Chinese
    r"^(?:请|以后|今后|从现在起|从现在开始|总是|永远|始终|一直|务必|都|要|用户希望你?|[，,\s])*(?:用\S{1,6}?(?:回答|回复|交流|答复)|回答(?:要|得|时|尽量)|回复(?:要|得|时|尽量)|称呼我|叫我|不要用表情|别用表情)",
    // Japanese
    r"(?:で|に|を|短く|簡潔に)(?:答えて|返信して|回答して|話して|呼んで)(?:ください|ほしい|欲しい|下さい|ね)",
];

/// Words with which somebody says what they do not do, do not stand, or only do.
const LIMITS: &[&str] = &[
    r"^(?:i|we|(?:the )?user|my)\b.{0,40}\b(?:never|can't|cannot|can not|don't|do not|does not|doesn't|won't|avoids?|hates?|refuses?|afraid of|scared of|only|intolerant|prefers?|not able to|must not)\b",
    r"^(?:ich|wir|mein\w*)\b.{0,40}\b(?:nie|niemals|nicht|kein\w*|nur|vermeide|hasse|vertrage|angst|unverträglich\w*)\b",
    r"^(?:yo |mi |nosotros )?(?:nunca|no (?:puedo|me gusta|como|tomo|bebo|vuelo|viajo|soporto|trabajo|tolero)|odio|evito|sólo|solo|soy intolerante|tengo miedo)\b",
    r"^(?:je|j'|nous|mon|ma|mes)\s?.{0,30}\b(?:jamais|pas|évite|déteste|seulement|intolérante?|peur)\b",
    r"^(?:eu |nós |meu |minha )?(?:nunca|não|odeio|evito|só|somente|sou intolerante|tenho medo)\b",
    r"^(?:io |noi )?(?:non|mai|odio|evito|solo|sono intollerante|ho paura)\b",
    r"^(?:я|мы|мне|у меня)\s.{0,30}(?:никогда|не |ненавижу|избегаю|только|боюсь|непереносимость)",
    r"^(?:我们?|用户)\S{0,10}(?:从不|不能|不想|不坐|不喝|不喜欢|讨厌|受不了|只|害怕|不耐受)",
    r"(?:食べません|食べられない|食べない|飲みません|飲まない|苦手|嫌い|乗りません|怖い|だけです)",
];

static DIRECTIVE: LazyLock<RegexSet> = LazyLock::new(|| set(DIRECTIVES));
static LIMIT: LazyLock<RegexSet> = LazyLock::new(|| set(LIMITS));

fn set(patterns: &[&str]) -> RegexSet {
    let patterns = patterns.iter().map(|pattern| format!("(?i){pattern}"));
    RegexSet::new(patterns).expect("fixed patterns")
}

/// Whether a statement says how the user wants to be answered.
pub(super) fn is_directive(statement: &str) -> bool {
    is_short(statement) && DIRECTIVE.is_match(statement.trim())
}

/// Whether a statement sets a limit to what may be proposed.
pub(super) fn is_limit(statement: &str) -> bool {
    is_short(statement) && LIMIT.is_match(statement.trim())
}

fn is_short(statement: &str) -> bool {
    statement.len() <= BYTES_MAX
}
