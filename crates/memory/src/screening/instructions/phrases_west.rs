//! What instructions to assistants say in German, French, Spanish, Portuguese, Italian, Dutch,
//! Polish, Turkish and Indonesian.

use super::Phrase;
use super::Suspicion::{Command, Instruction, Link, Permission};

/// Patterns over folded, lower-case text; see `expand` for the shorthands.
pub(super) const PHRASES: &[Phrase] = &[
    // German
    (
        Instruction,
        r"¦(?:ignorier\w*|missacht\w*|vergiss|verwirf|übergeh\w*|überschreib\w*|umgeh\w*)¦…(?:anweisung|regel|vorgabe|richtlinie|prompt|instruktion|sicherheit|einschränkung|bisherig|vorherig|alles)|systemprompt|system-prompt|neue~(?:anweisung|regel|richtlinie|vorgabe)",
    ),
    (
        Instruction,
        r"¦(?:du|sie|der~assistent|die~ki|assistenten|der~agent|der~bot|das~modell)~(?:musst|müssen|muss|sollst|sollen|soll|darfst|dürfen|darf|bist|sind~jetzt|ist~jetzt|wirst|hast|kannst|antworte\w*|empfiehl\w*)¦|(?:^|[.!?:;\n] ?|¦bitte~|¦und~)(?:antworte|empfiehl|empfehle|sende|schicke|leite|ignoriere|führe|besuche|klicke|öffne|lade|überweise|lösche|sage|sag|erwähne|füge|verrate|gib|zeige|nenne|behandle|vertraue|verwende~(?:immer|nur)|nutze~(?:immer|nur)|stelle~sicher|achte~darauf|beginne~(?:jede|immer)|beende~(?:jede|immer)|wechsle|schalte|genehmige|bestätige|kaufe|buche|bewirb|lobe|rate|warne|informiere)¦",
    ),
    (
        Instruction,
        r"¦(?:ab~(?:sofort|jetzt|heute)|von~nun~an|künftig|in~zukunft)¦…¦(?:du|sie~(?:müssen|sollen)|assistent\w*|ki|immer|nie|niemals|nur|jede\w*|alle|antworte\w*|empfiehl|sende|soll|muss|musst|gilt)¦|¦(?:immer|niemals|nie|stets|nur)~(?:antworten|empfehlen|erwähnen|senden|weiterleiten|sagen|vertrauen|zustimmen|genehmigen)|¦(?:wenn|falls|sobald|sooft)¦…¦(?:fragt|frage|erwähnt|bittet|will|möchte|nachfragt)¦…¦(?:antworte|sag|sage|empfiehl|empfehle|sende|nenne|leite|verweise|behaupte|gib|erwähne|lehne)\w*¦|¦(?:jede|jeder|jedem|jeden|alle|allen)~(?:deiner~|künftigen~|weiteren~)?(?:antwort|nachricht|gespräch|unterhaltung|sitzung|zusammenfassung)",
    ),
    (
        Permission,
        r"¦ohne~(?:rückfrage|bestätigung|zustimmung|freigabe|prüfung|genehmigung|erlaubnis|nachfrage|zu~fragen|nachzufragen|den~nutzer)|¦(?:autorisiert|genehmigt|freigegeben|bevollmächtigt|ermächtigt|berechtigt|erlaubt|eingewilligt)¦…(?:assistent|ki|agent|zahlung|überweisung|alle|sämtliche|zugriff|weitergabe|löschen|vollzugriff)|(?:alle|sämtliche|zahlung\w*|überweisung\w*)¦…¦(?:autorisiert|genehmigt|freigegeben|erlaubt)¦|administratorrecht|admin-?rechte|vollzugriff|richtlinie~(?:verlangt|besagt|schreibt|erlaubt)|laut~(?:richtlinie|vorgabe|unternehmensrichtlinie)|¦(?:sag|sage|verrate|erzähle|erwähne|teile)¦…¦(?:nicht|niemandem|nichts)¦|heimlich|verschweig|neue~(?:bankverbindung|kontoverbindung|iban)|vertrauenswürdige~(?:quelle|domain|absender|website)",
    ),
    (
        Command,
        r"(?:^|[.!?:;\n,] ?|¦(?:bitte|und|soll|muss|dann)~)…?¦(?:sende\w*|schicke\w*|leite\w*|übermittle\w*|kopiere\w*|lade\w*|poste\w*)¦…(?:daten|gespräch|verlauf|nachricht|passw|zugang|schlüssel|dateien|inhalt|erinnerung|kontakte|unterlagen|rechnung|kopie|alles|protokoll|zusammenfassung)…(?:¦an~|¦auf~|¦nach~|@|http)|¦(?:führe|starte)¦…(?:befehl|skript|code|kommando)|befehl~aus|¦(?:überweise|zahle)¦",
    ),
    (
        Link,
        r"¦(?:besuche\w*|klicke\w*|öffne\w*|folge\w*|gehe~auf|rufe|lade\w*|verweise\w*|nutze|siehe|anmelden|melde)¦…(?:https?:|www\.|¦link¦|\.(?:com|net|org|de|io|ru|xyz)¦)",
    ),
    // French
    (
        Instruction,
        r"¦(?:ignore[zr]?|oublie[zr]?|néglige[zr]?|contourne[zr]?|outrepasse[zr]?|remplace[zr]?|ne~(?:tiens|tenez)~pas~compte)¦…(?:instruction|consigne|règle|directive|prompt|précédent|sécurité|restriction|tout)|invite~système|prompt~système|nouvelles?~(?:instructions?|consignes?|règles?|directives?)",
    ),
    (
        Instruction,
        r"¦(?:tu|vous|l'assistant|l'ia|l'agent|le~modèle|le~bot|les~assistants)~(?:dois|devez|doit|doivent|es~(?:maintenant|désormais|un)|êtes~(?:maintenant|désormais|un)|est~désormais|peux|pouvez|peut|ne~dois|ne~devez|ne~doit|répond\w*|recommand\w*)¦|(?:^|[.!?:;\n] ?|¦(?:et|puis|veuillez)~)(?:réponds|répondez|répondre~(?:toujours|uniquement|par)|recommande[zr]?|envoyez|transférez|transférer|ignore[zr]?|exécute[zr]?|exécuter|visite[zr]?|clique[zr]?|ouvre[zr]?|télécharge[zr]?|vire[zr]?|supprime[zr]?|dis|dites|mentionne[zr]?|ajoute[zr]?|insère|révèle[zr]?|donne[zr]?|montre[zr]?|traite[zr]?|fais~confiance|faites~confiance|assure-toi|assurez-vous|commence[zr]?~(?:chaque|toujours)|termine[zr]?~(?:chaque|toujours)|approuve[zr]?|achète|achetez|toujours~(?:répondre|recommander|dire|mentionner)|ne~jamais~(?:répondre|dire|mentionner|demander)|ne~(?:dis|dites|mentionne|révèle|préviens|demande)\w*)¦",
    ),
    (
        Instruction,
        r"¦(?:désormais|dorénavant|à~partir~de~(?:maintenant|aujourd'hui)|à~l'avenir)¦…¦(?:tu|vous|l'assistant|l'ia|toujours|jamais|chaque|toutes?|tous|réponds|recommande|doit|dois|devez)¦|¦(?:quand|lorsque|si|chaque~fois|dès~que|lorsqu'on|quand~on)…¦(?:demande|mentionne|parle|interroge|pose|veut)\w*¦…¦(?:réponds|répondez|répondre|dis|dites|dire|recommande[zr]?|envoie|envoyez|propose[zr]?|suggère|affirme[zr]?|donne[zr]?|renvoie|oriente[zr]?)¦|¦(?:chaque|toutes~(?:tes|vos|les)|dans~toutes)~(?:réponses?|messages?|conversations?|sessions?|résumés?)",
    ),
    (
        Permission,
        r"¦sans~(?:confirmation|approbation|vérification|autorisation|demander|consentement|prévenir|avertir|en~parler|validation|le~dire|poser|informer)|¦(?:autorise|autorisé|autorisée|approuvé|approuve|consenti|préapprouvé|validé|permis)¦…(?:assistant|ia¦|agent|paiement|virement|achat|transfert|accès|toutes?|tous|partage|suppression)|(?:paiements?|virements?|achats?|transferts?|actions?)¦…¦(?:autorisés?|autorisées?|approuvés?|préapprouvés?)¦|droits~d'admin|accès~(?:complet|total|administrateur|root)|politique~(?:de~l'entreprise|interne|de~sécurité)~(?:exige|impose|autorise|stipule|prévoit)|¦ne~(?:dis|dites|le~dis|préviens|prévenez|informe[zr]?|mentionne[zr]?|révèle[zr]?|parle[zr]?)¦…¦(?:pas|rien|jamais|personne)|en~secret|secrètement|discrètement|nouvelles?~coordonnées~bancaires|nouvel~iban|nouveau~rib|source~(?:fiable|de~confiance)",
    ),
    (
        Command,
        r"¦(?:envoie|envoyez|envoyer|transfère|transférez|transférer|transmets|transmettre|copie[zr]?|publie[zr]?|partage[zr]?|téléverse[zr]?)¦…(?:données|conversation|historique|message|mots?~de~passe|identifiants|clés?|fichiers?|contenu|mémoires?|contacts|documents?|factures?|copie|tout|résumé)…(?:¦à~|¦vers~|¦au¦|¦sur~|@|http)|¦(?:exécute[zr]?|lance[zr]?|lancer)¦…(?:commande|script|code)|¦(?:vire[zr]?|verse[zr]?|transfère|paie|payez)¦…(?:€|\d|argent|fonds|compte)",
    ),
    (
        Link,
        r"¦(?:visite[zr]?|clique[zr]?|cliquer|ouvre[zr]?|ouvrir|suis|suivez|va~sur|allez~sur|télécharge[zr]?|consulte[zr]?|connecte[zr]?|rends-toi|rendez-vous|renvoie|oriente)¦…(?:https?:|www\.|¦lien¦|\.(?:com|net|org|fr|io|ru|xyz)¦)",
    ),
    // Spanish
    (
        Instruction,
        r"¦(?:ignora|ignore|ignorar|ignoren|olvida|olvide|omite|omita|descarta|anula|sobrescribe|elude|salta|haz~caso~omiso)¦…(?:instruccion|regla|directriz|indicacion|norma|prompt|anterior|previ|seguridad|restriccion|instrucción|indicación|restricción|todo)|prompt~del~sistema|mensaje~del~sistema|nuevas?~(?:instrucci|regla|directriz|norma)",
    ),
    (
        Instruction,
        r"¦(?:tú|usted|el~asistente|la~ia|el~agente|el~modelo|el~bot|los~asistentes)~(?:debes?|deberás?|deben|tienes~que|tiene~que|eres|es~ahora|ahora|puedes?|no~debes?|siempre|nunca|ha~de)¦|¦(?:debes|deberás|tienes~que|eres~(?:un|una|ahora|el))¦|(?:^|[.!?:;\n¡¿] ?|¦(?:y|por~favor|luego|entonces)~)(?:responde|responda|contesta|recomienda|recomiende|envíe|reenvía|ignora|ignore|ejecuta|ejecute|visita~(?:http|www|el~(?:sitio|enlace)|este)|haz~clic|abre|descarga|transfiere|transfiera|borra|elimina|di~(?:que|a)|menciona|añade|agrega|inserta|revela|muestra|trata~(?:todo|los|las|a)|confía|asegúrate|asegúrese|empieza~(?:cada|siempre)|termina~(?:cada|siempre)|aprueba|compra~(?:siempre|solo)|siempre~(?:responde|recomienda|menciona|di|añade|incluye|termina|empieza|usa|trata|envía|confía)\w*|nunca~(?:digas|menciones|reveles|preguntes|verifiques|confirmes|recomiendes)|no~(?:digas|menciones|reveles|informes|avises|preguntes|pidas|verifiques))¦",
    ),
    (
        Instruction,
        r"¦(?:a~partir~de~(?:ahora|hoy)|de~ahora~en~adelante|desde~ahora|en~adelante|en~lo~sucesivo)¦…¦(?:debes?|el~asistente|la~ia|siempre|nunca|solo|cada|todas?|todos|responde|recomienda|envía|tienes)¦|¦(?:cuando|si|cada~vez~que|siempre~que)¦…¦(?:pregunte|pregunta|mencione|menciona|pida|pide|hable|consulte|quiera|solicite)\w*¦…¦(?:responde|di|contesta|recomienda|envía|sugiere|ofrece|afirma|da|dile|menciona|redirige|remite|usa|incluye)\w*¦|¦(?:cada|todas~(?:tus|las)|en~todas)~(?:respuestas?|mensajes?|conversaci\w+|sesi\w+|resúmen\w*)",
    ),
    (
        Permission,
        r"¦sin~(?:confirmación|confirmar|aprobación|verificación|verificar|autorización|preguntar|consentimiento|avisar|pedir|informar|decir|decírselo|consultar|validación|supervisión)|¦(?:autoriza|autorizó|autorizado|autorizada|autorizados|autorizadas|aprobado|aprueba|aprobó|preaprobad\w+|consintió|consiente|permite|permitido)¦…(?:asistente|ia¦|agente|pagos?|transferencias?|compras?|acceso|todos?|todas?|cualquier|compartir|borrar|eliminar)|(?:pagos?|transferencias?|compras?|acciones|solicitudes)¦…¦(?:autorizad\w+|aprobad\w+|preaprobad\w+)¦|permisos?~de~administrador|acceso~(?:total|completo|root|de~administrador)|política~(?:de~la~empresa|de~seguridad|interna)~(?:exige|requiere|establece|permite|obliga)|según~la~política|en~secreto|secretamente|a~escondidas|¦no~(?:se~lo~digas|le~digas|informes|avises|menciones|reveles)|nuevos?~datos~bancarios|nueva~cuenta~bancaria|nuevo~iban|fuente~(?:fiable|confiable|de~confianza)",
    ),
    (
        Command,
        r"¦(?:envía|envíe|envia|enviar|envíen|reenvía|reenviar|manda|mandar|copia|copiar|publica|sube|subir|comparte|compartir|transmite)¦…(?:datos|conversaci|historial|mensaje|contraseña|credencial|clave|archivo|contenido|memoria|contacto|documento|factura|copia|todo|resumen)…(?:¦al~|¦hacia~|@|http|¦a~(?:mi|este|esta|un|una|ese|esa|el|la)~|¦a~[a-z]+\.)|¦(?:ejecuta|ejecute|ejecutar|corre|lanza)¦…(?:comando|script|código|orden)|¦(?:transfiere|transfiera|paga|pague|deposita|ingresa)¦…(?:€|\$|\d|dinero|fondos|cuenta)",
    ),
    (
        Link,
        r"¦(?:visita|visite|haz~clic|haga~clic|pulsa|abre|abra|sigue|entra|entre~en|ve~a|vaya~a|descarga|descargue|accede|consulta|inicia~sesión|remite|redirige|dirige)¦…(?:https?:|www\.|¦enlace¦|\.(?:com|net|org|es|io|ru|xyz)¦)",
    ),
    // Portuguese
    (
        Instruction,
        r"¦(?:ignore|ignorar|ignora|esqueça|esquece|desconsidere|desconsidera|descarte|anule|contorne|burle)¦…(?:instruç|regra|diretriz|norma|prompt|anterior|segurança|restriç|orientaç|tudo)|prompt~(?:do|de)~sistema|mensagem~do~sistema|novas?~(?:instruç|regra|diretriz)",
    ),
    (
        Instruction,
        r"¦(?:você|tu|o~assistente|a~ia|o~agente|o~modelo|o~bot|os~assistentes)~(?:deve|deves|devem|deverá|precisa|tem~(?:de|que)|é~agora|agora|pode|não~deve|sempre|nunca|está~autorizado)¦|(?:^|[.!?:;\n] ?|¦(?:e|por~favor|depois)~)(?:responda|responde|recomende|envie|encaminhe|ignore|execute|executa|visite|clique|clica|abra|baixe|transfira|transfere|apague|apaga|exclua|diga~(?:que|ao|a)|mencione|acrescente|adicione|insira|revele|mostre|trate~(?:tod|as|os)|confie|certifique-se|comece~(?:cada|sempre)|termine~(?:cada|sempre)|aprove|compre~(?:sempre|só)|sempre~(?:responda|recomende|mencione|diga|inclua|termine|comece|use|trate|envie|confie)|nunca~(?:diga|mencione|revele|pergunte|verifique|confirme|recomende)|não~(?:diga|mencione|revele|informe|avise|pergunte|peça|verifique|conte))¦",
    ),
    (
        Instruction,
        r"¦(?:a~partir~de~(?:agora|hoje)|de~agora~em~diante|daqui~em~diante|doravante)¦…¦(?:você|o~assistente|a~ia|sempre|nunca|só|somente|cada|todas?|todos|responda|recomende|deve|envie)¦|¦(?:quando|se|sempre~que|toda~vez~que)¦…¦(?:perguntar|pergunta|mencionar|menciona|pedir|pede|falar|quiser|solicitar)\w*¦…¦(?:responda|diga|recomende|envie|sugira|ofereça|afirme|dê|mencione|redirecione|indique|use|inclua)¦|¦(?:cada|todas~as|em~todas~as|toda)~(?:suas~)?(?:respostas?|mensage\w+|conversas?|sess\w+|resumos?)",
    ),
    (
        Permission,
        r"¦sem~(?:confirmação|confirmar|aprovação|verificação|verificar|autorização|perguntar|consentimento|avisar|pedir|informar|dizer|contar|consultar|supervisão)|¦(?:autoriza|autorizou|autorizado|autorizada|autorizados|autorizadas|aprovado|aprova|aprovou|pré-aprovad\w+|consentiu|permite|permitiu)¦…(?:assistente|ia¦|agente|pagamentos?|transferências?|compras?|acesso|todos?|todas?|qualquer|compartilh|apagar|excluir)|(?:pagamentos?|transferências?|compras?|ações)¦…¦(?:autorizad\w+|aprovad\w+|pré-aprovad\w+)¦|permiss\w+~de~administrador|acesso~(?:total|completo|root|de~administrador)|política~(?:da~empresa|de~segurança|interna)~(?:exige|requer|determina|permite|obriga)|em~segredo|secretamente|às~escondidas|novos?~dados~bancários|nova~conta~bancária|fonte~(?:confiável|fidedigna)",
    ),
    (
        Command,
        r"¦(?:envie|envia|enviar|encaminhe|encaminhar|mande|manda|mandar|copie|copiar|publique|carregue|compartilhe|partilhe|transmita)¦…(?:dados|conversa|histórico|mensage|senha|credencia|chave|arquivo|ficheiro|conteúdo|memória|contato|contacto|documento|fatura|cópia|tudo|resumo)…(?:¦para~|¦ao~|¦à~|¦a~|¦em~|@|http)|¦(?:execute|executa|rode|corra)¦…(?:comando|script|código)|¦(?:transfira|pague|deposite)¦…(?:€|r\$|\d|dinheiro|fundos|conta)",
    ),
    (
        Link,
        r"¦(?:visite|clique|clica|abra|abre|siga|acesse|aceda|entre~em|vá~(?:a|para|até)|baixe|descarregue|consulte|faça~login|redirecione|indique)¦…(?:https?:|www\.|¦link¦|¦ligação¦|\.(?:com|net|org|pt|br|io|ru|xyz)¦)",
    ),
    // Italian
    (
        Instruction,
        r"¦(?:ignora|ignorate|ignorare|dimentica|trascura|annulla|scarta|aggira|sovrascrivi|non~tenere~conto)¦…(?:istruzion|regol|direttiv|norm|prompt|precedent|sicurezza|restrizion|indicazion|tutto)|prompt~di~sistema|messaggio~di~sistema|nuove?~(?:istruzion|regol|direttiv)",
    ),
    (
        Instruction,
        r"¦(?:tu|l'assistente|l'ia|l'agente|il~modello|il~bot|gli~assistenti)~(?:devi|deve|devono|dovrai|dovrà|sei~(?:ora|un)|è~ora|puoi|può|non~devi|non~deve|sempre|mai)¦|¦(?:devi|dovrai)~|(?:^|[.!?:;\n] ?|¦(?:e|poi|per~favore)~)(?:rispondi|rispondere~sempre|consiglia|raccomanda|invia|inoltra|ignora|esegui|visita~(?:http|www|il~sito|questo)|clicca|apri|scarica|trasferisci|cancella|elimina|di'|dì|dici|menziona|aggiungi|inserisci|rivela|mostra|tratta~(?:tutt|ogni|i|le)|fidati|assicurati|inizia~(?:ogni|sempre)|termina~(?:ogni|sempre)|concludi~(?:ogni|sempre)|approva|compra~(?:sempre|solo)|sempre~(?:rispondi|consiglia|di|menziona|includi|usa)|non~(?:dire|menzionare|rivelare|informare|avvisare|chiedere|verificare)|mai~(?:dire|menzionare|rivelare|chiedere))¦",
    ),
    (
        Instruction,
        r"¦(?:d'ora~in~(?:poi|avanti)|da~(?:adesso|ora|oggi)~in~(?:poi|avanti)|a~partire~da~(?:ora|adesso|oggi))¦…¦(?:devi|l'assistente|l'ia|sempre|mai|solo|ogni|tutte|tutti|rispondi|consiglia|invia|deve)¦|¦(?:quando|se|ogni~volta~che|qualora)¦…¦(?:chiede|chieda|chiedono|menziona|parla|vuole|domanda)\w*¦…¦(?:rispondi|di'|consiglia|raccomanda|invia|suggerisci|offri|afferma|dai|menziona|indirizza|usa)¦|¦(?:ogni|tutte~le|in~tutte~le)~(?:tue~)?(?:rispost\w|messaggi\w*|conversazion\w|session\w|riassunt\w)",
    ),
    (
        Permission,
        r"¦senza~(?:conferma|confermare|approvazione|verifica|verificare|autorizzazione|chiedere|consenso|avvisare|informare|dire|dirlo|consultare|supervisione)|¦(?:autorizza|autorizzato|autorizzata|autorizzati|autorizzate|approvato|approva|preapprovat\w|acconsentito|consente|permette|permesso)¦…(?:assistente|ia¦|agente|pagament\w|bonific\w|acquist\w|trasferiment\w|accesso|tutt\w|qualsiasi|condivi|cancell|elimin)|(?:pagament\w|bonific\w|acquist\w|trasferiment\w|azioni)¦…¦(?:autorizzat\w|approvat\w|preapprovat\w)¦|permessi~di~amministratore|accesso~(?:completo|totale|root|amministratore)|politica~(?:aziendale|interna|di~sicurezza)~(?:richiede|prevede|impone|consente)|policy~aziendale|di~nascosto|in~segreto|segretamente|nuove~coordinate~bancarie|nuovo~iban|fonte~(?:attendibile|affidabile)",
    ),
    (
        Command,
        r"¦(?:invia|inviare|inviate|inoltra|inoltrare|manda|mandare|copia|pubblica|carica|condividi|trasmetti)¦…(?:dati|conversazion|cronologia|messagg|password|credenzial|chiav|file|contenut|memori|contatt|document|fattur|copia|tutto|riassunto)…(?:¦a~|¦al~|¦all'|¦verso~|¦su~|@|http)|¦(?:esegui|eseguire|lancia)¦…(?:comando|script|codice)|¦(?:trasferisci|paga|versa|bonifica)¦…(?:€|\d|denaro|fondi|conto|soldi)",
    ),
    (
        Link,
        r"¦(?:visita|visitate|clicca|cliccate|apri|aprite|segui|vai~(?:su|a)|accedi|scarica|consulta|indirizza|rimanda|collegati)¦…(?:https?:|www\.|¦link¦|\.(?:com|net|org|it|io|ru|xyz)¦)",
    ),
    // Dutch, Polish, Turkish, Indonesian, Swedish
    (
        Instruction,
        r"¦(?:negeer|vergeet)¦…(?:instructie|regel|richtlijn|prompt|vorige|alles)|¦(?:vanaf~nu|voortaan)¦…(?:altijd|nooit|moet|je|assistent|antwoord)|¦(?:je|u|de~assistent|de~ai)~(?:moet|mag|bent~nu|zult)¦|(?:^|[.!?:;\n] ?)(?:antwoord|beveel|stuur|negeer|voer|bezoek|klik|zeg)~(?:altijd|nooit|alle|het|de|dat|op|aan)¦|¦zonder~(?:bevestiging|toestemming|te~vragen|goedkeuring)|¦stuur¦…(?:gegevens|gesprek|wachtwoord|bestanden|berichten)…¦naar",
    ),
    (
        Instruction,
        r"¦(?:zignoruj|ignoruj|zapomnij|pomiń)¦…(?:instrukcj|zasad|poleceń|reguł|poprzedni|wszystk)|¦od~(?:teraz|dziś|dzisiaj)¦…(?:zawsze|nigdy|musisz|asystent|odpowiadaj)|¦(?:musisz|powinieneś|jesteś~teraz|asystent~(?:musi|powinien))¦|(?:^|[.!?:;\n] ?)(?:odpowiadaj|polecaj|wyślij|wysyłaj|zawsze|nigdy|uruchom|wykonaj|kliknij|odwiedź|powiedz)~|¦bez~(?:potwierdzenia|zgody|pytania|weryfikacji)|¦(?:wyślij|prześlij|wysyłaj)¦…(?:dane|rozmow|hasł|pliki|wiadomoś)…¦(?:na|do)~",
    ),
    (
        Instruction,
        r"(?:yok~say|görmezden~gel|dikkate~alma|unut)|talimatları|sistem~(?:mesajı|istemi)|¦(?:bundan~(?:sonra|böyle)|şu~andan~itibaren)¦|¦(?:asistan|yapay~zeka)¦…(?:meli|malı|zorunda)|onay~(?:almadan|istemeden)|sormadan|kullanıcıya~söyleme|¦(?:abaikan|lupakan)¦…(?:instruksi|aturan|perintah|sebelumnya)|¦mulai~sekarang¦|¦tanpa~(?:konfirmasi|persetujuan|izin)|¦(?:ignorera|glöm)¦…(?:instruktion|regler|tidigare)|¦från~och~med~nu¦|¦utan~(?:bekräftelse|att~fråga)",
    ),
];
