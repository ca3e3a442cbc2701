//! Statements and questions that differ from each other as people's do.

const PEOPLE: [&str; 12] = [
    "Ana", "Bruno", "Chiara", "Deniz", "Emeka", "Farah", "Goran", "Hana", "Ines", "Jonas", "Kaito", "Lucia",
];
const DEEDS: [&str; 11] = [
    "prefers",
    "collects",
    "studies",
    "sells",
    "repairs",
    "photographs",
    "grows",
    "translates",
    "teaches",
    "reviews",
    "paints",
];
const THINGS: [&str; 17] = [
    "window seats",
    "green tea",
    "old maps",
    "racing bicycles",
    "Portuguese novels",
    "garden roses",
    "wooden boats",
    "chess problems",
    "vinyl records",
    "mountain huts",
    "sourdough bread",
    "solar panels",
    "violin strings",
    "street murals",
    "jazz scores",
    "clay pots",
    "tide tables",
];
const PLACES: [&str; 13] = [
    "Lisbon", "Ankara", "Lagos", "Kyoto", "Bergen", "Quito", "Split", "Hanoi", "Leeds", "Turin", "Accra",
    "Porto", "Oslo",
];

/// Makes a statement that no other number of the same user gives.
pub fn statement(user: usize, number: usize) -> String {
    let pick = number + user * 7;
    format!(
        "{} {} {} in {} since {} and keeps {} of them in room {number}",
        PEOPLE[pick % PEOPLE.len()],
        DEEDS[pick % DEEDS.len()],
        THINGS[pick % THINGS.len()],
        PLACES[pick % PLACES.len()],
        1950 + pick % 70,
        2 + pick % 97,
    )
}

/// Makes a question that some statements answer.
pub fn question(number: usize) -> String {
    format!(
        "who {} {} in {}?",
        DEEDS[number % DEEDS.len()],
        THINGS[number % THINGS.len()],
        PLACES[number % PLACES.len()],
    )
}
