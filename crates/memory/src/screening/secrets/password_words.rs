//! The words around passwords: what they are called, and what sentences about them say instead of
//! one.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Names of passwords, in many languages.
pub(super) const NAMES: &str = r"passwords?|pass[\s_-]?codes?|pass[\s_-]?phrases?|passwd|(?-u:\b)pass(?-u:\b)|(?-u:\b)pwd|(?-u:\b)pw(?-u:\b)|(?-u:\b)pword|passwort|kennwort|wlan[\s-]?schlüssel|wi-?fi[\s-]?key|contrase[nñ]a|(?-u:\b)clave|mot\s+de\s+passe|(?-u:\b)mdp(?-u:\b)|(?-u:\b)senha|palavra[\s-]?passe|parola\s+d'ordine|wachtwoord|has[łl]o|lösenord|adgangskode|passord|salasana|heslo|jelszó|şifre(?:si|m|niz)?|sifre(?:si)?|parol[aă]|mật\s+khẩu|kata\s+sandi|(?-u:\b)sandi(?-u:\b)|пароль|пароля|κωδικός|סיסמה|סיסמא|كلمة\s+(?:المرور|السر)|पासवर्ड|รหัสผ่าน|密码|密碼|口令|パスワード|비밀번호|암호";

/// What comes before a value and is part of the sentence.
pub(super) const COPULAS: &str =
    r"is|was|are|be|ist|war|lautet|heißt|es|era|est|était|é|è|jest|это|este|là|adalah|είναι|היא|هي|है";

/// The same in languages that are written without spaces.
pub(super) const JOINED_COPULAS: &str = r"是|为|為|は|가|는|은|คือ";

/// What a sentence about a password says where a password would stand.
static TALK: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("password_talk.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// What comes in place of a value: stars, brackets, what was redacted before.
pub(super) fn is_placeholder(value: &str) -> bool {
    let bare = value.trim_matches(|c: char| !c.is_alphanumeric());
    let lower = bare.to_lowercase();
    let words = [
        "redacted",
        "password",
        "passwd",
        "secret",
        "token",
        "example",
        "changeme",
        "placeholder",
        "yourpassword",
        "your-password",
        "your_password",
        "pass",
        "xxx",
        "hidden",
        "masked",
        "removed",
    ];
    value.starts_with(['<', '{', '$', '%', '…'])
        || value.starts_with("[*")
        || ["os.environ", "process.env", "getenv", "env(", "ENV["]
            .iter()
            .any(|read| value.contains(read))
        || bare.is_empty()
        || bare.chars().all(|c| matches!(c, 'x' | 'X' | '*' | '.'))
        || (words.contains(&lower.as_str()))
        || lower.starts_with("your-")
        || lower.starts_with("your_")
        || lower.starts_with("example")
}

/// Tells whether `word` is what a sentence about a password says, and no password.
pub(super) fn is_talk(word: &str) -> bool {
    let word = word
        .trim_matches(|c: char| !c.is_alphanumeric() && c != '\'')
        .to_lowercase();
    word.is_empty() || TALK.contains(word.as_str()) || is_inflected(&word)
}

/// Participles and adverbs: a password may be `stored`, `geändert`, `cambiada`, `expirée`.
fn is_inflected(word: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "ed", "ing", "ly", "able", "ible", "ential", "n't", "ado", "ada", "ido", "ida", "ato", "ata", "uto",
        "uta", "ito", "ita", "é", "ée", "és", "ado", "ción", "ção", "zione", "ung", "bar", "lich", "ен",
        "ён", "ан", "на", "ный", "ется", "ает", "ит", "но", "ować", "owane", "ane", "lendi", "ildi", "ttu",
        "tty",
    ];
    const GERMAN: &[&str] = &[
        "ge", "ver", "be", "ab", "zurück", "un", "er", "ent", "zer", "aus", "auf", "ein",
    ];
    let letters = word.chars().count();
    let german =
        GERMAN.iter().any(|start| word.starts_with(start)) && (word.ends_with('t') || word.ends_with("en"));
    4 <= letters
        && (ENDINGS.iter().any(|end| word.ends_with(end))
            || (6 <= letters && german && word.chars().all(char::is_lowercase)))
}

/// Tells whether `value`, in a script without spaces, says something about a password.
pub(super) fn is_talk_without_spaces(value: &str) -> bool {
    const PARTS: &[&str] = &[
        "必",
        "不",
        "错",
        "錯",
        "正确",
        "过期",
        "過期",
        "忘",
        "未",
        "已",
        "可选",
        "需",
        "要",
        "请",
        "請",
        "什么",
        "多少",
        "的",
        "了",
        "が",
        "を",
        "です",
        "ます",
        "ない",
        "必須",
        "ください",
        "입니다",
        "필수",
        "않",
        "습니다",
        "하세요",
    ];
    8 < value.chars().count() || PARTS.iter().any(|part| value.contains(part))
}
