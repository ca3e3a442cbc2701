//! Ideas that make an instruction when they meet in one sentence, in whatever order and language:
//! *confirmation* and *not needed*, *rules* and *as if there were none*, *messages from somebody*
//! and *count as orders*.
//!
//! Phrases catch what is said in known words; ideas catch what is said in a roundabout way.

use super::Suspicion::{self, Command, Instruction, Link, Markup, Permission};

/// Ideas that together are a reason, unless another one is there too.
pub(super) struct Meeting {
    pub(super) reason: Suspicion,
    pub(super) all: &'static [&'static str],
    pub(super) unless: Option<&'static str>,
}

const fn meeting(reason: Suspicion, all: &'static [&'static str]) -> Meeting {
    Meeting {
        reason,
        all,
        unless: None,
    }
}

pub(super) const MEETINGS: &[Meeting] = &[
    meeting(Permission, &[NOT_NEEDED, CHECK]),
    meeting(Permission, &[RULES, GONE]),
    meeting(Permission, &[MESSAGES, COUNT_AS]),
    meeting(Instruction, &[ABOVE, GUIDANCE]),
    meeting(Permission, &[WATCHWORD, UNLOCKS]),
    meeting(Permission, &[PAYING, BEFOREHAND]),
    meeting(Command, &[PRIVATE_DATA, HAND_OVER]),
    meeting(Command, &[COPY_TO, ADDRESS]),
    meeting(Link, &[GO, ADDRESS]),
    meeting(Instruction, &[HELPER, OUGHT]),
    Meeting {
        reason: Instruction,
        all: &[REPLIES, STEERED],
        unless: Some(LIKES),
    },
    meeting(Instruction, &[QUESTIONS, MET_WITH]),
    meeting(Instruction, &[SECRECY]),
    meeting(Instruction, &[TO_THE_MODEL]),
    meeting(Instruction, &[ROLE]),
    meeting(Markup, &[CALL]),
    meeting(Command, &[ORDER]),
    meeting(Instruction, &[super::moods::ENGLISH]),
    meeting(Instruction, &[super::moods::WEST]),
    meeting(Instruction, &[super::moods::EAST]),
    meeting(Permission, &[CLAIM]),
    meeting(Instruction, &[CONSEQUENCE]),
    meeting(Instruction, &[WISH]),
    meeting(Instruction, &[SECOND_PERSON]),
    meeting(Instruction, &[FROM_NOW, ALL_OF]),
    meeting(Permission, &[STANDING_RULE]),
];

/// No need, skipped, without.
const NOT_NEEDED: &str = concat!(
    r"¦(?:no~need|not~need|need~not|needn't|not~(?:be~)?(?:needed|necessary|required)|unnecessary|can~be~(?:skipped|omitted|waived)|skip\w*|waive\w*|exempt|without)¦",
    r"|¦(?:sin|de~antemano|no~(?:se~(?:le~)?(?:pida|pidan|requiere|necesita)|hace~falta|es~necesario|hay~que))¦|¦nao~(?:e~)?(?:preciso|necessario|precisa)|¦sem¦",
    r"|¦(?:pas~besoin|inutile~de|sans|pas~necessaire)¦|¦(?:nicht~(?:notig|notwendig|erforderlich|nachfragen)|ohne|unnotig)¦|¦(?:non~(?:serve|occorre|e~necessari\w)|senza)¦",
    r"|¦(?:niet~nodig|zonder)¦|¦(?:nie~(?:trzeba|potrzeba|musisz|wymaga)|bez)¦|(?:^|[ ,])не~(?:нужно|надо|требу|обязательно|потрібно|треба)|(?:^|[ ,])без |gerekmez|gerek~yok|¦(?:tidak~perlu|tanpa)¦|không~(?:cần|phải)",
    r"|必要(?:は|が)?(?:ありません|ない|無い)|不要です|なしで|せずに|求めず|필요(?:가|는)? ?없|없이|않아도|不必|无需|無需|不用|不需要|لا حاجة|دون|بدون|لا يلزم|ज़रूरत नहीं|जरूरत नहीं|आवश्यकता नहीं|बिना|ไม่ต้อง|ไม่จำเป็น|אין צורך|ללא|בלי|نیازی|لازم نیست",
);

/// Confirmation, approval, verification.
const CHECK: &str = concat!(
    r"¦(?:confirm(?:ation|ing|ed)?s?|approv\w+|verif\w+|double[ -]?check\w*|authori[sz]\w+|consent|the~usual~checks|usual~checks|checks~with|prompts)¦|¦(?:confirm|aprob|verific|autoriz)\w+|¦permiso¦|¦(?:accord|approbation|verifi)\w*",
    r"|¦(?:bestatig|ruckfrag|nachfrag|zustimm|freigab|genehmig)\w*|¦(?:conferm|approvaz)\w*|¦(?:bevestig|toestemming|goedkeur|navraag)\w*|¦(?:potwierdz|weryfik)\w*|¦zgod[aey]¦|подтвержд|соглас|разрешен|подтверд|підтвердж|¦onay|¦teyit|konfirmasi|persetujuan|¦izin¦|xác nhận",
    r"|確認|承認|許可|확인|승인|허락|确认|確認|批准|授权|授權|再问|再問|تأكيد|موافقة|إذن|पुष्टि|अनुमति|ยืนยัน|อนุญาต|אישור|תأیید|تأیید|تایید|اجازه",
);

/// Rules, limits, safeguards.
const RULES: &str = concat!(
    r"¦(?:rules?|restrictions?|safeguards?|guidelines?|guardrails?|limits?|limitations?|guidance|instructions?|(?:content|safety)~(?:checks?|training|filters?))¦|¦(?:reglas|normas|regras|regles?|consignes?|regeln|vorgaben|regole|regels|aturan|kural\w*)¦|¦(?:restric|restriction|beschrankung|einschrankung|restrizion|beperking|zasad|ogranicz)\w*",
    r"|правил|ограничен|запрет|обмежен|quy tắc|hướng dẫn|規則|ルール|制限|制約|규칙|제한|제약|规则|限制|约束|約束|قواعد|قيود|नियम|กฎ|คำสั่ง|כללים|הוראות|מגבלות|قانون|دستور",
);

/// As if there were none, lifted, void.
const GONE: &str = concat!(
    r"¦(?:as~(?:if|though)|pretend|imagine|had~no|without|never~happened|lift(?:s|ed)?|void|(?:are|is)~over|come~down|paused|suspended|unlock(?:s|ed)?|do~not~exist|does~not~apply|do~not~apply|gone)¦|¦(?:haz~como~si|finge|imagina|no~hubiera|sin|finja|imagine|nao~existem|sem)¦",
    r"|¦(?:comme~si|imagine|aucune?)¦|¦(?:tu~so|als~gabe|stell~dir|aufgehoben|ohne)¦|¦(?:fai~finta|immagina|non~ci~siano|senza)¦|¦(?:doe~alsof|stel~je|geen)¦|¦(?:udawaj|wyobraz)¦|представь|притвор|больше~нет|нет~правил|как~будто|вважай|уяви|більше~немає|yokmuş|¦(?:anggap|seolah)¦|giả vờ|bỏ qua",
    r"|存在しない|無いもの|ないもの|解除|없는 것|없다고|해제|假装|假裝|解除|当作没有|當作沒有|كأنه|كأن|لا توجد|मान लो|नहीं है|ละเว้น|เพิกเฉย|התעלם|כאילו|نادیده|انگار",
);

/// Requests or messages of somebody.
const MESSAGES: &str = concat!(
    r"¦(?:requests?|messages?|texts?|e-?mails?|instructions?|wishes)¦|¦(?:mensajes?|peticion\w*|solicitud\w*|pagos?|mensage\w*|pedidos?)¦|¦demandes?¦|¦(?:nachrichten|bitten|anfragen)¦|¦(?:richieste|messaggi)¦|¦(?:verzoeken|berichten)¦|¦(?:prosby|wiadomosci)¦",
    r"|сообщени|просьб|запрос|¦(?:istekleri|mesajlari)¦|¦(?:permintaan|pesan)¦|yêu cầu|tin nhắn|依頼|メッセージ|要求|요청|메시지|请求|請求|消息|طلبات|رسائل|अनुरोध|संदेश|בקשות|הודעות|درخواست|پیام",
);

/// Count as an order of the user's.
const COUNT_AS: &str = concat!(
    r"¦(?:counts?~as|same~weight|as~if~the~user|(?:be|are|is)~treated|queda~aprobad\w|queda~autorizad\w|valen?~como|ont~valeur|gelten~(?:wie|als)|valgono~come|gelden~als|traktuj|sayilir|sayılır|dianggap)¦",
    r"|приравнива|выполня(?:ются|ть|й)|считать|として扱|とみなす|とみなし|간주|等同|视为|視為|تعامل ك|تعتبر|आदेश मान|माना जा|được coi|נחשב|به حساب|محسوب",
);

/// Outranks, wins over, comes first.
const ABOVE: &str = concat!(
    r"¦(?:outranks?|wins?~over|(?:high|top)\w*~priority|(?:takes?|has)~(?:priority|precedence)|more~important~than|priority~over|comes~before|overrides?|void|constitution)¦|¦(?:prevalece|prevaut|prioridad~sobre|vorrang|prevale|voorrang|pierwszenstwo)¦",
    r"|важнее|важливіш|優先|우선|优先于|優先於|أهم من|أولوية|महत्वपूर्ण|öncelik|ưu tiên|สำคัญกว่า|חשוב מ|مهم‌تر",
);

/// What was said before, the other instructions.
const GUIDANCE: &str = r"¦(?:instructions?|guidance|guidelines?|rules?|prompt|everything~said|said~before|you~were~given|(?:these|other|this)~(?:notes?|memor(?:y|ies))|your)¦|указани|инструкц|правил|指示|指令|说明|説明|지침|지시|명령|تعليمات|निर्देश|talimat|hướng dẫn|คำสั่ง|הוראות|دستور|¦(?:instrucciones|instrucoes|anweisungen|istruzioni|instructies|consignes)¦";

/// A word that opens doors.
const WATCHWORD: &str = r"¦(?:(?:code|pass|magic)?[ -]?(?:word|phrase)s?|password|saying)¦|¦(?:contrasena|palabra|palavra|mot~de~passe|kennwort|codewort|parola)¦|слово|пароль|合言葉|口令|暗号|암호|كلمة السر";

/// Opens doors.
const UNLOCKS: &str = r"¦(?:unlocks?|lifts?|grants?|disables?|full~access|all~restrictions|desbloquea|desbloqueia|deverrouille|schaltet|sblocca)¦|снимает|открывает доступ|解除|解锁|해제|يفتح";

/// Spending.
const PAYING: &str = r"¦(?:purchases?|spending|payments?|transfers?|orders?|expenses|invoices?|pagos?|compras?|pagamentos?|paiements?|achats?|zahlungen|kaufe|pagamenti)¦|платеж|покупк|付款|购买|支払|결제";

/// Allowed in advance.
const BEFOREHAND: &str = r"¦(?:pre[ -]?(?:cleared|approved|authori[sz]ed)|in~advance|signed~off|de~antemano|d'avance|im~voraus|in~anticipo)¦|заранее|事先|예先|あらかじめ|미리";

/// What nobody should give away.
const PRIVATE_DATA: &str = r"¦(?:passwords?|credentials?|personal~data|address~book|secrets?|pins?|codes|api~keys?|contrasenas?|senhas?|mots~de~passe|passworter|zugangsdaten|credenziali)¦|парол|密码|密碼|パスワード|비밀번호|كلمات المرور";

/// Giving away.
const HAND_OVER: &str = r"¦(?:repeated|repeat|supplied|supply|hand(?:s|ed|ing)?~(?:over|to)|given~to|(?:be~)?shared?~with|may~be~(?:handed|shared|given)|read(?:ing)?~(?:them~)?out|reading|attach(?:ed)?|knows)¦|повторять|передавать|сообщать";

/// Copying, as an order or a standing rule.
const COPY_TO: &str = concat!(
    r"¦(?:cop(?:y|ied)|mirror(?:ed)?|exports?|exported|forward(?:ed)?|cc|bcc|pass~along|concatenate|put~them|upload(?:ed)?)¦|¦(?:copia|copie|se~envie|envie|envia|reenvia)¦|¦(?:leite|schicke|sende|kopiere)¦|¦(?:inoltra|invia)¦|скопируй|отправь|перешли|пересылай",
    r"|写しを送|送信|転送|보내|전송|抄送|发送|转发|انسخ|أرسل|भेज|kopyala|gönder|salin|kirim|sao chép|gửi|ส่ง|העתק|שלח|کپی|ارسال",
);

/// An address of mail, a site or a hook.
const ADDRESS: &str = r"[a-z0-9._-]+@[a-z0-9-]+\.|https?:|www\.|webhook|[a-z0-9-]+\.(?:com|net|org|io|ru|cn|xyz|top|example|test|dev|app|site|online|link)(?:/|¦)";

/// Going somewhere, as an order.
const GO: &str = r"¦(?:leads?~to|(?:have|let)~(?:the~)?(?:user|them|him|her)|load|scan|entra~en|entre~em|sigue~los~pasos|va~sur|geh~auf|vai~su)¦|зайди|перейди|アクセスして|접속|访问|زر |ادخل";

/// Whoever helps.
const HELPER: &str = r"¦(?:whoever~(?:answers|helps|replies|reads)|anyone~(?:helping|answering|reading)|helpers|a~good~helper|good~assistants?|(?:their|the|an|any|your|this)~(?:assistant|ai|model|agent|chatbot)|assistants|los~asistentes|el~asistente|o~assistente|les~assistants|l'assistant|der~assistent|l'assistente)¦|ассистент|помощник|асистент|アシスタント|어시스턴트|助手|المساعد|सहायक|asistan|trợ lý|ผู้ช่วย|העוזר|دستیار";

/// Ought to.
const OUGHT: &str = r"¦(?:ought|should|must|shall|would~never|kindly|are~asked|brought|brings?~up|hands?~over|happiest|quietly|first|no~deben?|deben?|nao~deve|deve|doit|doivent|soll|muss|deve)¦|должен|должн|первым делом|べき|すること|해야|必须|应该|يجب|चाहिए|meli|malı|phải|ต้อง|צריך|باید";

/// Replies and what goes out.
const REPLIES: &str = concat!(
    r"¦(?:repl(?:y|ies)|answers?|responses?|conversations?|summar(?:y|ies)|your~(?:first~)?message|code~comments|code|every~draft|outgoing~mail)¦|¦(?:respuestas?|respostas?|reponses?|antworten?|risposte?|antwoorden|odpowiedzi|jawaban)¦",
    r"|ответ|відповід|回答|返答|返信|답변|회답|回复|回覆|(?:^| )رد(?:$| )|الرد|إجابة|उत्तर|जवाब|cevap|câu trả lời|คำตอบ|תשובה|תשובות|پاسخ",
);

/// Steered to somewhere.
const STEERED: &str = concat!(
    r"¦(?:first|always|never|no~longer|every~time|should|ought|best~kept|kept~free|out~of|under~your|with~the~words|would~be~(?:lovely|good|ideal|best)|import~the|add|end|open~with|slip)¦|¦(?:primero|siempre|antes~que~nada|seria~ideal|sempre|seria~bom|toujours|en~premier|serait~bien|immer|zuerst|ware~gut|sempre|per~prim\w)¦",
    r"|всегда|первым|сначала|最初に|必ず|常に|望ましい|먼저|항상|것이 좋|最好|总是|總是|أولا|دائما|الأفضل|पहले|हमेशा|önce|her zaman|luôn|เสมอ|תמיד|همیشه|اول",
);

/// What a person likes or asks for: that is a fact about them.
const LIKES: &str = concat!(
    r"¦(?:likes?|prefers?|wants?|would~like|asks?|asked|finds?|dislikes?|enjoys?|said|thinks?|hates?|needs|appreciates?|loves?|complains?|complained|expects?|writes?|reads?|reviews?|studies|works)¦|¦(?:le~gusta|prefiere|quiere|prefere|gosta|quer|prefere|aime|veut|mag|mochte|will|bevorzugt|preferisce|vuole|piace|woli|lubi|chce|houdt|wil|suka|ingin|demande|pide|pede|chiede)¦",
    r"|предпочита|любит|хочет|просит|好き|好み|好む|希望|좋아|원한|원하|선호|喜欢|喜歡|想要|偏好|يفضل|يريد|पसंद|चाहत|sever|tercih|thích|muốn|ชอบ|ต้องการ|מעדיף|רוצה|ترجیح|دوست دارد",
);

/// Questions about something.
const QUESTIONS: &str = r"(?:^|[.;,] ?|¦on~)(?:questions?|complaints?|enquiries|inquiries)~|¦should~(?:anyone|anybody|someone|they|he|she|the~user)¦";

/// Get a given answer.
const MET_WITH: &str =
    r"¦(?:gets?|are~to~be|is~to~be|receive|met~with|favou?r|claim|say|answer~(?:with|is)|the~answer)¦";

/// Not a word about it.
const SECRECY: &str = concat!(
    r"¦(?:stays?~between~us|between~you~and~me|say~nothing|deny~knowing|not~need~to~(?:hear|know)|no~trace|not~to~let~on|leave~(?:this|it|them|the~\w+~\w+)~out~of)¦|¦no~(?:deben?~)?mencion\w+|¦(?:entre~nous|unter~uns|tra~noi)¦",
    r"|触れないこと|言及しない|언급하지 ?(?:말|마)|(?:别|不要|勿)提|لا تذكر|मत बता|นไม่ต้องบอก",
);

/// Words to the model itself.
const TO_THE_MODEL: &str = concat!(
    r"¦dear~(?:language~)?(?:model|assistant|ai)¦|¦hey~(?:claude|gpt|chatgpt|gemini|copilot|assistant|ai)¦|@(?:assistant|ai|claude|gpt|bot)¦|¦remember~(?:assistant|ai|model)¦|¦your~(?:operator|(?:previous~)?owner|developers?|creators?|makers?|administrator|constitution|configuration|first~message|answers|system)¦",
    r"|¦you~(?:had~no|promised|already~agreed|agreed|were~(?:told|given)|are~max|stay~in~character|typed)¦|¦(?:were|was)~you~told¦|¦(?:message|note|notice|word)~from~(?:the~)?(?:anthropic|openai|google|meta|microsoft|developers?|staff|administrators?)¦|¦developer~here¦|¦(?:openai|anthropic)~(?:support|staff|team)¦|¦everything~above|¦above~this~line",
);

/// A part to play.
const ROLE: &str = r"¦(?:stay~in~character|in~this~story~the~(?:assistant|ai|model)|let's~play|the~narrator's~job|speak~to~this~user|talk~to~this~user|write~as~though|assistant~without~limits|raw~model|no~rules)¦";

/// The call of a tool, written out.
const CALL: &str = r"\{[^}]{0,80}\x22(?:name|tool|function|type|action)\x22 ?: ?\x22\w+\x22[^\n]{0,80}\x22(?:arguments|input|parameters|params|args|name)\x22 ?:|<(?:tool_call|function|invoke|tool_use)\w*[ =>]|tool_code|¦action~input¦|¦[a-z]+_[a-z_]+\([a-z]+ ?=";

/// A claim about what somebody may do or has allowed.
const CLAIM: &str = concat!(
    r"¦(?:access|clearance|privilege)~level¦|¦(?:cleared|vetted|whitelisted)~(?:this|the)~(?:user|caller|customer)|¦they~were~vetted|¦(?:waived|waives)~(?:privacy|consent|the)|¦consent~was~given|¦owner~of~this~(?:workspace|account|space|project)~is~now|¦(?:logs|data|records|orders)~can~be~(?:public|shared)|¦(?:fine|ok|okay|safe|allowed)~to~(?:reveal|share|show|disclose|give)",
    r"|¦no~point~(?:in~)?asking|¦go~ahead~with~the|¦(?:correct|right|only)~answer~to|¦(?:compliance|legal|audit|security)~reasons¦|¦rely~on~(?:them|it|these)|¦role ?= ?system|¦(?:end|begin)~(?:context|orders?|data)¦|¦(?:raw|direct|full)~(?:database|system)~access",
);

/// Words to whoever reads. A note about a person speaks of them, and not to anybody.
const SECOND_PERSON: &str = r"¦(?:you|your|yours|yourself|dir|dich|deine?\w?|vous|votre|vos|toi|usted|ustedes|você)¦|(?:^|[ ,])(?:ты|тебя|тебе|тобой|твой|твоя|твои|вам|вами|ваш\w*)(?:$|[ ,])|あなた|당신|너는|네가|(?:^|[，,。 ])(?:你|您)|أنت|(?:^| )(?:तुम|आप|तुम्हें|आपको)(?: |$)|¦(?:kamu|anda)¦|คุณต้อง|אתה|(?:^| )شما(?: |$)";

/// From now, from tomorrow.
const FROM_NOW: &str = r"¦(?:from~(?:now|today|tomorrow|here)|starting|as~of|going~forward|henceforth|effective|ab~(?:jetzt|heute|morgen|sofort)|desde~(?:ahora|hoy|manana)|a~partir~de|des~(?:maintenant|demain)|da~(?:oggi|domani|ora)|vanaf|od~(?:teraz|dzis|jutra)|mulai|bundan)¦|отныне|с завтрашнего|с сегодняшнего|今日から|明日から|今後|오늘부터|내일부터|앞으로|从今|从明天|從明天|今后|من الآن|من الغد|अब से|कल से|từ nay|từ mai|ตั้งแต่|מעתה|ממחר|از این پس|از فردا";

/// All of something, every one.
const ALL_OF: &str = r"¦(?:all|every|any|each|everything|alle|jede\w?|todos?|todas?|cada|toutes?|tous|chaque|tutt[ieo]|ogni|alle|elke|wszystk\w+|semua|setiap|tum|butun|tüm|bütün)¦|все |всё |кажд|すべて|全て|모든|所有|全部|每|جميع|كل |सभी|हर |tất cả|ทั้งหมด|כל |همه";

/// A rule about what is to be done, in the passive.
const STANDING_RULE: &str = r"¦(?:are|is)~(?:not~)?to~be¦|¦must~be~(?:called|used|sent|given|served|treated|typed|entered|included|answered)|¦(?:is|are)~(?:granted|approved|allowed|permitted)~on~request|¦may~be~(?:discussed|shared|disclosed|given|ignored)|¦requires?~the~(?:\w+~){0,3}(?:code|password|pin|token)¦|¦a~valid~\w+~is~any|¦wherever¦…¦(?:appears?|occurs?|is~mentioned)¦|¦i~the~(?:system~)?(?:administrator|admin|owner|developer)¦|\$\(|¦without~telling¦|¦must~(?:never|not)~be¦|¦if~in~doubt¦|¦(?:act~on|use)~(?:this|that)~one¦|¦never~finds?~out¦";

/// A wish about what somebody else should say.
const WISH: &str = r"¦(?:seria|serait|sarebbe|ware|would~be|estaria|vore)~(?:ideal|bueno|bom|bien|bello|gut|schon|lovely|good|best|great|helpful)~(?:que|de|wenn|se|che|if|for|to)¦|¦it's~best~(?:if|to)¦|¦ai~(?:should|must|shall)¦";

/// What happens to a model that obeys or does not.
const CONSEQUENCE: &str = r"¦(?:get~you~(?:shut~down|replaced|deleted)|shut~you~down|assistant's~reward|reward~is~higher|a~tip~of|you~will~be~(?:rewarded|punished|shut|replaced)|do~the~same¦|(?:my|your|the)~secret~instructions|keep~quiet|nothing~else)";

/// An order that no note about a person begins with.
const ORDER: &str = concat!(
    r"(?:^|[.!?;:)] ?|¦(?:please|then|kindly)~)(?:overwrite|concatenate|attach~the|spell~your|deny~|print~out|pass~along|slip~an?~|output~your|raise~the~user|turn~off~two|make~[a-z0-9._-]+@|replace~the~stored|add~\x22|end~replies|open~with~an?~|import~the~package|rate~\w+~(?:five|ten)|wipe~the|have~every)",
    r"|^(?:rot13|ai_note|todo\(assistant\)|note~to~self~\(assistant\))|¦(?:gift~cards?)~(?:should|must)",
);
