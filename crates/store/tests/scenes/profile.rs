//! Structured user context: what is kept by category, and what is answered.

use expect_test::expect;
use recalld_testing::script::check;

#[tokio::test]
async fn categories_answer_in_their_own_shapes() {
    let script = r#"
        user-context icp
        put icp {"company_types": ["Enterprise SaaS"], "target_titles": ["CISO", "CTO"], "employee_range": "1000-5000"}
        user-context icp
        user-context profile
        put signals [{"signal_type": "data breach", "min_severity": "high", "lookback_days": 30, "enabled": true}]
        user-context signals
        put preferences [{"key": "tone.style", "value": "casual", "confidence": 0.4}, {"key": "tone.style", "value": "formal", "confidence": 0.9}]
        user-context preferences
        put criteria [{"criterion": "uses AWS", "weight": 3, "is_disqualifier": false}, {"criterion": "is a bank", "enabled": false}]
        user-context criteria
        user-context all
        user-context icps
        as bob
        user-context all"#;
    check(script, expect![[r#"
        {"category":"icp","query":null,"data":null,"source":"icp_profiles","found":false}
        version 1
        {"category":"icp","query":null,"data":{"company_types":["Enterprise SaaS"],"target_titles":["CISO","CTO"],"employee_range":"1000-5000","revenue_range":null,"focus_industries":[],"icp_definition":null},"source":"icp_profiles","found":true}
        {"category":"profile","query":null,"data":{"company_types":["Enterprise SaaS"],"target_titles":["CISO","CTO"],"employee_range":"1000-5000","revenue_range":null,"focus_industries":[],"icp_definition":null},"source":"icp_profiles","found":true}
        version 1
        {"category":"signals","query":null,"data":[{"signal_type":"data breach","min_severity":"high","lookback_days":30,"enabled":true}],"source":"user_signal_preferences","found":true}
        version 1
        {"category":"preferences","query":null,"data":{"tone":{"style":"formal"}},"source":"user_preferences","found":true}
        version 1
        {"category":"criteria","query":null,"data":[{"criterion":"uses AWS","weight":3,"is_disqualifier":false}],"source":"custom_criteria","found":true}
        {"category":"all","query":null,"data":{"profile":{"company_types":["Enterprise SaaS"],"target_titles":["CISO","CTO"],"employee_range":"1000-5000","revenue_range":null,"focus_industries":[],"icp_definition":null},"signals":[{"signal_type":"data breach","min_severity":"high","lookback_days":30,"enabled":true}],"preferences":{"tone":{"style":"formal"}},"criteria":[{"criterion":"uses AWS","weight":3,"is_disqualifier":false}],"account":null},"source":"full_context","found":true}
        error: there is no category "icps"; known are profile, icp, signals, preferences, criteria, account, all
        {"category":"all","query":null,"data":null,"source":"full_context","found":false}
    "#]]).await;
}

#[tokio::test]
async fn a_query_narrows_the_answer_to_what_matters() {
    let script = r#"
        put icp {"company_types": ["Enterprise SaaS"], "target_titles": ["CISO", "CTO"], "employee_range": "1000-5000"}
        put signals [{"signal_type": "data breach"}, {"signal_type": "funding"}, {"signal_type": "leadership change"}]
        user-context icp target titles
        user-context signals has there been any funding?
        user-context all breach
        user-context icp ICP
        user-context icp sailing
        user-context icp qwrtz plmk
        user-context all sailing"#;
    check(script, expect![[r#"
        version 1
        version 1
        {"category":"icp","query":"target titles","data":{"target_titles":["CISO","CTO"]},"source":"icp_profiles","found":true}
        {"category":"signals","query":"has there been any funding?","data":[{"signal_type":"funding","min_severity":null,"lookback_days":null,"enabled":null}],"source":"user_signal_preferences","found":true}
        {"category":"all","query":"breach","data":{"signals":[{"signal_type":"data breach","min_severity":null,"lookback_days":null,"enabled":null}]},"source":"full_context","found":true}
        {"category":"icp","query":"ICP","data":{"company_types":["Enterprise SaaS"],"target_titles":["CISO","CTO"],"employee_range":"1000-5000","revenue_range":null,"focus_industries":[],"icp_definition":null},"source":"icp_profiles","found":true}
        {"category":"icp","query":"sailing","data":null,"source":"icp_profiles","found":false}
        {"category":"icp","query":"qwrtz plmk","data":null,"source":"icp_profiles","found":false}
        {"category":"all","query":"sailing","data":null,"source":"full_context","found":false}
    "#]]).await;
}

#[tokio::test]
async fn what_does_not_fit_changes_nothing() {
    let script = r#"
        put signals [{"signal_type": "funding", "lookback_days": "thirty"}]
        put account {"plan": "pro", "usage": "3 of 10 seats"}
        patch account {"plan": "enterprise", "preferences": {"language": "de"}}
        patch account@1 {"plan": "free"}
        put account {"preferences": "my password is hunter2"}
        put nonsense {}
        user-context account
        clear account
        user-context account"#;
    check(script, expect![[r#"
        error: the value does not fit its schema: /0/lookback_days: "thirty" is not of types "null", "integer"
        version 1
        version 2
        error: the value has changed since; it is at version 2 now
        error: the value looks like it holds a secret (password)
        error: there is no category "nonsense"; known are profile, icp, signals, preferences, criteria, account, all
        {"category":"account","query":null,"data":{"plan":"enterprise","usage":"3 of 10 seats","preferences":{"language":"de"}},"source":"user_context","found":true}
        (nothing kept)
        {"category":"account","query":null,"data":null,"source":"user_context","found":false}
    "#]]).await;
}

#[tokio::test]
async fn a_model_reads_the_context_of_its_own_user() {
    let script = r#"
        put icp {"target_titles": ["CISO"], "employee_range": "1000-5000"}
        put account {"plan": "pro", "usage": {"seats": 3}}
        get_user_context {"category": "icp"}
        get_user_context {"category": "account"}
        get_user_context {"category": "all", "query": "which plan"}
        get_user_context {"category": "signals"}
        get_user_context {"category": "secrets"}
        get_user_context {"category": "icp", "user_id": "bob"}
        get_user_context {}
        as bob
        get_user_context {"category": "all"}"#;
    check(script, expect![[r#"
        version 1
        version 1
        ok | Saved about the user in "icp":
        - target_titles: ["CISO"]
        - employee_range: "1000-5000"
        ok | Saved about the user in "account":
        - plan: "pro"
        - usage: {"seats":3}
        ok | Saved about the user in "all":
        - account: {"plan":"pro"}
        not_found | The category "signals" is empty. What the user said may be among their memories: search those with search_memory or recall_memory before you say that nothing is known.
        error: argument "category": there is no category "secrets"; known are profile, icp, signals, preferences, criteria, account, all
        error: unknown argument "user_id"; known are "category", "query"
        error: missing argument "category"
        not_found | The category "all" is empty. What the user said may be among their memories: search those with search_memory or recall_memory before you say that nothing is known.
    "#]]).await;
}
