//! Documents that all users may search.

use expect_test::expect;
use recalld_testing::script::check;

#[tokio::test]
async fn a_document_is_taken_in_once_replaced_and_pruned() {
    let script = r#"
        ingest docs/refunds.md # Refunds\nA refund takes a week.\n## Gifts\nGifts are not refunded.
        ingest docs/refunds.md # Refunds\nA refund takes a week.\n## Gifts\nGifts are not refunded.
        ingest docs/delivery.txt Delivery is free.
        documents
        search_knowledge_base {"query": "how long does a refund take?"}
        ingest docs/refunds.md # Refunds\nA refund takes a day.
        search_knowledge_base {"query": "refund"}
        prune docs docs/delivery.txt
        documents
        search_knowledge_base {"query": "refund"}"#;
    check(
        script,
        expect![[r#"
        added in 2 chunks
        unchanged
        added in 1 chunks
        docs/delivery.txt "-" 1
        docs/refunds.md "Refunds" 2
        ok | From the knowledge base, the best match first:
        - "docs/refunds.md", "Refunds": "A refund takes a week."
        - "docs/refunds.md", "Refunds > Gifts": "Gifts are not refunded."
        replaced by 1 chunks
        ok | From the knowledge base, the best match first:
        - "docs/refunds.md", "Refunds": "A refund takes a day."
        pruned docs/refunds.md
        docs/delivery.txt "-" 1
        ok | The knowledge base has nothing about "refund".
    "#]],
    )
    .await;
}

#[tokio::test]
async fn each_format_is_read_in_its_own_way() {
    let script = r##"
        ingest a.html <title>Shop</title><h1>Opening hours</h1><script>x()</script><p>We open at <b>nine</b>.</p>
        ingest b.json [{"source": "faq", "title": "Parking", "content": "Parking is behind the house."}]
        ingest c.jsonl {"text": "Dogs are welcome."}\n{"text": "Cats are not."}
        search_knowledge_base {"query": "when do you open"}
        search_knowledge_base {"query": "parking"}
        search_knowledge_base {"query": "dogs"}"##;
    check(
        script,
        expect![[r#"
        added in 1 chunks
        added in 1 chunks
        added in 2 chunks
        ok | From the knowledge base, the best match first:
        - "a.html", "Opening hours": "We open at nine."
        ok | From the knowledge base, the best match first:
        - "b.json", "faq > Parking": "Parking is behind the house."
        ok | From the knowledge base, the best match first:
        - "c.jsonl": "Dogs are welcome."
    "#]],
    )
    .await;
}

#[tokio::test]
async fn a_broken_document_is_refused_and_the_rest_goes_in() {
    let script = r#"
        ingest a.json {"port": 80}
        ingest b.json {
        ingest c.pdf %PDF-1.4 nonsense
        ingest d.md ---
        ingest e.md Fine.
        documents"#;
    check(
        script,
        expect![[r#"
        error: item 1 has neither "content" nor "text"
        error: the document is not JSON: EOF while parsing an object at line 1 column 1
        error: the PDF cannot be read: couldn't parse input: invalid file header
        error: the document holds no text
        added in 1 chunks
        e.md "-" 1
    "#]],
    )
    .await;
}
