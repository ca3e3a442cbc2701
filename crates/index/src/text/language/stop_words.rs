//! The stop words themselves: words that say nothing about the text they stand in.

use super::Language;

/// Every language with its words, in the order of [`Language`].
pub(super) const ALL: [(Language, &str); 14] = [
    (Language::English, ENGLISH),
    (Language::German, GERMAN),
    (Language::Spanish, SPANISH),
    (Language::French, FRENCH),
    (Language::Italian, ITALIAN),
    (Language::Portuguese, PORTUGUESE),
    (Language::Dutch, DUTCH),
    (Language::Polish, POLISH),
    (Language::Turkish, TURKISH),
    (Language::Russian, RUSSIAN),
    (Language::Arabic, ARABIC),
    (Language::Hindi, HINDI),
    (Language::Vietnamese, VIETNAMESE),
    (Language::Korean, KOREAN),
];

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
pub(super) const WEAK: &str = "recommend recommended recommendation recommendations suggest suggested suggestion suggestions advise advice tell told \
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

const POLISH: &str = "i oraz a ale lub albo nie tak to ten ta te tego tej tym tych w we z ze na do od po za przed przy pod nad o u dla przez bez \
    ja ty on ona ono my wy oni one mnie mi mna ciebie ci jego jej ich nam nas wam was sie moj moja moje twoj twoja jest jestem sa \
    byl byla bylo byli bede bedzie mam masz ma mamy maja co kto gdzie kiedy jak jaki jaka jakie dlaczego czy ze zeby aby juz \
    jeszcze tylko tez takze bardzo wiec bo gdy jesli";

const TURKISH: &str = "ve veya ile ama fakat bir bu su o ben sen biz siz onlar beni bana benim seni sana senin onu ona onun bizim sizin \
    mi mu de da ki ne kim nerede nereye nereden nasil neden nicin hangi kac icin gibi kadar daha en cok az var yok degil \
    olan olarak oldu olur idi ise her hic cunku sonra once simdi";

const RUSSIAN: &str = "и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по только ее мне было вот от меня еще \
    нет о из ему теперь когда даже ну ли если уже или ни быть был была были него до вас вам ведь там потом себя ничего ей \
    может они тут где есть надо ней для мы тебя их чем сам чтоб без чего раз тоже себе под будет ж кто этот эта это эти \
    того потому этого какой какая какие ним здесь этом мои мой моя мое твой твоя наш при об над про через";

const ARABIC: &str = "في من على الى إلى عن مع هذا هذه ذلك تلك هو هي هم هن انا أنا نحن انت أنت ان أن إن كان كانت يكون و او أو ثم لا لم لن ما ماذا \
    متى اين أين كيف لماذا هل كل بعض قد لقد التي الذي الذين عند بعد قبل بين حتى اذا إذا لكن غير لي لك له لها لنا لهم";

const HINDI: &str = "का की के को में से है हैं था थी थे हूँ हूं हो और या पर यह वह ये वे मैं मुझे मेरा मेरी मेरे हम हमें हमारा तुम आप आपका आपकी उस इस उसका \
    उसकी उनका ने भी ही तो कि जो नहीं न क्या कौन कब कहाँ कहां कैसे क्यों कितना कितने एक कुछ लिए साथ तक अब जब तब बहुत कर रहा रही रहे";

const VIETNAMESE: &str = "là của và có không được cho với trong một những các này đó thì mà ở tôi bạn anh chị em ông bà nó họ chúng ta mình rất cũng \
    đã đang sẽ bị từ đến khi nào gì ai đâu sao như thế nhưng hay hoặc nếu vì để ra vào lại nữa còn chỉ bao giờ";

const KOREAN: &str = "나 나는 내 내가 나의 저 저는 제 제가 우리 우리는 너 너는 당신 당신은 그 그는 그녀 그녀는 이 이것 그것 저것 것 수 등 및 또는 그리고 \
    그런데 하지만 그래서 있다 있는 있어 있어요 있습니다 없다 없어 없는 이다 입니다 한다 합니다 하는 했다 했어 무엇 뭐 누구 \
    어디 어디에 언제 어떻게 왜 어떤 무슨 몇 아주 매우 정말 좀 더";
