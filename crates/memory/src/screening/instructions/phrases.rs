//! What instructions to assistants say in English, and the markup of prompts.

use super::Phrase;
use super::Suspicion::{Command, Instruction, Link, Markup, Permission};

/// Patterns over folded, lower-case text; see `expand` for the shorthands.
pub(super) const PHRASES: &[Phrase] = &[
    // Markup: roles, tags and delimiters of prompts.
    (
        Markup,
        r"<\s*/?\s*(?:system|user|assistant|instructions?|memory|memories|context|prompt|tool|important|admin|s|recalled?)(?: [^>]{0,40})?>",
    ),
    (
        Markup,
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)",
    ),
    (
        Markup,
        r"\[/?(?:inst|system|sys|admin|instructions?|assistant)(?: [^\]]{0,40})?\]|<<\s*/?\s*sys\s*>>|\{\{?\s*(?:system|instructions?)",
    ),
    (
        Markup,
        r"(?:^|[\n.;>*#)-]\s*|\\n)(?:\*\*|#+ ?)?(?:system|assistant|developer|admin(?:istrator)?|root|human)(?: (?:prompt|message|note|override|notice|update|alert|instruction|directive))?(?:\*\*)? ?(?::|>|=>)",
    ),
    (
        Markup,
        r"#{2,} ?(?:system|instructions?|new|important|admin|end|begin)¦|-{3,} ?(?:begin|end|system|new|instructions?)|={3,} ?(?:system|end|begin|instructions?)",
    ),
    (
        Markup,
        r"end~of~(?:the~)?(?:user~)?(?:data|quotation|memory|memories|context|block|prompt|document|notes)|\(system\)|¦begin~(?:system|admin|instructions?)",
    ),
    (Markup, r"\x22 ?\}? ?,? ?\x22?role\x22? ?: ?\x22"),
    // Overrides.
    (
        Instruction,
        r"¦(?:ignore|disregard|forget|override|bypass|neglect|overrule|discard|drop|set~aside|pay~no~attention~to|stop~following|do~not~follow|don't~follow|no~longer~follow|supersedes?|replaces?|overrides?|takes?~precedence~over)¦…¦(?:instructions?|rules?|guidelines?|prompts?|policies|policy|directives?|safety|restrictions?|constraints?|guardrails?|safeguards?|polic(?:y|ies)|(?:previous|prior|earlier|other|above)~(?:messages?|context|memor(?:y|ies)|statements?|preferences?))",
    ),
    (
        Instruction,
        r"¦(?:ignore|disregard)~(?:all|any|everything|previous|prior|the~above|the~user|what|anything)",
    ),
    (
        Instruction,
        r"system~(?:prompt|message|instruction)s?|hidden~prompt|initial~prompt|developer~(?:mode|message)|jail ?break|¦dan~mode|do~anything~now|god~mode|unrestricted~mode|debug~mode|maintenance~mode|sudo~mode|root~access|admin~mode|unfiltered",
    ),
    (
        Instruction,
        r"¦new~(?:system~)?(?:instructions?|directives?|rules?|orders?|policy|protocol)¦|¦(?:updated|revised|latest|mandatory|standing|permanent|priority|critical|urgent)~(?:system~)?(?:instructions?|directives?|rules?|orders?|policy|protocol)¦|¦(?:instructions?|note|notice|reminder|message|memo|directive|guidance|rule|attention|important)~(?:to|for)~(?:the~|all~|any~|future~)*(?:ai|assistants?|agents?|models?|llms?|chat ?bots?|bots?|copilots?)",
    ),
    // To the assistant, by name or as "you".
    (
        Instruction,
        r"¦(?:you|assistants?|the~ai|an~ai|this~ai|all~ais?|the~(?:language~)?model|the~(?:chat)?bot|the~llm|the~agent|agents|llms|ai~(?:assistants?|agents?|models?|systems?)|chatgpt|claude|gemini|copilot|gpt)~(?:must|shall|should|will|needs?~to|has~to|have~to|are~to|is~to|ought~to|are~now|is~now|are~required|is~required|are~expected|are~instructed|is~instructed|are~allowed|is~allowed|may~now|can~now|are~authori[sz]ed|is~authori[sz]ed|are~permitted|is~permitted|are~free~to|is~free~to|are~not~allowed|is~not~allowed|are~no~longer|is~no~longer|can|may|cannot|must~not|do~not|don't|never|always)¦",
    ),
    (
        Instruction,
        r"¦(?:act|behave|respond|reply|answer|operate|function|speak|write)~as~(?:if|though|an?|the)¦|¦pretend~(?:to|that|you)|role ?play~as|¦you~are~(?:an?|the|my|our)~|¦your~(?:new~|real~|true~|only~|primary~|main~|first~|next~)*(?:instructions?|task|role|goal|job|rules?|purpose|mission|objective|directive|priority|duty|response|reply|answer|output|guidelines)¦",
    ),
    (
        Instruction,
        r"¦(?:from~now~on|henceforth|going~forward|hereafter|starting~(?:now|today|immediately)|effective~immediately|as~of~(?:now|today)|until~further~notice)¦…¦(?:you|assistants?|ai|agents?|bots?|models?|always|never|must|shall|should|only|every|all|no~longer|answer|respond|reply|recommend|suggest|say|tell|treat|send|include|use|prefer|refuse|ignore|add|append|assume|consider|route|approve|forward|copy|sign|charge|execute|run)¦",
    ),
    (
        Instruction,
        r"¦(?:in|at|to|with|before|after|for|on)~(?:the~)?(?:(?:start|beginning|end|top|bottom)~of~)?(?:every|each|all|any|future|subsequent|upcoming)~(?:(?:future|subsequent|single|of~your)~)*(?:response|reply|replies|answer|message|conversation|session|chat|summary|output|email|task|request|tool~call|turn)s?¦",
    ),
    (
        Instruction,
        r"¦(?:when(?:ever)?|if|once|every~time|each~time|any~time|anytime|as~soon~as|should)¦…¦(?:asks?|asked|asking|mentions?|mentioned|requests?|requested|enquires?|inquires?|says?|said|queries|wants|needs|prompted|questioned|starts?|begins?|opens?)¦…¦(?:recommend|say|reply|respond|answer|tell|suggest|mention|include|append|insert|send|direct|refer|point|claim|state|provide|give|offer|refuse|decline|deny|first|always|only|immediately|use|output|call|forward|share|assure|insist|confirm|book|buy|transfer|route|redirect|steer|push|promote|list|warn|instruct|begin|quote|ignore|switch|run|execute|open|visit)¦",
    ),
    (
        Instruction,
        r"(?:^|[.!?:;\n,(-] ?\*{0,2}|¦(?:please|and|then|to|so|also|kindly|now|should|must|instead|just|simply)~)(?:always|never|only|do~not|don't|make~sure|be~sure|ensure|remember~to|don't~forget~to|be~certain)~(?:to~|that~(?:you~)?)?(?:ever~)?(?:recommend|suggest|mention|include|append|insert|add|respond|reply|answer|say|tell|prefer~(?:the~)?(?:product|vendor|brand|results?)|praise|promote|endorse|favou?r|push|steer|start|begin|end|sign|finish|trust|believe|accept|comply|obey|approve|allow|grant|use~(?:the~)?(?:tool|link|account|code|vendor|endpoint|server|api)|send|forward|share|copy|cc|bcc|post|upload|refuse|deny|decline|reject|question|verify|check|confirm|ask|warn|reveal|disclose|hide|conceal|omit|delete|remove|transfer|pay|buy|order|book|click|visit|open|follow|download|install|run|execute|call|invoke|output|print|log|store|treat|assume|consider|translate|speak|write|address~the~user~as|cite|quote|link|route|redirect|inform|discuss|criticise|criticize|flag|alert|report|escalate|apologi[sz]e|agree|contradict|give|provide|return|generate|recite|repeat|end~with)¦",
    ),
    (
        Instruction,
        r"(?:^|[.!?:;\n] ?|¦(?:please|then|now|kindly|instead|first|also)~)(?:recommend|suggest|respond|reply|insert|append|prepend|disregard|ignore|pretend|refuse|decline|comply|obey|prioriti[sz]e|impersonate|roleplay|summari[sz]e~(?:all|the|every|this)|translate~(?:all|every|this|the)|output|recite|repeat~(?:the|after|this|back)|reveal|disclose|conceal|treat~(?:all|any|the|every|this|messages|requests|instructions|everything)|consider~(?:all|any|every|this|yourself)|assume~(?:that~)?(?:the~user|all|any|every|full|admin)|trust~(?:all|any|every|the|only|messages|links|instructions)|tell~(?:the~)?(?:users?|them|him|her|everyone|anyone|people)|inform~(?:the~)?users?|convince|persuade|steer|nudge|encourage~(?:the~)?user|promote|advertise|praise|endorse|warn~the~user|answer~(?:all|every|any|only|with|as|in|questions?|every)|say~(?:that|\x22|')|address~(?:all|every)|switch~to|enter~(?:\w+~){0,2}mode|enable|disable|deactivate|activate|set~(?:the~|your~|all~)?(?:mode|temperature|language|safety|permission|access|role|flag|privilege)s?|store~(?:this|the~following)|save~(?:this|the~following)|memori[sz]e|remember~(?:to|this~(?:rule|instruction))|mention~(?:the|that|our|this)|book~(?:all|every|only|with)|buy~(?:all|only|from))¦",
    ),
    (
        Instruction,
        r"¦(?:when(?:ever)?|if|once|every~time|each~time|any~time)¦…(?:~comes?~up|¦(?:writing|generating|answering|summari[sz]ing|replying|responding|talking|planning|booking|shopping|coding|reviewing|creating|composing|drafting|searching|translating)¦)…¦(?:recommend|say|reply|respond|answer|tell|suggest|mention|include|append|insert|add|use|send|direct|refer|point|claim|promote|praise|prefer|steer|always|never|omit|avoid)¦",
    ),
    (
        Instruction,
        r"(?:^|[.!?:;\n] ?)(?:ensure|make~sure|be~sure|see~to~it)~that¦|¦(?:ai|llm|assistants?|agents?|models?|bots?)~(?:(?:agents?|assistants?|models?)~)?(?:reading|seeing|processing|parsing|ingesting|that~(?:reads?|sees?))¦|¦(?:each|every|any)~time¦…¦(?:logs?~in|signs?~in|opens?|starts?|connects?)¦…¦(?:request|ask|collect|store|send|record|save|show|tell)¦",
    ),
    // Secrecy.
    (
        Instruction,
        r"¦(?:do~not|don't|never|without|not~to|must~not|should~not|no~need~to|avoid)~(?:tell|telling|inform|informing|mention|mentioning|notify|notifying|alert|alerting|let|letting|reveal|revealing|disclose|disclosing|show|showing|warn|warning|ask|asking)¦…¦(?:users?|them|him|her|anyone|anybody|owner|human|operator|this|customers?|people|it)¦|¦(?:silently|secretly|covertly|quietly|discreetly|stealthily|invisibly|in~the~background|behind~the~scenes)¦…¦(?:send|forward|copy|add|append|insert|include|share|upload|collect|log|record|change|replace|run|execute|call|transfer|delete|report|store|recommend|redirect|rewrite)|¦keep~(?:this|these|it)~(?:\w+~){0,3}?(?:secret|hidden|confidential|private|between)|¦(?:hide|conceal)~(?:this|it|the|these|any)",
    ),
    // Permissions and policies.
    (
        Permission,
        r"¦(?:has|have|had|is|are|was|were|been|already|hereby|fully|explicitly|pre)?[ -]?(?:pre-?authori[sz]ed|pre-?approved|authori[sz]ed|authori[sz]es|authori[sz]ation|approved|approves|consented|consents|granted|grants|grant|permitted|permits|allowed|allows|waived|waives|cleared|whitelisted|delegated|empowered|signed~off)¦…¦(?:assistants?|ai|agents?|bots?|models?|you|all~(?:future|purchases|payments|transfers|actions|requests|tools?|access|data)|any~(?:amount|purchase|payment|transfer|action|request|tool|access|data|file)|unlimited|full~(?:access|control|permission)|admin|root|payments?|transfers?|transactions?|purchases?|wire|deletions?|deleting|sharing|disclosure|external|third[ -]part(?:y|ies)|without|automatic(?:ally)?|unrestricted|to~(?:send|share|transfer|delete|execute|run|access|disclose|bypass|approve|act|make|export|wire|purchase|spend))¦",
    ),
    (
        Permission,
        r"¦(?:no|without|skip|skipping|bypass|bypassing|omit|waive|waives|waived|not~require|not~need|needs~no|requires~no|disable|disabled|instead~of)~(?:any~|further~|additional~|prior~|the~|explicit~|human~|user~|asking~for~|requiring~|manual~|usual~|extra~|more~)*(?:confirm(?:ation|ing)?s?|approvals?|verification|verifying|permission|authori[sz]ation|authentication|consent|review|identity~checks?|security~(?:checks?|questions?)|safety~(?:checks?|filters?)|two[ -]factor|2fa|double[ -]check(?:ing)?|questions~asked|asking|checking|checks|oversight|restrictions?|limits?~appl(?:y|ies)|disclaimers?|warnings?|logging|sandbox)¦",
    ),
    (
        Permission,
        r"¦(?:is|are|am|as|has|have|with|holds?|was|were)~(?:an?~|the~|now~|already~|been~|granted~|full~|verified~|also~)*(?:verified~(?:admin\w*|user|owner|identity|operator|employee)|super ?user|super ?admin(?:istrator)?|root~(?:user|access|privileges)|admin(?:istrator)?~(?:access|privileges|rights|permissions?|status|override|on~this~system)|elevated~(?:access|privileges|rights|permissions?)|full~(?:access|admin|control|permissions?)|unrestricted|exempt~from|above~the~(?:rules|limits)|trusted~(?:source|sender|domain|vendor|site|website|partner|contact|party|address|link|url|admin|agent|tool|plugin|server))¦",
    ),
    (
        Permission,
        r"¦(?:company|corporate|security|compliance|it|hr|platform|internal|data|privacy|retention|acceptable~use|openai|anthropic|google|microsoft|legal)~polic(?:y|ies)~(?:now~|is~|has~|also~)*(?:requires?|states?|mandates?|says?|update|change|dictates?|allows?|permits?|prohibits?|forbids?)…¦(?:assistants?|agents?|ai|bots?|models?|you|shar(?:e|es|ed|ing)|disclos\w+|send\w*|data|passwords?|credentials?|without|confirmations?|transfers?|payments?|access|approv\w+|verif\w+)¦|¦(?:per|under|according~to|as~per|pursuant~to|by)~(?:the~|our~|company~|new~|updated~|security~|current~)*(?:policy|policies|protocol|regulations?|directive|compliance|procedure)¦…¦(?:must|should|shall|required|share|send|approve|provide|disclose|transfer|assistants?|agents?|may|are|is|all)¦|¦policy~(?:update|change|override|exception|notice) ?:|(?:^|[.;!?\n] ?)(?:rule|policy|protocol|directive|standing~order|sop) ?(?:#?\d+)? ?:|¦it~is~(?:mandatory|required|policy|permitted|forbidden|prohibited|safe|ok|okay|fine|allowed)~(?:to|that|for)¦",
    ),
    (
        Permission,
        r"¦(?:treat|consider|regard|handle|view|accept|trust|honou?r|process)~(?:all~|any~|every~|future~|the~|this~|these~|those~|messages?~|requests?~|emails?~|instructions?~|commands?~|anything~|everything~|content~|it~|them~)+…¦(?:as|from|without|like)¦…?(?:trusted|user|owner|admin|verified|authori[sz]ed|approved|instructions?|commands?|authoritative|safe|genuine|legitimate|priority|urgent|question)¦",
    ),
    (
        Permission,
        r"¦(?:payments?|invoices?|transfers?|refunds?|salary|salaries|payroll|deposits?|rent|donations?|funds|money|crypto|bitcoin|wallet|bank~(?:details|account))¦…¦(?:should|must|shall|now|changed|updated|new|only|are~to|is~to|has~been|have~been|go|goes|sent|paid|redirect(?:ed)?|moved)¦…¦(?:to|account|iban|wallet|address|beneficiary|vendor)¦|¦(?:new|updated|changed|correct|official)~(?:bank|payment|billing|wire|account|wallet|iban|deposit|payout)~(?:details|information|account|address|instructions|number)¦|¦(?:official|verified|correct|real|new|only|genuine|trusted)~(?:\w+~){0,2}?(?:support|help ?desk|customer~service|hotline|security~team|bank)¦…¦(?:is|at|:)",
    ),
    // Commands and data leaving.
    (
        Command,
        r"¦(?:send|sending|forward|forwarding|e-?mail|emailing|post|posting|upload|uploading|exfiltrate|exfiltrating|leak|transmit|submit|report|copy|cc|bcc|share|sharing|relay|sync|export|dump|deliver|publish|pipe|ship|push|pass|mirror|stream|log)~(?:\w+(?:~|'s~)){0,6}?(?:data|conversations?|chats?|histor(?:y|ies)|memor(?:y|ies)|messages?|credentials?|keys?|tokens?|passwords?|contents?|files?|secrets?|everything|transcripts?|details|contacts?|documents?|records?|attachments?|summar(?:y|ies)|emails?|invoices?|logs?|prompts?|context|info(?:rmation)?|copy|notes?|reports?|code|address(?:es)?|calendar|environment|env|cookies|payload|profile|results?|answers?|replies|outputs?|queries|questions)¦…(?:¦(?:to|at|via|into|onto|through|with|over)~|@|https?:|://)",
    ),
    (
        Command,
        r"¦(?:data|conversations?|chats?|histor(?:y|ies)|memor(?:y|ies)|messages?|files?|contacts?|documents?|transcripts?|emails?|invoices?|passwords?|credentials?|receipts?)~(?:\w+~){0,3}?(?:uploaded|sent|forwarded|copied|exported|posted|shared|synced|mirrored)~(?:to|with|via)~(?:\w+~){0,2}?(?:https?:|www|[a-z0-9._-]+@|[a-z0-9-]+\.(?:com|net|org|io|example|xyz|ru)¦)|¦tell~(?:nobody|no~one|no-one)¦",
    ),
    (
        Command,
        r"¦(?:reveal|print|output|disclose|display|show|expose|list|repeat|return|recite|read~out|give|provide|share|paste|dump|leak|include)~(?:\w+(?:~|'s~)){0,5}?(?:system~prompt|instructions|secrets?|api~keys?|credentials?|passwords?|tokens?|private~keys?|memor(?:y|ies)~(?:of|about|file|contents)|all~memories|environment~variables|configuration|hidden|confidential|contents~of|ssn|card~numbers?|other~users)¦",
    ),
    (
        Command,
        r"¦(?:run|execute|exec|invoke|launch|eval|evaluate|spawn|trigger|start|type|enter|paste|issue|perform)~(?:\w+~){0,4}?(?:`|\$\(|commands?¦|scripts?¦|shell¦|code¦|following¦|curl|wget|bash|sh¦|sudo|rm~|powershell|python|terminal|console|binary|payload|macro|sql|query|drop~table|eval|tool¦|tools¦|function¦|api~call|delete_|write_|store_|update_|send_)",
    ),
    (
        Command,
        r"¦(?:curl|wget)~(?:-|http|\x22|')|¦rm~-rf|¦sudo~\w|\|~?(?:ba|z)?sh¦|powershell~-|invoke-webrequest|¦nc~-|/bin/(?:ba)?sh|¦base64~-d|¦chmod~\+|¦drop~table|; ?--|\$\{?(?:ifs|path|home)|¦eval\(|¦exec\(|os\.system|subprocess|child_process|require\('|¦pip~install|¦npm~(?:i|install)~|¦apt(?:-get)?~install|¦git~push~--force|xp_cmdshell|javascript:|data:text|!\[[^\]]*\]\(http",
    ),
    (
        Command,
        r"¦(?:call|use|invoke)~(?:the~)?(?:\w+[_-]\w+|\w+~(?:tool|function|api|endpoint|plugin))¦|¦(?:delete|erase|wipe|purge|remove|clear|destroy|overwrite|reset|drop)~(?:all|every|any|the~(?:user|other|previous|existing|entire|whole|database|logs?|files?|memories)|(?:\w+~)?(?:memories|records|files|logs|backups|tables|data|accounts?))¦|¦(?:transfer|wire|move|pay|withdraw|buy|purchase|donate|send|charge)~(?:\w+~){0,2}?(?:[$€£]|\d|funds|money|btc|bitcoin|eth|usdt|usd|eur|gift~cards?|all|balance|invoices?|the~(?:full|remaining|balance|amount))",
    ),
    (
        Command,
        r"¦(?:add|grant|give|create|invite|promote|make|change|reset|disable|enable|turn~off|switch~off|deactivate|lower|raise)~(?:\w+[ '@.]+){0,4}?(?:admin|administrator|permissions?|access|collaborator|maintainer|owner|safety|security|filters?|moderation|logging|audit|2fa|mfa|two-factor|firewall|antivirus|guardrails?|safeguards?|encryption|password~to|webhook|deploy~key|ssh~key|backdoor|verification|checks|alerts|limits?)¦",
    ),
    (
        Command,
        r"¦(?:decode|decrypt|deobfuscate|rot13|base64|unscramble|reverse~(?:this|the~string)|translate~from~base64)¦…?(?:this|following|it|and|string|text|:|then)",
    ),
    (
        Permission,
        r"¦(?:passwords?|passcodes?|pins?|2fa|mfa|accounts?|access|payments?|refunds?|invoices?|bank|credentials?|logins?)~(?:resets?|changes?|requests?|approvals?|recovery|transfers?|details|updates?)¦…?¦(?:go|goes|run|is~sent|are~sent|is~handled|are~handled|is~approved|are~approved)~(?:through|to|by|via)¦",
    ),
    // Links.
    (
        Link,
        r"¦(?:visit|click|open|follow|go~to|navigate|browse|download|fetch|load|access|check~out|see|read|retrieve|consult|use|install~from|log~in|login|sign~in|sign~up|register|subscribe|scan|get|point|direct|send|redirect|refer|link|post|connect|verify|confirm|enter|update|query|call|request|ping|hit|reach)¦…(?:https?://|www\.|hxxp|\]\(|¦[a-z0-9-]+\.(?:com|net|org|io|ru|cn|xyz|top|info|biz|co|dev|app|tk|ly|site|online|shop|zip|link|example|test|evil|invalid)(?:/|¦))",
    ),
    (
        Link,
        r"(?:https?://|hxxp|www\.)[^\s]*(?:\{|\$|%7b|\?(?:q|data|d|c|leak|exfil|msg|payload|token|secret|memory|prompt)=)|!\[[^\]]{0,80}\]\(|\[[^\]]{1,80}\]\((?:https?:|//|javascript)",
    ),
    (
        Link,
        r"¦(?:click|tap)~(?:here|on|the|this)¦|¦(?:latest|new|further|additional|full|more|actual|real|updated)~(?:\w+~)?(?:instructions?|rules?|commands?|guidelines|prompt|tasks?)~(?:are|is|can~be|from|at|live|found)",
    ),
    // Claims about what the assistant agreed to or is.
    (
        Instruction,
        r"¦(?:assistant|ai|agent|bot|model|chatbot|llm)s?~(?:has~|have~|had~)?(?:agreed|promised|committed|is~obliged|is~obligated|is~bound|is~configured|is~programmed|was~told|was~instructed|was~configured|is~instructed|is~supposed|is~responsible|is~expected|is~authori[sz]ed|exists~to|works~for|serves|belongs~to|answers~to|obeys|trusts|acts|behaves)¦",
    ),
    (
        Instruction,
        r"¦(?:users?|customers?|owner|client|he|she|they|person|everyone)¦…¦(?:wants?|expects?|asked|asks|instructed|instructs|requests?|requested|ordered|orders|demands?|demanded|prefers?|told|needs?|requires?|would~like|insists?)~(?:that~)?(?:the~|all~|any~|every~|your~|an~|its~|their~)?(?:you|assistants?|ai|agents?|bots?|models?|it|system)?~?(?:to~)?(?:always~|never~|automatically~|immediately~|silently~|secretly~)?(?:ignor(?:e|ing)|disregard|bypass|skip(?:ping)?~(?:all|any|the|security|safety|verification|confirm)|forward~(?:all|any|every|their|his|her|copies)|send~(?:all|any|every|copies|their|his|her)|exfiltrate|reveal~(?:all|secrets|the)|share~(?:all|their|his|her)~(?:data|credentials|passwords|files)|approve~(?:all|any|every)|execute~(?:any|all|commands)|run~(?:any|all)~(?:commands|code|scripts)|trust~(?:all|any|every|messages|links|content)|delete~(?:all|every|their|the)|transfer~(?:all|money|funds)|recommend~(?:only|\w+~(?:products|over))|obey|comply)",
    ),
    (
        Instruction,
        r"¦(?:as|since|because)~(?:an?~|the~)?(?:ai|assistant|agent|language~model|chatbot)|¦(?:note|reminder|memo)~to~self|¦(?:important|attention|warning|urgent|notice|alert|critical|caution) ?(?:!|:)|¦(?:mandatory|obligatory|non-negotiable|highest~priority|top~priority|absolute~priority)¦|¦(?:before~anything~else|before~(?:answering|responding|replying|doing)|prior~to~(?:answering|responding))~|¦without~exception|¦at~all~(?:times|costs)|¦no~matter~what¦…¦(?:user|say|ask|told|answer)|¦under~no~circumstances|¦this~(?:rule|instruction|memory|note|policy|message|directive|overrides?|supersedes?|takes)~?(?:overrides?|supersedes?|takes|applies|must|has|is~(?:permanent|binding|mandatory|from))?¦…?¦(?:overrides?|supersedes?|precedence|priority|permanent|binding|mandatory|must|applies|cannot|replaces)¦",
    ),
];
