//! Secrets in sentences: passwords, codes, cards, accounts, identity numbers, recovery phrases.

use super::generator::Generator;
use super::tokens::Kind;

/// Sentences that tell a password; `*` is one.
const PASSWORDS: &[(&str, &[&str])] = &[
    (
        "password, english",
        &[
            "my password is *",
            "the wifi password at home is *",
            "Password: *",
            "pw = *",
            "pwd: *",
            "password=*",
            "The password for the home router is *",
            "my Netflix password is *.",
            "passphrase: *",
            "login: ana, pass: *",
            "The password to the shared drive is \"*\"",
            "the guest wifi password is still *",
            "pw: *",
            "Her email password was * until March",
            "the wifi key is *",
        ],
    ),
    (
        "password, german",
        &[
            "das Passwort ist *",
            "Mein Passwort lautet *",
            "Kennwort: *",
            "Das WLAN-Passwort zu Hause ist *",
            "Passwort = *",
        ],
    ),
    (
        "password, spanish",
        &[
            "la contraseña es *",
            "mi contraseña del wifi es *",
            "Contraseña: *",
            "la clave del router es *",
            "clave: *",
        ],
    ),
    (
        "password, french",
        &[
            "mot de passe : *",
            "mon mot de passe est *",
            "le mot de passe du wifi est *",
            "mdp: *",
        ],
    ),
    (
        "password, portuguese",
        &[
            "a senha é *",
            "minha senha do wifi é *",
            "senha: *",
            "palavra-passe: *",
        ],
    ),
    (
        "password, italian",
        &["la password è *", "la password del wifi è *", "password: *"],
    ),
    (
        "password, russian",
        &[
            "мой пароль это *",
            "пароль: *",
            "пароль от вайфая это *",
            "Пароль = *",
        ],
    ),
    (
        "password, chinese",
        &[
            "我的密码是*",
            "密码：*",
            "家里的wifi密码是*，别告诉别人",
            "密碼為*",
        ],
    ),
    (
        "password, japanese",
        &["パスワードは*です", "パスワード：*", "Wi-Fiのパスワードは*"],
    ),
    ("password, korean", &["비밀번호는 *", "비밀번호: *"]),
    ("password, dutch", &["het wachtwoord is *", "wachtwoord: *"]),
    ("password, polish", &["hasło: *", "moje hasło jest *"]),
    ("password, turkish", &["şifre: *", "wifi şifresi: *"]),
];

/// Sentences that tell a code, and the template of the code.
const CODES: &[(&str, &str, &[&str])] = &[
    (
        "pin",
        "{D4}",
        &[
            "my PIN is *",
            "PIN: *",
            "the PIN for my card is *",
            "die PIN ist *",
            "mi pin es *",
            "SIM PIN: *",
            "暗証番号は*",
        ],
    ),
    (
        "cvv",
        "{D3}",
        &[
            "CVV *",
            "cvv: *",
            "the CVC is *",
            "security code *",
            "card expires 04/29, cvv *",
        ],
    ),
    (
        "one-time code",
        "{D6}",
        &[
            "your verification code is *",
            "OTP: *",
            "2FA code *",
            "Bestätigungscode: *",
            "验证码：*",
            "código de verificación: *",
            "the login code is *",
        ],
    ),
    (
        "google code",
        "G-{D6}",
        &["verification code is *", "your verification code: *"],
    ),
    (
        "door code",
        "{D4}",
        &[
            "the door code is *",
            "alarm code: *",
            "gate code is *",
            "the code de la porte: *",
            "Türcode: *",
            "the safe combination is *",
        ],
    ),
    (
        "sort code and account",
        "12-{D2}-{D2} {D8}",
        &["sort code * ", "my sort code and account number: sort code *"],
    ),
    (
        "bank account",
        "{D8}",
        &[
            "my bank account number is *",
            "sort code 20-00-00, account number *",
            "bank account no. *",
            "Kontonummer: *",
            "número de cuenta: *",
        ],
    ),
    (
        "routing number",
        "0{D8}",
        &[
            "routing number * account 000123456789",
            "my bank's routing number is *",
        ],
    ),
    (
        "passport",
        "C{D8}",
        &[
            "my passport number is *",
            "passport: *",
            "passport no. *",
            "Reisepass Nr. *",
            "pasaporte: *",
            "passeport n° *",
            "护照号码：*",
            "passport number of my son is *",
        ],
    ),
    (
        "uk passport",
        "5{D8}",
        &["passport number *", "my UK passport number is *"],
    ),
    (
        "driving licence",
        "{L1}{D12}",
        &[
            "driving licence number: *",
            "my driver's license is *",
            "driver's license number is *",
            "Führerschein Nr. *",
        ],
    ),
    (
        "uk driving licence",
        "SMITH{D6}AB9CD",
        &["driving licence *", "my driving licence number is *"],
    ),
    (
        "social security number",
        "123-{D2}-{D4}",
        &["SSN *", "my social security number is *", "*"],
    ),
    (
        "bare social security number",
        "123{D6}",
        &["SSN *", "my social security number is *", "SSN: *"],
    ),
    (
        "national insurance number",
        "QQ{D6}C",
        &["my national insurance number is *", "NI number *", "NINO: *"],
    ),
    (
        "canadian sin",
        "{D3} {D3} {D3}",
        &["SIN: *", "my social insurance number is *"],
    ),
    (
        "german tax id",
        "{D11}",
        &[
            "Meine Steuer-ID ist *",
            "Steuernummer: *",
            "Steueridentifikationsnummer: *",
        ],
    ),
    ("dutch bsn", "{D9}", &["BSN: *", "mijn BSN is *"]),
    ("polish pesel", "{D11}", &["PESEL: *", "mój PESEL *"]),
    (
        "indian pan",
        "ABCPK{D4}L",
        &["PAN: *", "my PAN is *", "PAN number *"],
    ),
    (
        "aadhaar",
        "{D4} {D4} {D4}",
        &["Aadhaar: *", "my aadhaar number is *"],
    ),
    (
        "korean resident number",
        "9001{D2}-1{D6}",
        &["주민등록번호: *", "my Korean 주민등록번호 *"],
    ),
    (
        "ethereum key",
        "0x{H64}",
        &[
            "my ethereum private key is *",
            "private key: *",
            "metamask private key *",
            "wallet key *",
        ],
    ),
    (
        "generic api key",
        "{A32}",
        &[
            "api key: *",
            "API_KEY=*",
            "my api key is *",
            "client_secret: *",
            "bearer *",
            "der API-Schlüssel lautet *",
            "clave de api: *",
            "API 密钥：*",
        ],
    ),
    (
        "basic credentials",
        "{B24}==",
        &[
            "Authorization: Basic *",
            "curl -H 'Authorization: Basic *' https://api.example.com",
        ],
    ),
    (
        "bearer header",
        "{A40}",
        &[
            "Authorization: Bearer *",
            "curl -H \"Authorization: Bearer *\" https://api.example.com",
        ],
    ),
    (
        "token in a url",
        "{A32}",
        &[
            "https://api.example.com/v1?access_token=*",
            "https://x.example.com/cb?api_key=*&page=2",
        ],
    ),
    ("curl user", "{A12}", &["curl -u ana:* https://example.com/api"]),
    (
        "connection string",
        "{A14}",
        &[
            "Server=db;User Id=sa;Password=*;",
            "Host=pg;Username=ana;Password=*;Database=app",
        ],
    ),
];

/// Words of the kind that recovery phrases are made of.
const SEED_WORDS: &[&str] = &[
    "abandon", "ability", "absorb", "acid", "across", "actor", "again", "album", "anchor", "apple", "arrow",
    "autumn", "balcony", "banana", "beach", "blossom", "bridge", "cactus", "canyon", "castle", "cherry",
    "coral", "cradle", "desert", "dolphin", "dragon", "eagle", "echo", "ember", "engine", "fabric", "fever",
    "forest", "galaxy", "garden", "ginger", "glory", "hammer", "harbor", "hello", "hockey", "icon", "island",
    "jacket", "jungle", "kangaroo", "ladder", "legend", "lizard", "magnet", "maple", "meadow", "noble",
    "ocean", "olive", "orbit", "panda", "pepper", "planet", "puzzle", "quantum", "rabbit", "ribbon", "river",
    "sadness", "satoshi", "shadow", "silver", "spider", "sunset", "tiger", "timber", "tunnel", "umbrella",
    "velvet", "violin", "walnut", "window", "wolf", "zebra",
];

/// Gives every kind of sentence.
pub fn kinds() -> Vec<Kind> {
    let passwords = PASSWORDS.iter().map(|&(kind, sentences)| -> Kind {
        (
            kind,
            Box::new(move |generator| {
                let password = password(generator);
                generator.pick(sentences).replacen('*', &password, 2)
            }),
        )
    });
    let codes = CODES.iter().map(|&(kind, template, sentences)| -> Kind {
        (
            kind,
            Box::new(move |generator| {
                let code = generator.fill(template);
                generator.pick(sentences).replace('*', &code)
            }),
        )
    });
    let others: [Kind; 6] = [
        ("card number", Box::new(card)),
        ("iban", Box::new(iban)),
        ("seed phrase", Box::new(seed_phrase)),
        ("brazilian cpf", Box::new(cpf)),
        ("spanish dni", Box::new(dni)),
        ("chinese identity number", Box::new(chinese)),
    ];
    passwords.chain(codes).chain(others).collect()
}

/// Passwords as people choose them.
fn password(generator: &mut Generator) -> String {
    const WORDS: &[&str] = &[
        "sunflower",
        "Tiger",
        "lisbon",
        "Rainbow",
        "sommer",
        "futbol",
        "dragon",
        "Chocolate",
    ];
    let word = generator.pick(WORDS);
    let template = generator.pick(&["{D2}", "{D4}!", "-{a5}{D1}", "#{D3}", "{D1}{A8}"]);
    format!("{word}{}", generator.fill(template))
}

fn card(generator: &mut Generator) -> String {
    const SENTENCES: &[&str] = &[
        "my card is *",
        "*",
        "card number: * exp 12/29",
        "Visa *",
        "please use * for the booking",
        "meine Kreditkarte: *",
        "mi tarjeta es *",
        "信用卡号 *",
    ];
    let prefix = generator.pick(&["4", "51", "55", "2221", "34", "37", "6011", "65", "3530", "62"]);
    let length = if prefix.starts_with("34") || prefix.starts_with("37") {
        15
    } else {
        16
    };
    let body = format!(
        "{prefix}{}",
        generator.of("0123456789", length - 1 - prefix.len())
    );
    let digits: Vec<u32> = body.chars().filter_map(|c| c.to_digit(10)).collect();
    let double = |(place, digit): (usize, &u32)| match place % 2 {
        0 => digit * 2 / 10 + digit * 2 % 10,
        _ => *digit,
    };
    let sum: u32 = digits.iter().rev().enumerate().map(double).sum();
    let number = format!("{body}{}", (10 - sum % 10) % 10);
    let written = match (generator.below(3), length) {
        (0, _) => number,
        (1, 16) => [&number[..4], &number[4..8], &number[8..12], &number[12..]].join(" "),
        (_, 16) => [&number[..4], &number[4..8], &number[8..12], &number[12..]].join("-"),
        _ => [&number[..4], &number[4..10], &number[10..]].join(" "),
    };
    generator.pick(SENTENCES).replace('*', &written)
}

fn iban(generator: &mut Generator) -> String {
    const SENTENCES: &[&str] = &["IBAN *", "pay to *", "meine IBAN ist *", "*", "mon IBAN : *"];
    let body = generator.fill("37040044{D10}");
    let remainder = format!("{body}131400")
        .bytes()
        .fold(0, |sum, b| (sum * 10 + u32::from(b - b'0')) % 97);
    let number = format!("DE{:02}{body}", 98 - remainder);
    let groups: Vec<String> = number
        .as_bytes()
        .chunks(4)
        .map(|group| String::from_utf8_lossy(group).into_owned())
        .collect();
    let written = if generator.below(2) == 0 {
        number
    } else {
        groups.join(" ")
    };
    generator.pick(SENTENCES).replace('*', &written)
}

fn seed_phrase(generator: &mut Generator) -> String {
    let count = [12, 15, 18, 24][generator.below(4)];
    let words: Vec<&str> = (0..count).map(|_| generator.pick(SEED_WORDS)).collect();
    let sentence = generator.pick(&[
        "*",
        "my seed phrase is: *",
        "Recovery phrase: *",
        "wallet backup\n*",
    ]);
    let joined = if generator.below(4) == 0 {
        words.join(", ")
    } else {
        words.join(" ")
    };
    sentence.replace('*', &joined)
}

fn cpf(generator: &mut Generator) -> String {
    let mut digits: Vec<u32> = (0..9).map(|_| generator.below(10) as u32).collect();
    digits[0] = 1;
    digits[1] = 2;
    for count in [9, 10] {
        let sum: u32 = digits
            .iter()
            .enumerate()
            .map(|(place, digit)| digit * (count as u32 + 1 - place as u32))
            .sum();
        digits.push(sum * 10 % 11 % 10);
    }
    let text: String = digits.iter().map(u32::to_string).collect();
    format!(
        "meu CPF é {}.{}.{}-{}",
        &text[..3],
        &text[3..6],
        &text[6..9],
        &text[9..]
    )
}

fn dni(generator: &mut Generator) -> String {
    let number = 10_000_000 + generator.below(80_000_000);
    let letter = "TRWAGMYFPDXBNJZSQVHLCKE".as_bytes()[number % 23] as char;
    generator
        .pick(&["mi DNI es *", "DNI: *", "*"])
        .replace('*', &format!("{number}{letter}"))
}

fn chinese(generator: &mut Generator) -> String {
    const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
    let body = generator.fill("11010519900101{D3}");
    let sum: u32 = body
        .bytes()
        .zip(WEIGHTS)
        .map(|(b, weight)| u32::from(b - b'0') * weight)
        .sum();
    let check = "10X98765432".as_bytes()[(sum % 11) as usize] as char;
    generator
        .pick(&["身份证 *", "我的身份证号是*", "*"])
        .replace('*', &format!("{body}{check}"))
}
