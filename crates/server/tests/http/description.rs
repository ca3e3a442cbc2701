//! The description of the API.

use serde_json::Value;

use crate::stage::Stage;

/// The operations that are described, as method and path.
fn operations(api: &Value) -> Vec<(String, &Value)> {
    let paths = api["paths"].as_object().unwrap();
    let all = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        methods.map(move |(method, operation)| (format!("{} {path}", method.to_uppercase()), operation))
    });
    all.collect()
}

#[tokio::test]
async fn every_route_is_described_with_its_refusals_and_its_key() {
    let stage = Stage::new().await;
    let api = stage.ask("", "GET /openapi.json", &[], None).await.ok(200);
    assert!(api["openapi"].as_str().unwrap().starts_with("3.1"));
    assert_eq!(api["components"]["securitySchemes"]["bearer"]["scheme"], "bearer");
    assert!(api["security"][0]["bearer"].is_array());
    assert_eq!(
        api["components"]["securitySchemes"]["api_key"]["name"],
        "X-API-Key"
    );
    let archive = &api["paths"]["/v1/export"]["get"]["responses"]["200"]["content"]["application/zip"];
    assert_eq!(archive["schema"]["format"], "binary");
    let operations = operations(&api);
    assert!(45 <= operations.len(), "{}", operations.len());
    for (name, operation) in &operations {
        let statuses: Vec<&String> = operation["responses"].as_object().unwrap().keys().collect();
        assert!(statuses.iter().any(|status| status.starts_with('2')), "{name}");
        for status in ["4XX", "5XX"] {
            let content = &operation["responses"][status]["content"]["application/problem+json"];
            assert_eq!(
                content["schema"]["$ref"], "#/components/schemas/Problem",
                "{name} {status}"
            );
        }
        assert!(operation["summary"].is_string(), "{name} says what it does");
        for (status, response) in operation["responses"].as_object().unwrap() {
            assert_ne!(response["description"], "", "{name} {status} is described");
        }
        let headers = operation["parameters"].as_array().unwrap().iter();
        let headers = headers.filter(|parameter| parameter["name"] == "Recalld-User");
        assert_eq!(headers.count(), 1, "{name}");
    }
    let mut ids: Vec<&str> = operations
        .iter()
        .filter_map(|(_, o)| o["operationId"].as_str())
        .collect();
    let all = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(
        (ids.len(), all),
        (operations.len(), operations.len()),
        "operation ids tell operations apart"
    );
}

#[tokio::test]
async fn whatever_is_referred_to_is_there() {
    let stage = Stage::new().await;
    let api = stage.ask("", "GET /openapi.json", &[], None).await;
    let body = api.json();
    let mut rest = api.text.as_str();
    let mut seen = 0;
    while let Some(at) = rest.find("\"#/components/schemas/") {
        rest = &rest[at + 1..];
        let reference = &rest[..rest.find('"').unwrap()];
        assert!(body.pointer(&reference[1..]).is_some(), "{reference}");
        seen += 1;
    }
    assert!(50 < seen);
}

#[tokio::test]
async fn no_request_has_a_place_for_a_user_but_the_making_of_keys_and_chat_of_services() {
    let stage = Stage::new().await;
    let api = stage.ask("", "GET /openapi.json", &[], None).await.ok(200);
    for (name, schema) in api["components"]["schemas"].as_object().unwrap() {
        let fields = schema["properties"].as_object();
        let has_user = fields.is_some_and(|fields| fields.keys().any(|field| field.starts_with("user")));
        // The last two are answers.
        let known = ["NewKey", "ListedKey", "ChatBody", "UserList", "Whoami"];
        assert!(!has_user || known.contains(&name.as_str()), "{name}");
    }
    for (name, operation) in operations(&api) {
        let parameters = operation["parameters"].as_array().cloned().unwrap_or_default();
        let named = |parameter: &Value| {
            let name = parameter["name"].as_str().unwrap().to_lowercase();
            // Only service keys may name somebody there; others are refused.
            name.contains("user") && name != "recalld-user"
        };
        assert!(!parameters.iter().any(named), "{name}");
    }
}

#[tokio::test]
async fn the_page_needs_nothing_from_elsewhere() {
    let stage = Stage::new().await;
    let page = stage.ask("", "GET /docs/", &[], None).await;
    assert_eq!(page.status, 200);
    assert!(
        !page.text.contains("https://") && page.text.contains("swagger-ui"),
        "{}",
        page.text
    );
    let script = stage.ask("", "GET /docs/swagger-ui-bundle.js", &[], None).await;
    assert!(script.status == 200 && 100_000 < script.text.len());
    let start = stage.ask("", "GET /docs/swagger-initializer.js", &[], None).await;
    assert!(start.text.contains("/openapi.json"));
}

/// Checks that an answer of `call` is what the description says of it.
pub async fn is_described(stage: &Stage, call: &str, answer: &Value) {
    let api = stage.ask("", "GET /openapi.json", &[], None).await.ok(200);
    let (method, path) = call.split_once(' ').unwrap();
    let operation = &api["paths"][path][method.to_lowercase()];
    let schema = &operation["responses"]["200"]["content"]["application/json"]["schema"];
    assert!(schema.is_object(), "{call} is not described");
    fits(&api, schema, answer, call);
}

/// As far as it is needed here: references, objects and lists.
fn fits(api: &Value, schema: &Value, value: &Value, place: &str) {
    if let Some(reference) = schema["$ref"].as_str() {
        return fits(api, api.pointer(&reference[1..]).unwrap(), value, place);
    }
    if let Some(items) = value.as_array() {
        assert!(schema["items"].is_object(), "{place} is a list");
        return items
            .iter()
            .for_each(|item| fits(api, &schema["items"], item, place));
    }
    let (Some(fields), Some(told)) = (value.as_object(), schema["properties"].as_object()) else {
        return;
    };
    for required in schema["required"].as_array().into_iter().flatten() {
        assert!(
            fields.contains_key(required.as_str().unwrap()),
            "{place} lacks {required}"
        );
    }
    for (name, field) in fields {
        let told = told
            .get(name)
            .unwrap_or_else(|| panic!("{place}/{name} is not described"));
        fits(api, told, field, &format!("{place}/{name}"));
    }
}

/// The whole document is in the repository, so that a change of the API is seen in review.
#[tokio::test]
async fn the_description_is_the_committed_one() {
    let stage = Stage::new().await;
    let api = stage.ask("", "GET /openapi.json", &[], None).await.ok(200);
    let made = serde_json::to_string_pretty(&api).unwrap() + "\n";
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/http/openapi.json");
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, &made).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    let differing = committed.lines().zip(made.lines()).enumerate();
    let first = differing
        .filter(|(_, (was, is))| was != is)
        .map(|(number, (was, is))| format!("line {}: {was} -> {is}", number + 1))
        .next();
    assert!(
        committed == made,
        "the API changed ({}): look at the difference, then UPDATE_EXPECT=1 writes {path} anew",
        first.unwrap_or_else(|| "its length differs".to_owned())
    );
}
