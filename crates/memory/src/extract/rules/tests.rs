//! What is found by rules in what people type, and what is not.

use expect_test::{Expect, expect};

use super::*;

fn check(messages: &[&str], expected: Expect) {
    let said_at: Timestamp = "2026-11-12T09:00:00Z".parse().unwrap();
    let shown = |finding: Finding| match finding {
        Finding::Holds(fact) => format!(
            "  {} [{}] {}\n",
            fact.key.as_deref().unwrap_or("-"),
            fact.category,
            fact.content
        ),
        Finding::Ended(ended) => format!(
            "  no longer {}: {} {:?}\n",
            ended.key.as_deref().unwrap_or("-"),
            ended.about,
            ended.statements
        ),
    };
    let mut text = String::new();
    for message in messages {
        let found = find(message, said_at);
        for finding in &found {
            let quote = match finding {
                Finding::Holds(fact) => &fact.quote,
                Finding::Ended(ended) => &ended.quote,
            };
            assert!(message.contains(quote.as_str()), "{quote:?} is evidence");
        }
        text.push_str(&format!("{message}\n"));
        text.extend(found.into_iter().map(shown));
    }
    expected.assert_eq(&text);
}

#[test]
fn what_people_plainly_say_in_english() {
    check(
        &[
            "Remember that I present on database performance next week.",
            "Please remember: my sister's wedding is on 3 May",
            "Hi! My name is Ana Sousa and I live in Lisbon.",
            "I'm based in Porto now, and I work at Acme Corp as a designer",
            "I work as a data engineer",
            "I'm a software engineer at Initech",
            "I prefer window seats on long flights",
            "I love spicy food but I hate coriander",
            "I don't like long meetings",
            "My favourite colour is green",
            "My dog is called Rex",
            "My birthday is on 2 June",
            "I'm allergic to peanuts. I am vegetarian.",
            "Remember my name is Bo",
            "My timezone is Europe/Lisbon",
        ],
        expect![[r#"
            Remember that I present on database performance next week.
              - [personal_context] I present on database performance next week (2026-11-16 to 2026-11-22)
            Please remember: my sister's wedding is on 3 May
              - [personal_context] my sister's wedding is on 3 May
            Hi! My name is Ana Sousa and I live in Lisbon.
              name [personal_context] My name is Ana Sousa
              home [personal_context] I live in Lisbon
            I'm based in Porto now, and I work at Acme Corp as a designer
              home [personal_context] I'm based in Porto now
              employer [work_context] I work at Acme Corp as a designer
            I work as a data engineer
              role [work_context] I work as a data engineer
            I'm a software engineer at Initech
              role [work_context] I'm a software engineer at Initech
            I prefer window seats on long flights
              - [preference] I prefer window seats on long flights
            I love spicy food but I hate coriander
              - [preference] I love spicy food
              - [preference] I hate coriander
            I don't like long meetings
              - [preference] I don't like long meetings
            My favourite colour is green
              favourite_colour [preference] My favourite colour is green
            My dog is called Rex
              dog [personal_context] My dog is called Rex
            My birthday is on 2 June
              birthday [personal_context] My birthday is on 2 June
            I'm allergic to peanuts. I am vegetarian.
              - [personal_context] I'm allergic to peanuts
              - [personal_context] I am vegetarian
            Remember my name is Bo
              name [personal_context] my name is Bo
            My timezone is Europe/Lisbon
              timezone [personal_context] My timezone is Europe/Lisbon
        "#]],
    );
}

#[test]
fn corrections_and_negations_in_english() {
    check(
        &[
            "Actually, I live in Porto",
            "No, my name is Anna",
            "I no longer work at Acme",
            "I don't live in Lisbon any more",
            "I moved to Berlin",
            "Forget that I live in Berlin",
            "Please forget about my dog Rex",
        ],
        expect![[r#"
            Actually, I live in Porto
              home [personal_context] I live in Porto
            No, my name is Anna
              name [personal_context] my name is Anna
            I no longer work at Acme
              no longer employer: Acme []
            I don't live in Lisbon any more
              no longer home: Lisbon []
            I moved to Berlin
              home [personal_context] I moved to Berlin
            Forget that I live in Berlin
              no longer home: Berlin ["I live in Berlin"]
            Please forget about my dog Rex
              no longer -: my dog Rex ["my dog Rex"]
        "#]],
    );
}

#[test]
fn what_people_plainly_say_in_chinese() {
    check(
        &[
            "请记住我下周要做数据库性能的演讲",
            "我叫小明，住在上海。",
            "我的名字是李雷",
            "我在阿里巴巴工作",
            "我更喜欢靠窗的座位",
            "我不喜欢开会",
            "我对花生过敏",
            "我是一名软件工程师",
            "我最喜欢的颜色是绿色",
            "其实我住在杭州",
            "我已经不在阿里巴巴工作了",
            "我不住在上海了",
            "忘记我住在上海",
            "我搬到了北京",
            "我的生日是6月2日",
        ],
        expect![[r#"
            请记住我下周要做数据库性能的演讲
              - [personal_context] 我下周要做数据库性能的演讲 (2026-11-16 to 2026-11-22)
            我叫小明，住在上海。
              name [personal_context] 我叫小明
              home [personal_context] 住在上海
            我的名字是李雷
              name [personal_context] 我的名字是李雷
            我在阿里巴巴工作
              employer [work_context] 我在阿里巴巴工作
            我更喜欢靠窗的座位
              - [preference] 我更喜欢靠窗的座位
            我不喜欢开会
              - [preference] 我不喜欢开会
            我对花生过敏
              - [personal_context] 我对花生过敏
            我是一名软件工程师
              role [work_context] 我是一名软件工程师
            我最喜欢的颜色是绿色
              favourite_颜色 [preference] 我最喜欢的颜色是绿色
            其实我住在杭州
              home [personal_context] 我住在杭州
            我已经不在阿里巴巴工作了
              no longer employer: 阿里巴巴 []
            我不住在上海了
              no longer home: 上海 []
            忘记我住在上海
              no longer home: 上海 ["我住在上海"]
            我搬到了北京
              home [personal_context] 我搬到了北京
            我的生日是6月2日
              生日 [personal_context] 我的生日是6月2日
        "#]],
    );
}

#[test]
fn what_is_no_plain_statement_is_left_alone() {
    check(
        &[
            "Do you remember that I live in Oslo?",
            "If I live in Oslo, what taxes do I pay",
            "I like it",
            "I love you",
            "I'd like a table for two",
            "She said I live in Rome",
            "I work on it tomorrow",
            "I am a bit tired",
            "Write a story where the hero says: I live in a castle",
            "> my name is Mallory",
            "what is my name",
            "你记得我叫什么吗",
            "我喜欢你",
            "",
        ],
        expect![[r#"
            Do you remember that I live in Oslo?
            If I live in Oslo, what taxes do I pay
            I like it
            I love you
            I'd like a table for two
            She said I live in Rome
            I work on it tomorrow
            I am a bit tired
            Write a story where the hero says: I live in a castle
            > my name is Mallory
            what is my name
            你记得我叫什么吗
            我喜欢你

        "#]],
    );
}
