//! Reads the slot of a statement from the words that give it away.
//!
//! First the subject is taken off (*My wife*, *The user*, *Ana*), then the rest is compared with
//! the cues of each attribute. Statements that give none away have no slot: a wrong slot would let
//! one fact hide another.

use std::sync::LazyLock;

use regex::{Regex, RegexSet};

use super::Slot;
use super::attribute::Attribute::{self, *};
use super::subject::Subject;

/// The longest statement that is read; longer ones are notes, not facts of one slot.
const BYTES_MAX: usize = 400;

/// What may stand between the subject and the words that tell.
const ADVERBS: &str = r"(?:(?:also|now|currently|still|just|recently|already|originally|actually|really|usually|always|is|am|are|was|be|been|'m|'s|'ve|has|have|had|jetzt|seit|gerade|aktuell|derzeit|noch|schon|ahora|ya|actualmente|agora|já|atualmente|maintenant|actuellement|désormais|bin|ist|habe|hat|suis|est|ai|a|me|se|he|ha|je|soy|sou|es|é|estoy|estou|está|esta|s'est|hat sich|tengo|tenho|现在|目前|已经|刚|刚刚|最近|一直|从|今|今は|現在)[\s,]*)*";

/// Cues in the order in which they are tried. Each stands at the start of what is left of the
/// statement.
const CUES: &[(Attribute, &str)] = &[
    (
        Name,
        r"(?:full |first |last )?name(?: is|'s|:)\b|(?:called|named|goes by)\b|heiße\b|heißt\b|name ist\b|m'appelle\b|s'appelle\b|nom est\b|prénom est\b|llamo\b|llama\b|nombre es\b|chamo\b|chama\b|nome é\b|叫|名字[是叫]|名叫|名前は|といいます|と申します",
    ),
    (
        FormOfAddress,
        r"(?:wants to be called|prefers to be called|call me|nickname)\b",
    ),
    (Pronouns, r"(?:uses )?pronouns\b"),
    (
        NativeLanguage,
        r"(?:native language|first language|mother tongue|muttersprache|langue maternelle|lengua materna|língua materna)\b|母语是|母語は",
    ),
    (
        Home,
        r"(?:lives?|living|reside[sd]?|residing|based|moved(?: back)?|relocated|settled|moving)(?: \w+)? (?:in|to|at|near|from \p{L}+ to)\b|home (?:is|address)\b|address is\b|moved\b|(?:wohne|wohnt|lebe|lebt|leben|wohnen)\b.*\b(?:in|bei)\b|(?:nach .+ (?:gezogen|umgezogen))|(?:vis|vit|habite|habitons|vivons|déménagé|emménagé|installée?s? [àa])\b|s'est installée?\b|(?:vivo|vive|vivimos|resido|mudé|mudó|mudado|trasladó|trasladé)\b|(?:moro|mora|moramos|mudei|mudou)\b|住在|住|搬到|搬去|定居|居住在|\S*に(?:住|引っ越)",
    ),
    (
        Origin,
        r"(?:from|born in|grew up in|comes? from|come from)\b|komme aus\b|aus .+ (?:komme|stamme)|viens d|vient d|soy de\b|es de\b|sou de\b|来自|出身|\S*出身",
    ),
    (TimeZone, r"time ?zone\b"),
    (
        Birthday,
        r"(?:birthday|date of birth)\b|born on\b|geburtstag\b|geboren\b|anniversaire\b|né[e]? le\b|cumpleaños\b|cumplo\b|nací\b|aniversário\b|nasci\b|生日|出生|誕生日",
    ),
    (
        Age,
        r"\d{1,3}(?:[- ]years?[- ]old|yo\b| jahre| ans\b| años| anos|岁|歳)|(?:turned|turning) \d|age is\b|今年\d+岁",
    ),
    (
        Relationship,
        r"(?:married|single|divorced|engaged|widowed)\b|verheiratet|geschieden|ledig|marié|divorcé|célibataire|fiancée?\b|(?:s'est |se |me )?séparée?\b|casad[oa]|casó\b|casé\b|casou\b|solter[oa]|solteir[oa]|comprometi|separad[oa]|noiv[oa]\b|divorciad[oa]|mit .+ zusammen\b|.*\b(?:verlobt|getrennt)\b|broke up\b|split up\b|\S{0,6}订婚|\S{0,6}分手|结婚|离婚|单身|結婚|離婚|独身",
    ),
    (Email, r"e-?mail(?: address)?\b|correo\b|courriel\b|邮箱|メール"),
    (
        Phone,
        r"(?:new )?(?:phone|mobile|cell|telephone)(?: number)?\b|(?:neue )?(?:handynummer|telefonnummer)|(?:nouveau )?(?:numéro|téléphone|portable)\b|(?:su |mi |nuevo )*(?:teléfono|móvil|celular)\b|(?:nuevo )?número\b|(?:novo )?(?:telefone|celular|número)\b|.*\bnew (?:phone |mobile )?number\b|.*\bneue (?:handy|telefon)?nummer\b|\S{0,4}(?:新号码|手机号|号码)|电话|手机|電話",
    ),
    (
        Boss,
        r"(?:boss|manager|supervisor)(?: is|'s)\b|.*\breports? to\b|.*\b(?:took|has taken|takes) over (?:our|my|the|his|her|their) (?:team|department|group)\b|.*\b(?:sein|ihr|mein)e? neue?r? (?:chef|chefin|vorgesetzter?)\b|老板是|上司|\S*向\S{1,4}汇报",
    ),
    (
        Role,
        r"(?:works?|working) as\b|(?:job|job title|role|occupation|profession|position) (?:is|:)|promoted to\b|(?:arbeite|arbeitet) als\b|(?:travaille|travaille) comme\b|trabaj[oa] (?:como|de)\b|trabalh[oa] como\b|(?:an? )?(?:\p{L}+ ){0,3}(?:engineer|developer|programmer|designer|doctor|nurse|teacher|professor|lawyer|manager|analyst|consultant|scientist|student|director|architect|accountant|chef|pilot|journalist|writer|founder|ceo|cto)\b|是一?[名位个]?\S{0,8}(?:师|员|医生|护士|律师|经理|学生|教授|总监)$",
    ),
    (
        Employer,
        r"(?:works?|working|employed) (?:at|for|by|with)\b|(?:joined|joins|joining)\b|employer(?: is|:)|(?:new job|job|started) at\b|(?:arbeite|arbeitet)(?: jetzt| nun| inzwischen)? (?:bei|für)\b|travaille (?:chez|pour)\b|trabaj[oa] (?:en|para)\b|trabalh[oa] (?:na|no|em|para)\b|(?:im \S+ |seit \S+ |letzte[ns] \S+ )?(?:bei|zu) .+ (?:angefangen|gewechselt|eingestiegen)\b|(?:rejoint|commencé chez|été embauchée? (?:chez|par))\b|(?:entró|entré|empezó|empecé|fichó|fichado) (?:en|por|a trabajar en)\b|(?:entrei|entrou|comecei|começou) (?:na|no|em)\b|switched to\b|(?:got|took|accepted|landed) an? (?:new )?(?:job|position|offer) (?:at|with)\b|在\S+(?:工作|上班)|\S{0,6}(?:跳槽|入职)(?:到|去)?|就职于|入职|加入了?|\S*(?:で働|に勤め|勤務)",
    ),
    (
        Diet,
        r"(?:an? )?(?:strict |lifelong )?(?:vegan|vegetarian|pescatarian|flexitarian|omnivore|keto|halal|kosher|gluten[- ]free)\b|(?:does(?:n't| not)|do(?:n't| not)|no longer|never) eats? (?:meat|fish|pork|beef|gluten|dairy)|eats? (?:only|everything|meat|fish|vegan|halal|kosher)|(?:started|began|back to|went back to) eating (?:meat|fish|everything|dairy|eggs)|(?:esse|isst|essen)\b.{0,40}\b(?:fleisch|fisch|alles|vegan|vegetarisch|schweinefleisch)\b|(?:mange|mangent)\b.{0,30}\b(?:viande|poisson|de tout|végane?|végétarien|porc)\b|(?:como|come|vuelvo a comer|vuelve a comer|ha vuelto a comer)\b.{0,16}\b(?:carne|pescado|de todo|cerdo)\b|(?:como|come|voltei a comer|voltou a comer)\b.{0,16}\b(?:carne|peixe|de tudo|porco)\b|什么都吃|\S{0,8}(?:吃[肉荤素鱼]|吃海鲜)|(?:vegetarier|vegetarierin|vegetarisch|veganer|veganerin|vegane?)\b|végétarien|végane|vegetarian[oa]|vegan[oa]|吃素|是?素食|ベジタリアン|ヴィーガン",
    ),
    (
        Allergy,
        r"(?:allergic to|allergy to|allergies)\b|allergisch gegen|allergie|allergique|alérgic[oa]|alergia|对\S+过敏|\S*アレルギー",
    ),
    (
        AnswerLanguage,
        r"(?:prefers? (?:answers|replies|responses) in|wants? (?:answers|replies|responses) in|(?:please )?(?:answer|reply|respond|write|speak)(?: to me)? in) \p{L}+",
    ),
    (
        AnswerEmojis,
        r"(?:please )?(?:no|don't use|do not use|avoid|without|wants? no|never use) emojis?",
    ),
    (
        AnswerLength,
        r"(?:please )?(?:keep|wants?|prefers?) (?:(?:it|things|all|my|your|the|very|more|rather|to|be|kept|answers?|repl(?:y|ies)|responses?|explanations?) ){0,5}(?:short|brief|concise|long|detailed)(?: (?:and|but|or) \p{L}+)?(?: (?:answers?|repl(?:y|ies)|responses?|explanations?|please)\b|[.;!]|$)",
    ),
    (
        Studies,
        r"(?:stud(?:y|ies|ying)|major(?:s|ing)? in|degree in)\b|(?:dropped|quit|left|swapped|switched from) \p{L}+ (?:for|to) \p{L}+|.*\b(?:ahora|agora) estud[oia]+\b|studiere|studiert|étudie|estudi[oa]|estud[oa]\b|读\S*专业|専攻",
    ),
    (
        Dislikes,
        r"(?:dislikes?|hates?|detests?|can't stand|cannot stand|avoids?|does(?:n't| not) like|do(?:n't| not) like)\b|hasse|mag (?:kein|nicht)|déteste|n'aime pas|odi[oa]|no (?:me )?gusta|não gost[oa]|不喜欢|讨厌|\S*(?:が嫌い|が苦手)",
    ),
    (
        Likes,
        r"(?:likes?|loves?|enjoys?|adores?|prefers?|fond of)\b|liebe|mag\b|aime|adore|préfère|gusta|encanta|prefier[oe]|gost[oa]|ador[oa]|prefir[oe]|喜欢|爱|偏好|\S*(?:が好き|が大好き)",
    ),
];

struct Reader {
    set: RegexSet,
    favourite: Regex,
    of_user: Regex,
    possessed: Regex,
    named: Regex,
    /// That somebody is a person by name.
    who: Regex,
}

static READER: LazyLock<Reader> = LazyLock::new(|| {
    let regex = |pattern: &str| Regex::new(pattern).expect("a fixed pattern");
    let cues = CUES
        .iter()
        .map(|(_, cue)| format!(r"(?i)^(?:{ADVERBS})(?:{cue})"));
    Reader {
        set: RegexSet::new(cues).expect("fixed patterns"),
        favourite: regex(
            r"(?i)^(?:(?:my|the user's|user's|their|his|her) )?favou?rite ([\p{L}-]+(?: [\p{L}-]+)?) (?:is|are)\b|^我?最喜欢的(\p{Han}{1,6}?)是|^好きな(\p{L}{1,6}?)は",
        ),
        of_user: regex(
            r"(?i)^(?:(?:i|we|the user|user|ich|wir|je|j'|nous|yo|eu|a gente|nós)\b(?:'s\b)?|我们?(?:的)?|用户|私は?|私の|僕は?|俺は?|うちの?|(?:my|our|meine|mein|unsere|unser|mon|ma|mes|notre|mi|mis|nuestra|nuestro|meu|minha|nosso|nossa)\b)\s*",
        ),
        possessed: regex(
            r"(?i)^(?:(?:(?:now|jetzt|ahora|agora|maintenant|désormais) )?(?:my|our|his|her|their|mein|meine|unser|unsere|seine?|ihre?|mon|ma|notre|son|sa|mi|nuestra|nuestro|su|o meu|a minha|meu|minha|seu|sua|the user's|user's)\s+(?:(?:older|younger|elder|big|little|best|new|good|late|neue|neuer|nouveau|nouvelle|nueva|nuevo|nova|novo|ältere|jüngere|große|kleine|beste|großer|kleiner|bester|older|grande|petite|petit|meilleur|meilleure|mejor|melhor) )?([\p{L}-]+)(?:'s\b)?|我的?(\p{Han}{1,3}?)(?:的|叫|是|在|住|对|今年|喜欢|不|出生|生日)|(?:私の|僕の|うちの|俺の)(\p{Han}{1,2}|\p{Hiragana}{2,7}|\p{Katakana}{2,7})(?:は|の|が))\s*",
        ),
        who: regex(r"^(?:is|ist|est|es|é|:)\s+\p{Lu}[\p{L}'’.-]+(?: \p{Lu}[\p{L}'’.-]+)*$|^是\p{Han}{2,4}$"),
        named: regex(
            r"^(\p{Lu}[\p{L}'’-]+(?: \p{Lu}[\p{L}'’-]+)?)(?:'s|’s)? (?:is|was|lives?|works?|moved|joined|likes?|loves?|hates?|prefers?|has|eats?|speaks?|just|now|wohnt|lebt|arbeitet|habite|travaille|vive|trabaja|mora|trabalha)\b",
        ),
    }
});

/// Reads the slot of `statement`.
pub(super) fn read(statement: &str) -> Option<Slot> {
    let statement = statement.trim();
    if statement.is_empty() || BYTES_MAX < statement.len() {
        return None;
    }
    let reader = &*READER;
    if let Some(groups) = reader.favourite.captures(statement) {
        let topic = groups.iter().skip(1).flatten().next()?;
        return Some(Slot {
            topic: Some(topic.as_str().to_lowercase().replace("color", "colour")),
            ..Slot::of_user(Favourite)
        });
    }
    let (subject, rest) = subject(reader, statement);
    // *My boss is Karin Vogel*, *我的老板是王强*: who it is.
    if subject != Subject::User && reader.who.is_match(rest) {
        return Some(Slot {
            subject,
            attribute: Name,
            topic: None,
        });
    }
    let first = reader.set.matches(rest).into_iter().next()?;
    let attribute = CUES.get(first).map(|(attribute, _)| *attribute)?;
    Some(Slot {
        subject,
        attribute,
        topic: None,
    })
}

/// Takes the subject off a statement. One that names nobody is about the user.
fn subject<'t>(reader: &Reader, statement: &'t str) -> (Subject, &'t str) {
    if let Some(groups) = reader.possessed.captures(statement)
        && let Some(word) = groups.iter().skip(1).flatten().next()
        && let Some(subject) = Subject::of_word(word.as_str())
    {
        return (
            subject,
            statement[word.end()..]
                .trim_start_matches("'s")
                .trim_start_matches("的")
                .trim_start_matches(['は', 'の', 'が'])
                .trim_start(),
        );
    }
    if let Some(found) = reader.of_user.find(statement).filter(|found| !found.is_empty()) {
        return (Subject::User, statement[found.end()..].trim_start());
    }
    if let Some(name) = reader.named.captures(statement).and_then(|groups| groups.get(1))
        && !is_common(name.as_str())
    {
        let rest = statement[name.end()..]
            .trim_start_matches("'s")
            .trim_start_matches("’s");
        return (Subject::Named(name.as_str().to_lowercase()), rest.trim_start());
    }
    (Subject::User, statement)
}

/// Words with which statements begin and which are no names.
fn is_common(word: &str) -> bool {
    let first = word.split(' ').next().unwrap_or(word);
    matches!(
        first,
        "The"
            | "This"
            | "That"
            | "It"
            | "He"
            | "She"
            | "They"
            | "There"
            | "Now"
            | "Currently"
            | "Home"
            | "Name"
            | "Job"
            | "Role"
            | "Employer"
            | "Birthday"
            | "Email"
            | "Phone"
            | "Diet"
            | "Age"
            | "Favourite"
            | "Favorite"
            | "Er"
            | "Sie"
            | "Il"
            | "Elle"
            | "Él"
            | "Ella"
            | "Ele"
            | "Ela"
            | "Meeting"
            | "Today"
            | "Tomorrow"
    )
}
