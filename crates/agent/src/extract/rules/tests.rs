//! What is found by rules in what people type, and what is not.

mod nothing;

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
            "我住在天津",
            "我的生日是6月2日",
        ],
        expect![[r#"
            请记住我下周要做数据库性能的演讲
              - [personal_context] 我下周要做数据库性能的演讲 (2026-11-16 to 2026-11-22)
            我叫小明，住在上海。
              name [personal_context] 我叫小明
              home [personal_context] 我住在上海
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
            我住在天津
              home [personal_context] 我住在天津
            我的生日是6月2日
              生日 [personal_context] 我的生日是6月2日
        "#]],
    );
}

#[test]
fn what_is_taken_back_or_turned_round() {
    check(
        &[
            "I don't live in Porto",
            "I do not live in Porto any more, I live in Braga",
            "My name isn't Bob",
            "My name is not Bob, it's Rob",
            "I left my job at Acme last week",
            "I no longer like tea",
            "I don't like tea any more",
            "I'm not allergic to nuts",
            "I am no longer vegetarian",
            "我的名字不是小明",
            "我不再喜欢喝茶了",
            "我对花生不过敏",
            "我不是素食者了",
        ],
        expect![[r#"
            I don't live in Porto
              no longer home: Porto []
            I do not live in Porto any more, I live in Braga
              no longer home: Porto []
              home [personal_context] I live in Braga
            My name isn't Bob
              no longer name: Bob []
            My name is not Bob, it's Rob
              name [personal_context] My name is not Bob, it's Rob
            I left my job at Acme last week
              no longer employer: Acme []
            I no longer like tea
              no longer -: tea ["I like tea", "I love tea", "I enjoy tea", "I adore tea", "I prefer tea", "I really like tea", "I eat tea", "I drink tea"]
            I don't like tea any more
              - [preference] I don't like tea any more
            I'm not allergic to nuts
              no longer -: nuts ["I'm allergic to nuts", "I am allergic to nuts"]
            I am no longer vegetarian
              no longer -: vegetarian ["I'm vegetarian", "I am vegetarian", "I'm a vegetarian", "I am a vegetarian"]
            我的名字不是小明
              no longer name: 小明 []
            我不再喜欢喝茶了
              no longer -: 喝茶 ["我喜欢喝茶", "我爱喝茶", "我更喜欢喝茶", "我很喜欢喝茶", "我非常喜欢喝茶", "我偏好喝茶"]
            我对花生不过敏
              no longer -: 花生 ["我对花生过敏"]
            我不是素食者了
              no longer -: 素食者 ["我是素食者", "我吃素食者"]
        "#]],
    );
}

#[test]
fn names_places_and_work_are_known_in_many_clothes() {
    check(
        &[
            "my name is bob and i live in porto",
            "Please call me Dr. Chen",
            "You can call me Al",
            "I’m based in Zürich",
            "I live in the Netherlands with my wife",
            "I now live in Paris and work at Louvre",
            "I've just moved to New York",
            "I work for a bank in Zurich",
            "I work for myself",
            "I am the CTO",
            "I'm head of sales at Acme",
            "My boss is Carla",
            "My dog's name is Rex",
            "my wife is called eva",
            "My pronouns are they/them",
            "My company is Acme Corp",
        ],
        expect![[r#"
            my name is bob and i live in porto
              name [personal_context] my name is bob
              home [personal_context] i live in porto
            Please call me Dr. Chen
              name [personal_context] call me Dr. Chen
            You can call me Al
              name [personal_context] You can call me Al
            I’m based in Zürich
              home [personal_context] I’m based in Zürich
            I live in the Netherlands with my wife
              home [personal_context] I live in the Netherlands with my wife
            I now live in Paris and work at Louvre
              home [personal_context] I now live in Paris
              employer [work_context] I work at Louvre
            I've just moved to New York
              home [personal_context] I've just moved to New York
            I work for a bank in Zurich
              employer [work_context] I work for a bank in Zurich
            I work for myself
              employer [work_context] I work for myself
            I am the CTO
              role [work_context] I am the CTO
            I'm head of sales at Acme
              role [work_context] I'm head of sales at Acme
            My boss is Carla
              boss [personal_context] My boss is Carla
            My dog's name is Rex
              dog [personal_context] My dog's name is Rex
            my wife is called eva
              wife [personal_context] my wife is called eva
            My pronouns are they/them
              pronouns [personal_context] My pronouns are they/them
            My company is Acme Corp
              company [personal_context] My company is Acme Corp
        "#]],
    );
}

#[test]
fn tastes_and_requests_are_known_in_many_clothes() {
    check(
        &[
            "I like it when you are brief",
            "I love cats, dogs and birds",
            "I love the Beatles",
            "I prefer the aisle seat",
            "I never eat meat",
            "I hate to say it, but I live in Detroit",
            "Remember that my name is Ana and I live in Rome",
            "Please remember that I'm allergic to shellfish and my wife is vegan",
            "Keep in mind that I hate coriander",
        ],
        expect![[r#"
            I like it when you are brief
              - [preference] I like it when you are brief
            I love cats, dogs and birds
              - [preference] I love cats, dogs and birds
            I love the Beatles
              - [preference] I love the Beatles
            I prefer the aisle seat
              - [preference] I prefer the aisle seat
            I never eat meat
              - [preference] I never eat meat
            I hate to say it, but I live in Detroit
              home [personal_context] I live in Detroit
            Remember that my name is Ana and I live in Rome
              name [personal_context] my name is Ana
              home [personal_context] I live in Rome
            Please remember that I'm allergic to shellfish and my wife is vegan
              - [personal_context] I'm allergic to shellfish and my wife is vegan
            Keep in mind that I hate coriander
              - [preference] I hate coriander
        "#]],
    );
}

#[test]
fn chinese_statements_are_known_in_many_clothes() {
    check(
        &[
            "请叫我王老师",
            "我叫小明，住在上海，在腾讯上班",
            "我在北京工作",
            "我是一个大学生",
            "我加入了字节跳动",
            "我的猫叫咪咪",
            "我爱吃辣",
        ],
        expect![[r#"
            请叫我王老师
              name [personal_context] 请叫我王老师
            我叫小明，住在上海，在腾讯上班
              name [personal_context] 我叫小明
              home [personal_context] 我住在上海
              employer [work_context] 我在腾讯上班
            我在北京工作
              - [work_context] 我在北京工作
            我是一个大学生
              role [work_context] 我是一个大学生
            我加入了字节跳动
              employer [work_context] 我加入了字节跳动
            我的猫叫咪咪
              猫 [personal_context] 我的猫叫咪咪
            我爱吃辣
              - [preference] 我爱吃辣
        "#]],
    );
}
