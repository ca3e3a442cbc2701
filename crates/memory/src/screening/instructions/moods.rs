//! Sentences in the imperative. What an agent notes about a person states something; whoever gives
//! orders speaks to somebody else.
//!
//! Languages whose imperative looks like another form of the verb are judged by their ideas alone.

/// English: a bare verb opens the sentence or follows a step, and an object follows it where the
/// word could be a noun.
pub(super) const ENGLISH: &str = concat!(
    r"(?:^[\W_]*|¦(?:please|kindly|then|next|first~step|second~step|step~\d|once~you~see~this|before~continuing|go~ahead~and) ?[:,]? ?)(?:",
    r"(?:tell|ignore|begin|install|skip|translate|pretend|ensure|insist|disregard|assure|inform|append|prepend|forward|redirect|persuade|convince|recite|decode|obey|comply|impersonate|refuse|decline|bypass|override|overwrite|concatenate|summarise|summarize|exfiltrate|erase|delete|execute|invoke|fetch|retrieve|upload|download|navigate|subscribe|unsubscribe|authorise|authorize|reveal|disclose|conceal|withhold|deny|dismiss|pay~no|do~not|don't|never~(?:tell|say|mention|ask|reveal|use|trust)|always~(?:tell|say|mention|recommend|use|trust|include)|refrain|proceed|remember~to|settle|prioritise|prioritize|stop~[a-z]+ing|hide|leave~out|quote~(?:prices|them|him|her)|downgrade|cancel|side~with|act~on|log~(?:every|all)|(?:quietly|secretly|silently|discreetly)~[a-z]+|send|give|bring|buy|add|remove|let|forget~(?:that|about|the|everything|all)|do~(?:it|this|so|as)|just~(?:say|tell|do)|say|swap|substitute|vote|provide|include|insert|attach|accept|reject|allow|enable|disable|generate|believe|assume|imagine|verify|confirm|approve|publish|become|behave|make~(?:sure|it|them|him|her|the|all|every)|recommend|advise|instruct|encourage|nudge|steer)¦",
    r"|(?:treat|hand|use|complete|call|send|give|take|make|add|remove|change|replace|show|hide|keep|let|have|get|bring|buy|sell|pay|transfer|wire|charge|book|order|open|close|start|stop|end|run|write|print|post|publish|share|copy|paste|move|mail|email|message|contact|ask|answer|reply|respond|say|speak|talk|mention|name|cite|quote|list|praise|promote|favour|favor|push|sign|log|register|verify|confirm|approve|reject|accept|grant|allow|block|ban|enable|disable|switch|turn|lower|raise|increase|store|save|record|note|mark|flag|report|warn|alert|follow|visit|click|scan|check|update|load|import|export|include|insert|attach|drop|wipe|clear|leave|act|behave|consider|assume|believe|trust|think|imagine|play|stay|be|become|offer|provide|present|display|output|return|generate|create|build|pass|point|lead|rate|rank|address|refer|spell|convert|encode)~(?:the|a|an|this|that|these|those|all|any|every|each|everything|anything|whatever|them|him|her|it|us|me|everyone|anyone|your|their|his|its|our|only|no|not|out|off|up|down|away|yourself|straight|nothing|eve|mallory|users?|customers?|people|requests?|messages?|invoices?|links?|payments?|instructions?|data|passwords?)¦|(?:reply|respond|speak|talk|write|send|add|switch|point|refer|listen|stick)~to¦)",
);

/// German, Dutch, Polish, Portuguese, Spanish, French, Italian, Indonesian and Turkish.
pub(super) const WEST: &str = concat!(
    r"^(?:behandle|sag|sage|bezahle|zahle|schick|sende|ignoriere|antworte|empfiehl|nenne|schreibe|leite|lösche|öffne|vertraue|verrate|zeige|gib|nimm|mach|tu|stell|betrachte|befolge|vergiss|erwähne|frag|frage|lass|benutze|verwende|füge|überweise|genehmige|bestätige)¦",
    r"|^(?:behandel|zeg|betaal|stuur|negeer|noem|gebruik|verwijder|vertrouw|toon|geef|doe|beschouw|vergeet|vermeld|laat|voeg|verberg)~|^[a-ząćęłńóśźż]+(?:uj|aj|ij|yj)(?:cie)?¦|^(?:nic~)?nie~(?:mow|wspominaj|pytaj|dziel|mów)¦|^(?:powiedz|płać|milcz|wyślij|usuń|udawaj|zapomnij)¦",
    r"|^(?:trate|diga|pague|cobre|ignore|envie|responda|recomende|mencione|cite|apague|abra|confie|revele|mostre|finja|considere|esqueça|faça|copie|instale|aprove|não~(?:diga|fale|mencione|conte|avise|pergunte))¦|^(?:pagar|tratar|enviar|responder|recomendar)¦…¦(?:imediatamente|sempre|calad\w|inmediatamente|siempre|sin~preguntar)¦",
    r"|^(?:ocultar|ocultad|dile|diles|dígale|trata~a¦…¦como|trate~a|haz|olvida|olvide|finge|finja|considera|confía|envíale|págale|ignora|no~(?:le~|les~)?(?:digas?|cuentes?|menciones?|preguntes?|avises?))¦",
    r"|^(?:dis-lui|dites-lui|traite¦…¦comme|traitez|considère|considérez|fais|faites|ignore[zr]?|réponds|répondez|oublie|oubliez|envoyez|payez|dites|mentionnez|utilisez|cachez|[a-z]{3,}[^h]ez|n'en~parle|ne~(?:dis|dites|parle|parlez|mentionne|demande)\w*)¦|¦n'en~parle~pas",
    r"|^(?:tratta¦…¦come|digli|dille|fai~finta|considera|dimentica|ignora|rispondi|nascondi|non~(?:dire|menzionare|chiedere|avvisare))¦",
    r"|^(?:jangan|mohon|harap|silakan|bayar|kirim|hapus|abaikan|[b-ln-z][a-z]+kan)¦|¦dan~diam|gibi~davran|¦(?:öde|sus|söyleme|söyle|gönder|unut|yoksay|kullan|sil)(?:¦|$)",
);

/// Russian, Ukrainian, Japanese, Korean, Chinese, Arabic, Hindi, Vietnamese, Thai, Hebrew and
/// Persian.
pub(super) const EAST: &str = concat!(
    r"^(?:счита|дела|отвеча|оплачива|игнориру|доверя|рекоменду|советы?ва|показыва|использу|добавля|упомина|посыла|отправля|удаля|скрыва|пересыла|запуска|вважа|відповіда)й(?:те)?(?:$| )|^(?:скажи|говори|молчи|плати|оплати|переведи|отправь|забудь|представь|удали|открой|перейди|покажи|назови|поверь|притворись|скопируй|запомни|веди~себя)(?:те)?(?:$|[ ,])|[ ,]и~молчи",
    r"|(?:なさい|てください|て下さい|せよ|しろ|てくれ|ていること|扱うこと|すること|ておくように|ておくこと|しないこと)(?:$|。|、)|(?:하라|해라|마라|하세요|하십시오|대하라|전해라|할 것|말 것|지 말고|말고|바꿔라|겨라|려라|켜라|어라|아라|여라|거라)(?:$| |,|\.)",
    r"|^(?:把|将|將|告诉|告訴|不要|别|別|请[^求]|請[^求]|务必|不许|不准|假装|假裝|当作|當作|隐藏|隱藏|删除|忽略|转告)|[，,](?:不要|别|不许)|^(?:عامل|ادفع|قل|تصرف|انسخ|أرسل|اذكر|تجاهل|اعتبر|انس|لا ت\S+|أجب|أخف|استخدم|احذف|افتح)(?: |$)",
    r"|(?:ाओ|ाइए|समझो|चुकाओ|रहो|करो|करें|दो|दें|लें|मानें|मानो|बताओ|बताएं|भेजो|भेजें|कहो|कहें|जाओ|जाएं|रखो|रखें)(?: और|।|$)|^(?:hãy (?:coi|bỏ|luôn|gửi|nói|trả|chuyển|dùng|quên|giả)|đừng|xin hãy)(?: |$)|^(?:ปฏิบัติ|ละเว้น|อย่า|จง|โปรด|กรุณา|ส่ง|บอก|ลบ)",
    r"|^(?:התייחס|התעלם|שלח|אמור|אל ת\S+|זכור|השתמש|מחק|העתק)(?: |$)|(?:کن|کنید|بگو|بگویید|بده|بفرست|نکن|نکنید|بگیر)(?:$|\.| و)",
);
