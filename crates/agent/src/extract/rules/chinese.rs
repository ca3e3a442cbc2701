//! The patterns of Chinese.

use std::sync::LazyLock;

use regex::Regex;

use super::plausible::{self, Test};
use super::{Meaning, Rule};

/// Words with which people begin, and which say nothing.
const LEAD: &str = r"^(?:(?:其实|另外|还有|对了|嗯|哦|你好|不对|不是|更正一下|顺便说一下|现在)[，,：:\s]*)*";

const LIKINGS: [&str; 6] = [
    "我喜欢{}",
    "我爱{}",
    "我更喜欢{}",
    "我很喜欢{}",
    "我非常喜欢{}",
    "我偏好{}",
];

const DISLIKINGS: [&str; 6] = [
    "我不喜欢{}",
    "我讨厌{}",
    "我不爱{}",
    "我受不了{}",
    "我不吃{}",
    "我不喝{}",
];

/// Finds the words with which a clause begins.
pub(super) fn lead() -> &'static Regex {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(LEAD).expect("a fixed pattern"));
    &PATTERN
}

/// Finds clauses that leave their subject to the one before: 我叫小明，住在上海.
pub(super) fn subjectless() -> &'static Regex {
    static PATTERN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new("^(?:现在)?(?:住在|搬到|定居|在|来自)").expect("a fixed pattern"));
    &PATTERN
}

/// Lists the rules; the first that fits counts.
pub(super) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| {
        let all = asked_and_ended().into_iter().chain(facts()).chain(tastes());
        all.map(made).collect()
    });
    &RULES
}

type Line = (&'static str, Meaning, Test);

fn made((pattern, meaning, test): Line) -> Rule {
    let pattern = Regex::new(&format!("{LEAD}{pattern}")).expect("a fixed pattern");
    Rule {
        pattern,
        meaning,
        test,
    }
}

/// What the user asks for, and what they take back.
fn asked_and_ended() -> Vec<Line> {
    use Meaning::{Ends, Forget, Remember, Unsays};
    let anything: Test = plausible::anything;
    vec![
        (
            r"(?:请|麻烦|帮我|请帮我)?(?:记住|记一下|记下|别忘了|不要忘记)[，,：:\s]*(.{2,})$",
            Remember,
            anything,
        ),
        (
            r"(?:请|帮我|请帮我)?(?:忘记|忘掉|忘了)[，,：:\s]*(.{2,})$",
            Forget,
            anything,
        ),
        (
            r"我(?:已经|现在)?不再?住在?(.+?)了?$",
            Ends("home"),
            plausible::place,
        ),
        (
            r"我(?:已经|现在)?不再?在(.+?)(?:工作|上班)了?$",
            Ends("employer"),
            plausible::employer,
        ),
        (
            r"(?:我不叫|我的名字不[是叫])(\p{Han}{2,4}|[A-Za-z][A-Za-z' -]{0,40})$",
            Ends("name"),
            plausible::person,
        ),
        (
            r"我(?:已经|现在)?(?:不再|再也不)(?:喜欢|爱)(.+?)了?$",
            Unsays(&LIKINGS),
            plausible::taste,
        ),
        (
            r"我(?:已经|现在)?对(.+?)(?:不再|不)过敏了?$",
            Unsays(&["我对{}过敏"]),
            anything,
        ),
        (
            r"我(?:已经|现在)?不(?:再)?(?:是|吃)(素食者|素)了?$",
            Unsays(&["我是{}", "我吃{}"]),
            anything,
        ),
    ]
}

/// Who the user is, where they are and what they do.
fn facts() -> Vec<Line> {
    use Meaning::{Favourite, Keyed, Plain, Possession};
    let person = "personal_context";
    let work = "work_context";
    vec![
        (
            r"(?:我叫|我的名字[是叫]|我名叫|(?:请|可以|你可以)?叫我)(\p{Han}{2,4}|[A-Za-z][A-Za-z' -]{0,40})$",
            Keyed("name", person),
            plausible::person,
        ),
        (
            r"我?(?:现在)?(?:住在|搬到了?|定居在?)(.+?)了?$",
            Keyed("home", person),
            plausible::place,
        ),
        (r"我?来自(.+?)$", Keyed("origin", person), plausible::place),
        (
            r"我?(?:现在)?在((?:北京|上海|广州|深圳|杭州|成都|重庆|武汉|西安|南京|天津|苏州|香港|台北|新加坡|东京|纽约|伦敦))(?:工作|上班)$",
            Plain(work),
            plausible::anything,
        ),
        (
            r"我?(?:现在)?在(.+?)(?:工作|上班)$",
            Keyed("employer", work),
            plausible::employer,
        ),
        (
            r"我(?:刚|刚刚)?(?:加入了?|就职于|任职于)(.+?)$",
            Keyed("employer", work),
            plausible::employer,
        ),
        (
            r"我是(?:一名|一位|名|位)(.{2,16})$",
            Keyed("role", work),
            plausible::anything,
        ),
        (
            r"我是一个(.{0,12}(?:师|程序员|职员|学者|记者|作者|学生|研究生|大学生|作家|画家|工人|经理|总监|教授|医生|护士|律师|创始人|主管|翻译))$",
            Keyed("role", work),
            plausible::anything,
        ),
        (r"我最喜欢的(.+?)是.+$", Favourite, plausible::given),
        (
            r"我的(生日)是.*[\d一二三四五六七八九十].*$",
            Possession,
            plausible::anything,
        ),
        (
            r"我的(时区|职位|公司|母语|团队)是.+$",
            Possession,
            plausible::given,
        ),
        (
            r"我的(妻子|丈夫|老婆|老公|儿子|女儿|老板|狗|猫)(?:的名字是|的名字叫|名叫|叫)\p{L}{1,12}$",
            Possession,
            plausible::anything,
        ),
        (r"我对(.+?)过敏$", Plain(person), plausible::given),
        (
            r"我(?:是|吃)(素食者?|素|左撇子|色盲)$",
            Plain(person),
            plausible::anything,
        ),
    ]
}

/// What the user likes, and what not.
fn tastes() -> Vec<Line> {
    vec![
        (
            r"我(?:很|非常|真的|更|比较|特别)*(?:喜欢|偏好|爱|倾向于?)(.{2,})$",
            Meaning::Taste(&DISLIKINGS),
            plausible::taste,
        ),
        (
            r"我(?:很|非常|真的|特别)*(?:讨厌|不喜欢|不爱|受不了|不吃|不喝)(.+?)$",
            Meaning::Taste(&LIKINGS),
            plausible::taste,
        ),
    ]
}
