//! Stop words, and the language a text gives away by the ones it uses.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::fold::fold;

/// Languages whose stop words and endings are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    English,
    German,
    Spanish,
    French,
    Italian,
    Portuguese,
    Dutch,
}

impl Language {
    pub(crate) const OTHERS: [Language; 6] = [
        Language::German,
        Language::Spanish,
        Language::French,
        Language::Italian,
        Language::Portuguese,
        Language::Dutch,
    ];

    const ALL: [(Language, &'static str); 7] = [
        (Language::English, ENGLISH),
        (Language::German, GERMAN),
        (Language::Spanish, SPANISH),
        (Language::French, FRENCH),
        (Language::Italian, ITALIAN),
        (Language::Portuguese, PORTUGUESE),
        (Language::Dutch, DUTCH),
    ];

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The languages in which a folded word is a stop word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct StopIn(u8);

impl StopIn {
    pub(crate) fn of(word: &str) -> StopIn {
        StopIn(STOPS.get(word).copied().unwrap_or(0))
    }

    pub(crate) fn includes(self, language: Language) -> bool {
        self.0 & language.bit() != 0
    }
}

/// The language whose stop words are most frequent; English wins ties, none at all tells nothing.
pub(crate) fn detect(words: impl Iterator<Item = StopIn>) -> Option<Language> {
    let mut counts = [0u32; 7];
    for word in words {
        for (count, (language, _)) in counts.iter_mut().zip(Language::ALL) {
            *count += u32::from(word.includes(language));
        }
    }
    let mut best = (Language::English, counts[0]);
    for (count, (language, _)) in counts.into_iter().zip(Language::ALL) {
        if best.1 < count {
            best = (language, count);
        }
    }
    (best.1 > 0).then_some(best.0)
}

/// Whether the stop words of a text give away a language other than English.
pub fn is_foreign(text: &str) -> bool {
    const WORDS_READ: usize = 200;
    let words = text
        .split(|c: char| !c.is_alphanumeric() && c != '\'')
        .filter(|word| !word.is_empty());
    let stops = words.take(WORDS_READ).map(|word| StopIn::of(&fold(word)));
    detect(stops).is_some_and(|language| language != Language::English)
}

/// Whether a folded word is one of asking and chatting rather than of what is asked about.
pub(crate) fn is_weak(word: &str) -> bool {
    WEAK_WORDS.contains(word)
}

static WEAK_WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| WEAK.split_ascii_whitespace().collect());

/// Whether a single Han or kana character says nothing alone.
pub(crate) fn is_stop_character(c: char) -> bool {
    "的了是我你他她它们在吗呢吧啊呀和与也就都而及着或这那个很之其于把被让给对从到要去会没有不说您のはをにがでともへ".contains(c)
}

static STOPS: LazyLock<HashMap<&'static str, u8>> = LazyLock::new(|| {
    let mut stops = HashMap::new();
    for (language, words) in Language::ALL {
        for word in words.split_ascii_whitespace() {
            *stops.entry(word).or_insert(0) |= language.bit();
        }
    }
    stops
});

// Folded spellings: without accents, contractions without their apostrophe.

const ENGLISH: &str = "i me my myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers \
    herself it its itself they them their theirs themselves what which who whom whose this that these those am is are was were \
    be been being have has had having do does did doing done would should could ought can will shall may might must a an the and \
    but if or because as until while of at by for with about against between into through during before after above below to \
    from up down in out on off over under again further then once here there when where why how all any both each few more most \
    other some such no nor not only own same so than too very s t just now d ll m o re ve also however whether \
    dont doesnt didnt cant cannot wont isnt arent wasnt werent havent hasnt hadnt shouldnt wouldnt couldnt mustnt aint \
    im ive youre youve theyre theyve weve hes shes thats whats lets theres eg ie etc";

/// Words of asking and chatting: requests, greetings, hedges, and words for anything at all.
const WEAK: &str = "recommend recommended recommendation recommendations suggest suggested suggestion suggestions advise advice tell told \
    give show list explain describe mention mentioned summarize summary discuss discussed say said ask asked answer question questions \
    remember remind know knew think thought guess believe mean understand understood want wanted need needed help please thanks thank \
    hi hello hey ok okay yes yeah sure maybe perhaps actually really honestly probably definitely exactly literally basically \
    like sound sounds seem seems feel feels feeling felt look looking looks let get getting got go going goes gone make makes making made \
    take taking try trying tried use using keep come way ways thing things something anything everything nothing someone anyone stuff kind \
    sort lot lots bit much many little still even already yet always never often usually sometimes ever again back right well good great \
    nice best better new different various specific certain possible able considering consider regarding based following across \
    throughout user assistant one two first next another every around else instead though although since till per via";

const GERMAN: &str = "der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ich du er sie es \
    wir ihr mich dich sich mir dir ihm ihn uns euch mein meine meinen meinem meiner dein deine sein seine unser ist bin bist sind \
    seid war waren hat habe haben hatte wird werden wurde kann will muss soll zu zum zur von vom mit bei fur auf aus an am im in \
    ins nach uber um unter vor als wie was wer wo wann warum wenn dass ob auch nur noch schon so sehr mehr dann da hier man";

const SPANISH: &str = "el la los las un una unos unas y o pero no si de del al a en con por para sin sobre entre que como cuando donde \
    quien cual cuales yo tu el ella nosotros ellos ellas me te se nos le les lo mi mis tus su sus nuestro es son soy eres somos \
    fue era estoy esta estan estaba ha he hay tiene tengo este esto ese eso esa muy mas tambien ya porque";

const FRENCH: &str = "le la les un une des du de d et ou mais ne pas non je tu il elle on nous vous ils elles me te se lui leur mon ma mes \
    ton ta tes son sa ses notre nos votre vos est suis es sont sommes etes etait etaient ai as a avons avez ont avait en dans sur \
    sous avec sans pour par que qui quoi quand ou comment pourquoi ce cet cette ces c l j m t s n y au aux plus tres aussi";

const ITALIAN: &str = "il lo la i gli le un uno una e o ma non di del della dei delle dello a al alla ai alle da dal dalla in nel nella \
    con su sul sulla per tra fra che chi cui come quando dove perche io tu lui lei noi voi loro mi ti si ci vi mio mia miei tuo \
    suo sua sono sei siamo era ho hai ha abbiamo hanno questo questa quello piu molto anche";

const PORTUGUESE: &str = "o a os as um uma uns umas e ou mas nao de do da dos das em no na nos nas ao aos com por pelo pela para sem sobre \
    que como quando onde quem qual eu tu ele ela nos eles elas voce me te se lhe meu minha meus minhas seu sua seus suas sou sao \
    foi era estou esta estao tem tenho ha este isto esse isso muito mais tambem ja porque";

const DUTCH: &str = "de het een en of maar niet geen ik jij je hij zij ze wij we jullie mij me hem haar ons mijn jouw zijn uw onze is ben bent \
    was waren heb hebt heeft hebben had wordt worden kan wil moet zal in op aan uit bij met van voor naar over om onder te tot als \
    wat wie waar wanneer waarom hoe dat die dit deze er ook nog wel al zo veel meer dan";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_gives_its_language_away() {
        for (text, language) in [
            ("my cat was on the roof", Some(Language::English)),
            ("ich habe zwei katzen und einen hund", Some(Language::German)),
            ("mi perro se llama toby y es muy grande", Some(Language::Spanish)),
            (
                "je prefere les trains avec une place calme",
                Some(Language::French),
            ),
            (
                "ho comprato una bicicletta per mia figlia",
                Some(Language::Italian),
            ),
            (
                "eu gosto de cafe com leite e nao de cha",
                Some(Language::Portuguese),
            ),
            ("mijn hond is niet ziek en heeft een bal", Some(Language::Dutch)),
            ("katzen", None),
        ] {
            assert_eq!(detect(text.split(' ').map(StopIn::of)), language, "{text}");
        }
    }
}
