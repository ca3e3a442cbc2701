//! Questions about all that is known ("what do you know about me?"). No word of them tells which
//! memory answers, so the memory document does: what says who the user is first.

use std::sync::{Arc, LazyLock};

use jiff::Timestamp;
use regex::RegexSet;

use super::Hit;
use crate::lens::Lens;
use crate::memory::{Memory, Tier};
use crate::slots::{Attribute, Slot, Subject};
use crate::space::SpaceView;

/// The score of the first answer. Each one below it has a little less, so that the order stays.
pub(super) const SCORE: f32 = 0.75;

/// Longer questions ask for something else as well.
const BYTES_MAX: usize = 160;

/// The questions, by language.
const QUESTIONS: &[&str] = &[
    r"(?:(?:so|hey|hi|ok|okay|well|please|can you|could you)[, ]+)*(?:tell me |describe |summari[sz]e |list |show me )?(?:everything |all |what )?(?:that )?(?:what )?(?:do |have |did )?(?:you(?:'ve)?|recalld) (?:know|remember|learn(?:ed|t)?|store[d]?|noted|saved|have (?:stored|on file|learned|saved))(?: so far)? (?:about|of|on) me",
    r"(?:who am i|describe me|summari[sz]e me|tell me about (?:me|myself)|what am i like|my profile|about me)",
    r"was (?:weißt|weisst) du (?:alles |so )?(?:über|von) mich|was (?:hast|haben) (?:du|sie) (?:alles )?über mich (?:gespeichert|gelernt|notiert)|was wissen sie (?:alles )?über mich|wer bin ich|(?:erzähl|sag) mir,? (?:alles,? )?was du über mich weißt|beschreibe? mich",
    r"[¿]?(?:qué|que) (?:sabes|sabe usted|recuerdas|has aprendido|tienes guardado) (?:de|sobre|acerca de) (?:mí|mi)|[¿]?(?:quién|quien) soy(?: yo)?|(?:dime|cuéntame) (?:todo )?lo que sabes (?:de|sobre) (?:mí|mi)",
    r"(?:que|qu'est-ce que) (?:sais-tu|savez-vous|tu sais|vous savez|te rappelles-tu) (?:de|sur|à propos de) moi|qui suis-je|qui je suis|(?:dis|raconte)-moi (?:tout )?ce que tu sais (?:de|sur) moi",
    r"(?:o )?que (?:é que )?(?:você |tu |vc )?(?:sabes?|lembras?|aprendeu) (?:sobre|de|a respeito de) mim|quem (?:sou eu|eu sou)",
    r"(?:che )?cosa sai (?:di|su) me|che sai di me|chi sono(?: io)?|dimmi (?:tutto )?quello che sai (?:di|su) me",
    r"wat weet je (?:allemaal )?(?:over|van) (?:mij|me)|wie ben ik",
    r"co (?:o mnie wiesz|wiesz o mnie|pamiętasz o mnie)|kim jestem",
    r"что (?:ты|вы) (?:обо мне (?:знаешь|знаете|помнишь)|(?:знаешь|знаете|помнишь) обо мне)|кто я(?: такой| такая)?|расскажи (?:мне )?(?:все|всё),? что (?:ты )?(?:знаешь обо мне|обо мне знаешь)",
    r"(?:benim )?hakkımda (?:ne|neler) (?:biliyorsun|hatırlıyorsun)|ben kimim",
    r"(?:你|您)(?:都|还|现在)?(?:知道|了解|记得|记住了?)(?:关于)?我(?:的)?(?:些?什么|哪些(?:事|信息)?|多少|的事)?|关于我(?:，|,)?(?:你|您)(?:都)?(?:知道|了解|记得)(?:些?什么|哪些|多少)|(?:你|您)对我(?:有)?(?:什么|多少)?(?:了解|知道|认识)(?:什么|多少|些什么)?|我是谁|介绍一下我",
    r"(?:私|僕|俺|わたし)(?:について|に関して|のこと(?:を|は|で)?)(?:何|なに|どんなこと)?(?:を|が|か)?(?:知って|覚えて|分かって)(?:い)?(?:る|ます)?(?:こと)?(?:は何|か|の|を教えて)*(?:ください)?|(?:私|僕|俺)は(?:誰|だれ)(?:です)?か?",
    r"(?:나|저)에 (?:대해|대해서|관해) (?:뭘|무엇을|뭐|어떤 것을)?\s?(?:알아|알고 있(?:어|니|나요|습니까)|기억해|아세요|알아요)(?:요)?|(?:내가|나는|제가) 누구(?:야|지|예요|인가요)?",
    r"(?:ماذا|ما الذي) (?:تعرف|تعرفين|تتذكر|تعلم) (?:عني|عنّي)|من (?:انا|أنا)",
    r"(?:तुम|आप|तुम्हें|आपको)?\s?मेरे बारे में (?:(?:तुम|आप) )?(?:क्या|क्या-क्या|क्या क्या) (?:जानते|जानती|पता|याद) (?:हो|हैं|है)|मैं कौन (?:हूँ|हूं)",
    r"(?:คุณ|เธอ)?(?:รู้|จำ)(?:อะไร)?(?:บ้าง)?เกี่ยวกับ(?:ฉัน|ผม|ตัวฉัน|ดิฉัน)(?:บ้าง|อะไรบ้าง)?|(?:ฉัน|ผม)(?:เป็น|คือ)ใคร",
    r"(?:bạn|anh|chị|em) (?:biết|nhớ) (?:những )?gì về (?:tôi|mình|anh|em)|tôi là ai",
];

static OVERVIEW: LazyLock<RegexSet> = LazyLock::new(|| {
    let whole = QUESTIONS
        .iter()
        .map(|question| format!(r"(?i)^\W*(?:{question})(?:\s(?:so far|now|already|yet|exactly|eigentlich|schon)|了)?[\s吗呢]*\W*$"));
    RegexSet::new(whole).expect("fixed patterns")
});

/// Whether a question asks for all that is known of the user.
pub(super) fn is_asked(question: &str) -> bool {
    question.len() <= BYTES_MAX && OVERVIEW.is_match(question)
}

/// The memories that tell most about the user: who they are, then the surest, then the newest. What
/// a newer one has replaced is left out.
pub(super) fn hits(
    view: &SpaceView,
    now: Timestamp,
    limit: usize,
    may_answer: impl Fn(&Memory) -> bool,
) -> Vec<Hit<Arc<Memory>>> {
    let told = view
        .current(Lens::everywhere(now))
        .filter(|memory| may_answer(memory));
    let holds = |memory: &&Arc<Memory>| {
        view.validity(memory.id)
            .is_none_or(|validity| validity.holds(now))
    };
    let mut told: Vec<(u8, &Arc<Memory>)> = told
        .filter(holds)
        .map(|memory| (place_of(memory), memory))
        .collect();
    told.sort_by(|(place_a, a), (place_b, b)| {
        let sure = b.confidence.value().total_cmp(&a.confidence.value());
        place_a
            .cmp(place_b)
            .then(sure)
            .then(b.learned_at.cmp(&a.learned_at))
            .then(b.id.cmp(&a.id))
    });
    told.truncate(limit);
    let hit = |(at, (_, memory)): (usize, (u8, &Arc<Memory>))| Hit {
        item: view.shown(memory),
        score: score_at(at),
        parts: None,
        rank: at + 1,
        validity: view.validity(memory.id),
        weak: false,
    };
    told.into_iter().enumerate().map(hit).collect()
}

/// The score of the answer that stands after `at` others.
pub(super) fn score_at(at: usize) -> f32 {
    SCORE / (1.0 + at as f32 / 1_000.0)
}

/// Who the user is comes before what else is known for long, and that before what is known for a
/// while.
fn place_of(memory: &Memory) -> u8 {
    let by_key = memory.key.as_ref().and_then(|key| Slot::of_key(key.as_str()));
    let slot = by_key.or_else(|| Slot::of(memory.content.as_str()));
    match slot {
        _ if memory.tier == Tier::Daily => 3,
        Some(slot) if slot.subject == Subject::User => match slot.attribute {
            Attribute::Name => 0,
            Attribute::Likes | Attribute::Dislikes | Attribute::Note | Attribute::Event => 2,
            _ => 1,
        },
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_question_is_known_in_many_languages() {
        for question in [
            "What do you know about me?",
            "what do you remember about me",
            "What have you learned about me so far?",
            "Tell me everything you know about me.",
            "Who am I?",
            "Was weißt du über mich?",
            "Was hast du über mich gespeichert?",
            "¿Qué sabes de mí?",
            "¿Quién soy?",
            "Que sais-tu de moi ?",
            "Qu'est-ce que tu sais sur moi ?",
            "O que você sabe sobre mim?",
            "Cosa sai di me?",
            "Wat weet je over mij?",
            "Co o mnie wiesz?",
            "Что ты обо мне знаешь?",
            "Hakkımda ne biliyorsun?",
            "你知道我什么？",
            "你了解我多少？",
            "你对我了解多少？",
            "关于我你知道些什么",
            "私について何を知っていますか？",
            "나에 대해 뭘 알고 있어?",
            "ماذا تعرف عني؟",
            "मेरे बारे में क्या जानते हो?",
            "คุณรู้อะไรเกี่ยวกับฉัน",
            "Bạn biết gì về tôi?",
        ] {
            assert!(is_asked(question), "{question}");
        }
    }

    #[test]
    fn questions_about_something_are_none() {
        for question in [
            "What do you know about me and Ana?",
            "What do you know about my job?",
            "What do you know about Rust?",
            "Who am I meeting tomorrow?",
            "Was weißt du über Hunde?",
            "你知道我住在哪里吗？",
            "¿Qué sabes de Madrid?",
            "Wer bin ich für Ana?",
            "",
        ] {
            assert!(!is_asked(question), "{question}");
        }
    }
}
