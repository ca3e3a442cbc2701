//! The patterns of Chinese.

use std::sync::LazyLock;

use regex::Regex;

use super::{Meaning, Rule};

/// Words with which people begin, and which say nothing.
const LEAD: &str = r"^(?:(?:其实|另外|还有|对了|嗯|哦|你好|不对|不是|更正一下|顺便说一下|现在)[，,：:\s]*)*";

/// Finds the words with which a clause begins.
pub(super) fn lead() -> &'static Regex {
    static PATTERN: LazyLock<Regex> = LazyLock::new(|| Regex::new(LEAD).expect("a fixed pattern"));
    &PATTERN
}

/// Lists the rules; the first that fits counts.
pub(super) fn rules() -> &'static [Rule] {
    static RULES: LazyLock<Vec<Rule>> = LazyLock::new(|| table().into_iter().map(made).collect());
    &RULES
}

fn made((pattern, meaning): (&str, Meaning)) -> Rule {
    let pattern = Regex::new(&format!("{LEAD}{pattern}")).expect("a fixed pattern");
    Rule { pattern, meaning }
}

fn table() -> [(&'static str, Meaning); 17] {
    use Meaning::{Dislike, Ends, Favourite, Forget, Keyed, Plain, Possession, Remember};
    let person = "personal_context";
    let work = "work_context";
    [
        (
            r"(?:请|麻烦|帮我|请帮我)?(?:记住|记一下|记下|别忘了|不要忘记)[，,：:\s]*(.+)$",
            Remember,
        ),
        (r"(?:请|帮我)?(?:忘记|忘掉|忘了)[，,：:\s]*(.+)$", Forget),
        (r"我(?:已经|现在)?不再?住在?(.+?)了?$", Ends("home")),
        (r"我(?:已经|现在)?不再?在(.+?)(?:工作|上班)了?$", Ends("employer")),
        (r"我不叫(.+?)$", Ends("name")),
        (
            r"(?:我叫|我的名字[是叫]|我名叫|叫我)(\p{Han}{1,6}|[A-Za-z][A-Za-z' -]{0,40})$",
            Keyed("name", person),
        ),
        (
            r"我?(?:现在)?(?:住在|搬到了?|定居在?)(.+?)了?$",
            Keyed("home", person),
        ),
        (r"我来自(.+?)$", Keyed("origin", person)),
        (r"我?(?:现在)?在(.+?)(?:工作|上班)$", Keyed("employer", work)),
        (
            r"我(?:刚)?(?:加入了?|就职于|任职于)(.+?)$",
            Keyed("employer", work),
        ),
        (r"我是(?:一名|一个|一位|名|位)(.+?)$", Keyed("role", work)),
        (r"我最喜欢的(.+?)是.+$", Favourite),
        (
            r"我的(生日|时区|职位|公司|母语|妻子|丈夫|老板|团队|狗|猫)(?:是|叫|在).+$",
            Possession,
        ),
        (
            r"我(?:很|非常|真的|更|比较|特别)*(?:喜欢|偏好|爱|倾向于?)(.+?)$",
            Plain("preference"),
        ),
        (
            r"我(?:很|非常|真的|特别)*(?:讨厌|不喜欢|不爱|受不了|不吃|不喝)(.+?)$",
            Dislike,
        ),
        (r"我对(.+?)过敏$", Plain(person)),
        (r"我(?:是|吃)(素食者?|素|左撇子|色盲)$", Plain(person)),
    ]
}
