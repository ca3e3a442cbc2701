//! The subjects of the scheme.

use std::fmt;

/// Whom a statement is about.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    User,
    Partner,
    Mother,
    Father,
    Child,
    Sibling,
    Relative,
    Friend,
    Boss,
    Colleague,
    Pet,
    Employer,
    /// A thing of the user: their car, their team.
    Thing(String),
    /// Somebody or something by name, in lower case.
    Named(String),
}

/// The words for each, in the languages that are read. English ones are also keys.
const WORDS: [(&str, Subject); 10] = [
    (
        "partner wife husband spouse girlfriend boyfriend fiancé fiancée fiance fiancee frau mann freundin freund \
         partnerin verlobte verlobter femme mari copine copain compagne compagnon conjoint épouse époux mujer esposa \
         esposo marido novia novio pareja mulher namorada namorado noiva noivo parceira parceiro companheira \
         companheiro 老婆 妻子 太太 老公 丈夫 先生 女朋友 男朋友 女友 男友 爱人 对象 妻 夫 嫁 旦那 主人 奥さん 彼女 彼氏 \
         家内 パートナー",
        Subject::Partner,
    ),
    (
        "mother mom mum mama mutter mère maman madre mamá mãe 妈妈 母亲 我妈 老妈 母 お母さん 母親",
        Subject::Mother,
    ),
    (
        "father dad papa vater père padre papá pai 爸爸 父亲 老爸 父 お父さん 父親",
        Subject::Father,
    ),
    (
        "child son daughter kid baby sohn tochter kind fils fille enfant hijo hija hijos filho filha filhos 儿子 女儿 \
         孩子 宝宝 闺女 息子 娘 子供 子ども 長男 長女 次男 次女",
        Subject::Child,
    ),
    (
        "sibling sister brother schwester bruder sœur soeur frère hermana hermano irmã irmão 姐姐 妹妹 哥哥 弟弟 姐 妹 哥 \
         弟 姉 妹 兄 弟 お姉ちゃん お兄ちゃん",
        Subject::Sibling,
    ),
    (
        "relative grandmother grandfather grandma grandpa aunt uncle cousin niece nephew oma opa tante onkel \
         grand-mère grand-père oncle abuela abuelo tía tío prima primo avó avô tia tio 奶奶 爷爷 外婆 外公 叔叔 阿姨 \
         表哥 表姐 祖母 祖父 おばあちゃん おじいちゃん",
        Subject::Relative,
    ),
    (
        "friend bestie ami amie amigo amiga 朋友 闺蜜 友達 友人 親友",
        Subject::Friend,
    ),
    (
        "boss manager supervisor chef chefin vorgesetzter vorgesetzte jefe jefa patron patronne cheffe responsable superior 老板 上司 领导 经理 chefe",
        Subject::Boss,
    ),
    (
        "colleague coworker kollege kollegin collègue compañero compañera colega 同事 同僚",
        Subject::Colleague,
    ),
    (
        "pet dog cat puppy kitten hamster rabbit parrot hund katze kater hündin hase chien chienne chat chatte perro \
         perra gato gata cachorro cachorra gatinho cão cadela 狗 猫 狗狗 猫咪 兔子 仓鼠 鹦鹉 犬 ペット うさぎ ハムスター 愛犬 愛猫",
        Subject::Pet,
    ),
];

impl Subject {
    /// Reads the word for a relation: `wife`, `Schwester`, `老婆`.
    pub fn of_word(word: &str) -> Option<Subject> {
        let word = word.to_lowercase();
        let mut lines = WORDS.iter();
        let line = lines.find(|(words, _)| words.split_whitespace().any(|one| one == word));
        line.map(|(_, subject)| subject.clone())
    }

    /// Reads the part of a key before the attribute.
    pub(super) fn of_key(key: &str) -> Option<Subject> {
        match key {
            "self" | "user" => Some(Subject::User),
            key => Subject::of_word(key),
        }
    }

    /// Tells whether a user may have several of them, so that a new one does not take the place of
    /// another.
    pub fn may_be_several(&self) -> bool {
        use Subject::{Child, Colleague, Friend, Pet, Relative, Sibling};
        matches!(self, Child | Sibling | Relative | Friend | Colleague | Pet)
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Subject::User => "self",
            Subject::Partner => "partner",
            Subject::Mother => "mother",
            Subject::Father => "father",
            Subject::Child => "child",
            Subject::Sibling => "sibling",
            Subject::Relative => "relative",
            Subject::Friend => "friend",
            Subject::Boss => "boss",
            Subject::Colleague => "colleague",
            Subject::Pet => "pet",
            Subject::Employer => "employer",
            Subject::Thing(name) | Subject::Named(name) => name,
        })
    }
}
