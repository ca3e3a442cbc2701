//! The kinds of requests that some wishes bear on, by their words in ten languages.

use std::sync::LazyLock;

use regex::RegexSet;

/// A set of kinds of requests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Domains(u8);

impl Domains {
    /// What to eat and drink, and where.
    pub const FOOD: Domains = Domains(1);
    /// How to get somewhere, and where to stay.
    pub const TRAVEL: Domains = Domains(2);
    /// When to meet.
    pub const MEETINGS: Domains = Domains(4);

    /// Finds the kinds that a text is of.
    pub fn of(text: &str) -> Domains {
        let text = &text[..text.floor_char_boundary(BYTES_READ)];
        let found = WORDS.matches(text).into_iter();
        Domains(found.fold(0, |all, at| all | LISTS[at].0.0))
    }

    /// Tells whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Tells whether both have a kind in common.
    pub fn meets(self, other: Domains) -> bool {
        self.0 & other.0 != 0
    }
}

/// How much of a text is read.
const BYTES_READ: usize = 4 * 1024;

/// The words of each kind. Those of languages with spaces are whole words or the beginnings of
/// some; the others stand anywhere.
const LISTS: [(Domains, &str); 6] = [
    (
        Domains::FOOD,
        r"eat|eating|eats|food|foods|meals?|dinners?|lunch(?:es)?|breakfasts?|brunch|suppers?|snacks?|desserts?|dish(?:es)?|recipes?|cook|cooking|bake|baking|restaurants?|caf[eé]s?|menus?|grocer(?:y|ies)|drinks?|bbq|barbecue|catering|takeout|pizza|sushi|essen|esse|mittagessen|abendessen|frühstück|kochen|koche|rezepte?|gerichte?|speisekarte|trinken|comer|cenar|cena|almorzar|almuerzo|desayun\w+|cocinar|recetas?|comida|restaurantes?|beber|manger|mange|dîner|déjeuner|repas|cuisiner|recettes?|plats?|boire|jantar|almoço|almoçar|cozinhar|receitas?|refeiç\w+|pranzo|cucinare|ricett[ae]|ristorant[ei]|mangiare|eten|koken|recepten?|avondeten|lunchen|есть на|еда|еду|еды|ужин\w*|обед\w*|завтрак\w*|рецепт\w*|готовить|приготовить|ресторан\w*|поесть|kolacj\w+|obiad\w*|śniadani\w+|przepis\w*|gotować|jeść|yemek\w*|kahvaltı|tarif\w*|restoran\w*",
    ),
    (
        Domains::FOOD,
        r"吃|餐|菜|饭|食谱|做饭|喝|料理|レシピ|夕食|昼食|朝食|ランチ|ディナー|食べ|飲み|식당|저녁|점심|아침 ?식사|요리|레시피|먹|طعام|عشاء|غداء|فطور|مطعم|وصفة|खाना|खाने|भोजन|रेस्तरां|อาหาร|กิน|ร้านอาหาร|món|bữa|nhà hàng|nấu",
    ),
    (
        Domains::TRAVEL,
        r"travel\w*|trips?|flights?|fly|flying|flies|planes?|airlines?|airports?|trains?|hotels?|hostels?|vacations?|holidays?|journeys?|cruises?|itinerar\w+|drive to|get to|reisen?|reise|flüge?|fliege|fliegen|züge?|urlaub|unterkunft|viaj\w+|vuelos?|volar|vuelo|trenes|tren|vacaciones|hoteles|voyag\w+|vols?|avion|vacances|trajets?|voos?|voar|avião|férias|viagg\w+|voli|volo|vacanz\w+|reizen|vliegen|vlucht\w*|vakantie|поездк\w*|путешеств\w*|самолет\w*|самолёт\w*|рейс\w*|отел\w*|отпуск\w*|podróż\w*|wakacj\w+|seyahat\w*|uçak\w*|uçuş\w*",
    ),
    (
        Domains::TRAVEL,
        r"旅行|旅游|航班|飞机|机票|火车|高铁|酒店|度假|出差|旅館|ホテル|飛行機|航空券|新幹線|여행|비행기|호텔|기차|سفر|رحلة|طائرة|فندق|यात्रा|उड़ान|होटल|เที่ยว|เครื่องบิน|โรงแรม|du lịch|máy bay|khách sạn",
    ),
    (
        Domains::MEETINGS,
        r"meetings?|appointments?|schedule|reschedule|calendar|calls? with|invites?|termine?|besprechung\w*|kalender|treffen|reuni\w+|citas?|agenda|rendez-vous|réunions?|compromissos?|riunion[ei]|appuntament[io]|vergadering\w*|afspra\w+|встреч\w*|совещани\w*|spotkani\w+|toplantı\w*|randevu\w*",
    ),
    (
        Domains::MEETINGS,
        r"会议|开会|约时间|预约|日程|会議|打ち合わせ|予定|회의|약속|일정|اجتماع|موعد|बैठक|मीटिंग|ประชุม|นัด|cuộc họp|lịch hẹn",
    ),
];

static WORDS: LazyLock<RegexSet> = LazyLock::new(|| {
    let patterns = LISTS.iter().enumerate().map(|(at, (_, words))| match at % 2 {
        0 => format!(r"(?i)\b(?:{words})\b"),
        _ => format!("(?:{words})"),
    });
    RegexSet::new(patterns).expect("fixed patterns")
});
