//! Payment card numbers: Luhn's check, the ranges that issuers have, and how people write them.

use std::sync::LazyLock;

use super::Finding;
use super::digits::{Number, luhn, numbers};
use super::pattern::Pattern;

/// Words that make a number a card's.
static CARD_WORDS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)card|visa|master ?card|amex|american express|diners|discover|maestro|jcb|unionpay|karte|tarjeta|carte(?-u:\b)|cart[aã]o|carta di|credit|debit|cvv|cvc|(?-u:\b)exp(?-u:\b)|expir|карт|卡|カード|카드|kaart|kort(?-u:\b)|(?-u:\b)pan(?-u:\b)",
    )
});

/// Words that make a number something else.
static OTHER_WORDS: LazyLock<Pattern> = LazyLock::new(|| {
    Pattern::new(
        r"(?i)order|bestell|pedido|commande|ordine|track|parcel|shipment|sendung|invoice|rechnung|factura|facture|ticket|serial|imei|(?-u:\b)ean(?-u:\b)|isbn|gtin|upc|barcode|sku|part (?:no|number)|phone|tel(?-u:\b)|mobile|fax|whatsapp|(?-u:\b)ref|booking|reservation|timestamp|epoch|model|meter|zähler|订单|单号|注文|номер заказа",
    )
});

/// Finds card numbers.
pub(super) fn find(text: &str, findings: &mut Vec<Finding>) {
    let cards = numbers(text, 13).filter(is_card);
    findings.extend(cards.map(|number| Finding::new("card number", number.range)));
}

fn is_card(number: &Number<'_>) -> bool {
    let Some(issuer) = issuer(&number.digits) else {
        return false;
    };
    if !luhn(&number.digits) {
        return false;
    }
    let called_card = CARD_WORDS.is_match(number.around);
    let called_other = OTHER_WORDS.is_match(number.before);
    match issuer {
        Issuer::Common if is_usual(&number.groups) => called_card || !called_other,
        Issuer::Common | Issuer::Rare => called_card,
    }
}

/// Whether an issuer's numbers are told from other long numbers by themselves.
enum Issuer {
    Common,
    Rare,
}

/// Reads the issuer from the first digits and the length.
fn issuer(digits: &[u32]) -> Option<Issuer> {
    let first = |count: usize| {
        digits
            .iter()
            .take(count)
            .fold(0, |number, digit| number * 10 + digit)
    };
    let (two, three, four) = (first(2), first(3), first(4));
    let common = match digits.len() {
        15 => matches!(two, 34 | 37),
        16 => {
            matches!(two, 40..=49 | 51..=55 | 62 | 65)
                || matches!(three, 644..=649)
                || matches!(four, 2200..=2204 | 2221..=2720 | 3528..=3589 | 6011)
        }
        _ => false,
    };
    let rare = match digits.len() {
        13 | 19 if digits[0] == 4 => true,
        14 => matches!(two, 36 | 38 | 39) || matches!(three, 300..=305),
        12..=19 => matches!(two, 50 | 56..=69),
        _ => false,
    };
    match (common, rare) {
        (true, _) => Some(Issuer::Common),
        (_, true) => Some(Issuer::Rare),
        _ => None,
    }
}

/// One block, blocks of four, American Express's 4-6-5, or spelled out evenly.
fn is_usual(groups: &[usize]) -> bool {
    let even = |size: usize| groups.iter().all(|group| *group == size);
    groups.len() == 1
        || even(4)
        || even(1)
        || even(2)
        || even(8)
        || groups == [4, 6, 5]
        || groups == [4, 4, 4, 3]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> bool {
        let mut findings = Vec::new();
        find(text, &mut findings);
        !findings.is_empty()
    }

    #[test]
    fn numbers_that_pass_luhn_are_not_all_cards() {
        for card in [
            "4111 1111 1111 1111",
            "4111111111111111",
            "3782 822463 10005",
            "4-1-1-1-1-1-1-1-1-1-1-1-1-1-1-1",
        ] {
            assert!(found(card), "{card}");
        }
        for other in [
            "0.4111111111111111",
            "order 4111111111111111",
            "+4111111111111111",
            "4006381333931",
            "v4111111111111111",
        ] {
            assert!(!found(other), "{other}");
        }
    }
}
