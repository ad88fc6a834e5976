//! Words that occur in nearly every sentence of a language. They are not indexed, and they tell which language a text is in.

use super::language::Language;
use rustc_hash::FxHashSet;
use std::sync::LazyLock;

/// The stop words of a language, in lower case. Few for English: there, questions have a list of their own.
pub(super) fn stop_words(language: Language) -> &'static FxHashSet<&'static str> {
    static SETS: LazyLock<Vec<FxHashSet<&'static str>>> =
        LazyLock::new(|| LISTS.iter().map(|(_, words)| words.split_whitespace().collect()).collect());
    static NONE: LazyLock<FxHashSet<&'static str>> = LazyLock::new(FxHashSet::default);
    let place = LISTS.iter().position(|(code, _)| *code == language.code());
    place.map_or(&NONE, |place| &SETS[place])
}

/// Words that shape a question but are not its subject.
pub(super) const ENGLISH_QUESTION_WORDS: [&str; 65] = [
    "what", "when", "where", "who", "whom", "which", "why", "how", "do", "does", "did", "has", "have", "had", "i",
    "me", "my", "mine", "we", "our", "us", "you", "your", "he", "him", "his", "she", "her", "hers", "its", "am",
    "been", "being", "were", "would", "could", "should", "can", "may", "might", "shall", "from", "about", "than", "so",
    "any", "some", "all", "myself", "ours", "yours", "i'm", "i've", "i'd", "i'll", "what's", "when's", "where's",
    "who's", "how's", "say", "says", "said", "tell", "told",
];

/// Verbs of saying, besides those above. Others, such as "suggest" and "write", say what was said and are worth looking up.
pub(super) const ENGLISH_SAYING_WORDS: [&str; 7] =
    ["ask", "asks", "asked", "mention", "mentions", "mentioned", "saying"];

const LISTS: [(&str, &str); 17] = [
    (
        "en",
        "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this \
         to was will with",
    ),
    (
        "de",
        "aber als am an auch auf aus bei bin bis bist da dann das dass dein deine dem den denn der des die dies diese \
         dieser dieses doch du durch ein eine einem einen einer eines er es euch euer für gegen hat hatte habe haben \
         hast ich ihm ihn ihnen ihr ihre im in ist ja jede jeder jedes kann kein keine können man mein meine meinem \
         meinen meiner mich mir mit muss nach nicht noch nur ob oder ohne sehr sein seine sich sie sind so soll über um \
         und uns unser unsere unter vom von vor wann warum was weil welche welcher welches wenn wer werde werden wie \
         wir wird wo wohin woher wurde würde zu zum zur",
    ),
    (
        "fr",
        "ai ainsi après au aux avec avez avons avait c ce ces cet cette comme comment d dans de des donc dont du elle \
         elles en est et été être eu fait il ils j je l la là le les leur leurs lui m ma mais me même mes moi mon n ne \
         ni nos notre nous on ont ou où par pas peut plus pour pourquoi qu quand que quel quelle quelles quels qui s sa \
         sans se sera ses si son sont sous suis sur t ta te tes toi ton tous tout toute toutes très tu un une vos votre \
         vous y à ça était",
    ),
    (
        "es",
        "a al algo como con cual cuando cuándo cuál cuáles cómo de del desde donde dónde dos el él ella ellas ellos en \
         entre era es esa ese eso esta está están estas este esto estos fue ha hace han hasta hay la las le les lo los \
         más me mi mis mucho muy mí nada ni no nos nosotros nuestra nuestro o otra otro para pero por porque qué que \
         quién quien se sea ser si sí sin sobre son soy su sus también te tiene tienen todo todos tu tus un una uno \
         unos y ya yo",
    ),
    (
        "it",
        "a ad agli ai al alla alle anche c che chi ci come con cosa cui d da dagli dai dal dalla degli dei del della \
         delle di dopo dove e ed era essere fa gli ha hai hanno ho i il in io l la le lei li lo loro lui ma mi mia mio \
         molto ne negli nei nel nella noi non nostra nostro o ogni per perché più po poi quale quali quando quanto \
         quella quello questa queste questi questo qui sei senza si sia siamo sono sta sua sue suo sul sulla sì ti tra \
         tu tua tuo tutti tutto un una uno vi è",
    ),
    (
        "pt",
        "a ao aos as até com como da das de dele dela depois do dos e ela elas ele eles em entre era essa esse esta \
         este eu foi fosse há isso isto já lhe mais mas me meu meus minha minhas muito na nas nem no nos nossa nosso \
         não num numa o onde os ou para pela pelas pelo pelos por porque qual quais quando que quem quê se sem ser seu \
         seus sua suas são só também te tem tenho teu tu tua tudo um uma você vocês à às é está estão",
    ),
    (
        "nl",
        "aan al alles als bij dan dat de deze die dit doch doen door dus een en er ge geen had heb hebben heeft het hij \
         hoe hun ik in is ja je jij kan kon kunnen maar me meer men met mij mijn moet na naar niet niets nog nu of om \
         omdat onder ons onze ook op over te tegen toch toen tot u uit uw van veel voor waar waarom wanneer want waren \
         was wat we welke wel werd wezen wie wij wil worden wordt zal ze zelf zich zij zijn zo zonder zou",
    ),
    (
        "da",
        "af alle at blev blive den denne der deres det dette dig din dit du efter eller en er et for fra få ham han har \
         havde hendes her hun hvad hvem hvilken hvis hvor hvordan hvorfor hvornår i ikke ind jeg jer kan kunne man mange \
         med meget men mig min mit mod ned noget nogle nu når og også om op os over på samt selv sig sin skal skulle som \
         så til ud under var vi vil ville være været",
    ),
    (
        "no",
        "alle at av bare ble bli den denne der deres det dette din ditt du eller en enn er et etter for fordi fra før \
         ham han har hadde hennes her hun hva hvem hvilken hvis hvor hvordan hvorfor i ikke inn jeg kan kunne man mange \
         med meg mellom men min mitt mot mye ned noe noen nå når og også om opp oss over på seg selv sin skal skulle som \
         så til under ut var vi vil ville være vært",
    ),
    (
        "sv",
        "alla att av blev bli blir de dem den denna deras dess det detta dig din där då efter ej eller en er ett från \
         för genom ha hade han har henne hennes hon honom hur här i icke in inte jag ju kan kunde man med mellan men mig \
         min mitt mot mycket ni nu när någon något några och om oss på samma sedan sig sin ska skulle som så till under \
         upp ut utan vad var varför varje vars vem vi vid vilka vilken vill vår våra är över",
    ),
    (
        "fi",
        "ei eikä en että hän häntä he ja joka jos jossa kanssa koska kuin kuinka kuka kun me mikä milloin minkä minulla \
         minun minä missä miten mitä mukaan mutta myös ne niin nyt näin ole olen olet oli olin olivat on ovat se sekä \
         sen siellä siinä sinun sinä sitten sitä tai te tämä tämän vaan vain voi yli",
    ),
    (
        "hu",
        "a abban ahol aki alatt amely ami arra az azt azért be bár csak de e egy egyik el ez ezek ezt fel ha hanem hogy \
         hogyan hol igen is itt így jó ki kell kellett le lehet lesz maga meg mely melyik mert mi mikor milyen mind mint \
         most már még nagyon nekem nem nincs olyan ott pedig s sem szerint és ő ők van vagy vagyok volt voltam",
    ),
    (
        "ro",
        "acea aceasta acest acesta ai al ale am ar are așa au avea că ca cand când care cât ce cea cel cine cu cum da \
         dacă dar de decât despre din doar după e ea ei el ele era este eu fi fost fără iar îi îl îmi în între își la \
         lor lui mai mea meu mult nu noi o pe pentru prin sa să sale sau se si și sunt ta tot tu un una unde unei unui \
         vă va voi",
    ),
    (
        "tr",
        "acaba ama ancak artık bana bazı belki ben benim beni bir biraz biz bizim bu buna bunu çok çünkü da daha de değil \
         diye en gibi hangi hem hep her hiç için ile ise kadar kim ki mi mı mu mü nasıl ne neden nerede nereye niçin o \
         olan olarak oldu olduğu olur ona onu onun onlar sen senin siz sonra şey şu tüm var ve veya ya yani yok",
    ),
    (
        "ru",
        "а без бы был была были было быть в вам вас во вот все всё вы где да для до его ее её если есть же за и из или \
         им их к как какая какие какой когда кто ли мне мы на не него нет но ну о об он она они оно от по почему при с \
         свой себя со так также там то тоже только ты у уже чего чем что чтобы эта эти это этот я",
    ),
    (
        "el",
        "αλλά αν από αυτά αυτή αυτό αυτός για δεν είναι είχε ένα ένας εγώ εμείς εσύ έχει έχω η ήταν θα και κάθε κατά με \
         μετά μη μην μια μου να ο οι όπως όταν ότι πιο ποια ποιος πολύ που πού πότε προς πρέπει πώς σας σε σου στα στη \
         στην στις στο στον στους τα τη την της τι τις το τον του τους των ως",
    ),
    (
        "ar",
        "أن أو أي إلى إن التي الذي إذا أين بعد بين حتى ثم ذلك عن على عند غير في قد كان كانت كل كما كيف لا لم لن لكن له لها \
         ما ماذا متى مع من منذ نحن هل هذا هذه هنا هو هي هم و يا",
    ),
];
