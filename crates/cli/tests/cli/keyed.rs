//! Keys of memories: taken away, and given to what says the same.

use expect_test::expect;

use crate::bench::Bench;

#[test]
fn a_key_can_be_taken_away_and_given_anew() {
    Bench::new().check(
        &[
            "add 'Staff engineer at Acme' --key role",
            "update role --no-key --key job",
            "update role --no-key",
            "show role",
            "add 'Staff engineer at Acme' --key job",
            "show job -q",
        ],
        expect![[r#"
            $ recalld add 'Staff engineer at Acme' --key role
            Remembered role (personal_context, durable)
              Staff engineer at Acme
            $ recalld update role --no-key --key job
            error: the argument '--no-key' cannot be used with '--key <KEY>'
            hint: usage: recalld update --no-key <MEMORY> [CONTENT]
            [2]
            $ recalld update role --no-key
            Updated <short>~, now at version 2
              Staff engineer at Acme
            $ recalld show role
            error: there is no memory "role"
            hint: `recalld list` shows what is remembered
            [3]
            $ recalld add 'Staff engineer at Acme' --key job
            Nothing stored: it is remembered already, by job
              Staff engineer at Acme
            Change it with: recalld update job "…"
            $ recalld show job -q
            Staff engineer at Acme
        "#]],
    );
}
