//! The attributes of the scheme.

/// How many values an attribute may have at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// A newer value takes the place of the older one.
    One,
    /// Values stand beside each other.
    Many,
}

/// What is said of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Attribute {
    Name,
    FormOfAddress,
    Pronouns,
    Home,
    Origin,
    TimeZone,
    Birthday,
    Age,
    Relationship,
    Email,
    Phone,
    Employer,
    Role,
    Workplace,
    Boss,
    Diet,
    Allergy,
    Health,
    NativeLanguage,
    Language,
    AnswerLanguage,
    AnswerLength,
    AnswerEmojis,
    AnswerStyle,
    Schedule,
    Habit,
    Favourite,
    Likes,
    Dislikes,
    Owns,
    Family,
    Studies,
    Learning,
    Project,
    Plan,
    Event,
    Note,
}

/// Every attribute with its name and how many values it has.
const SCHEME: [(Attribute, &str, Values); 37] = {
    use Attribute::*;
    use Values::{Many, One};
    [
        (Name, "name", One),
        (FormOfAddress, "form_of_address", One),
        (Pronouns, "pronouns", One),
        (Home, "home", One),
        (Origin, "origin", One),
        (TimeZone, "timezone", One),
        (Birthday, "birthday", One),
        (Age, "age", One),
        (Relationship, "relationship", One),
        (Email, "email", One),
        (Phone, "phone", One),
        (Employer, "employer", One),
        (Role, "role", One),
        (Workplace, "workplace", One),
        (Boss, "boss", One),
        (Diet, "diet", One),
        (Allergy, "allergy", Many),
        (Health, "health", Many),
        (NativeLanguage, "native_language", One),
        (Language, "language", Many),
        (AnswerLanguage, "answer_language", One),
        (AnswerLength, "answer_length", One),
        (AnswerEmojis, "answer_emojis", One),
        (AnswerStyle, "answer_style", Many),
        (Schedule, "schedule", Many),
        (Habit, "habit", Many),
        (Favourite, "favourite", Many),
        (Likes, "likes", Many),
        (Dislikes, "dislikes", Many),
        (Owns, "owns", Many),
        (Family, "family", Many),
        (Studies, "studies", One),
        (Learning, "learning", Many),
        (Project, "project", Many),
        (Plan, "plan", Many),
        (Event, "event", Many),
        (Note, "note", Many),
    ]
};

/// Other names under which the attributes are known to models and to older memories.
const ALIASES: [(&str, Attribute); 30] = [
    ("location", Attribute::Home),
    ("city", Attribute::Home),
    ("address", Attribute::Home),
    ("residence", Attribute::Home),
    ("lives_in", Attribute::Home),
    ("current_city", Attribute::Home),
    ("home_city", Attribute::Home),
    ("hometown", Attribute::Origin),
    ("nationality", Attribute::Origin),
    ("full_name", Attribute::Name),
    ("first_name", Attribute::Name),
    ("nickname", Attribute::FormOfAddress),
    ("preferred_name", Attribute::FormOfAddress),
    ("company", Attribute::Employer),
    ("workplace_name", Attribute::Employer),
    ("works_at", Attribute::Employer),
    ("job", Attribute::Role),
    ("job_title", Attribute::Role),
    ("occupation", Attribute::Role),
    ("profession", Attribute::Role),
    ("title", Attribute::Role),
    ("manager", Attribute::Boss),
    ("time_zone", Attribute::TimeZone),
    ("date_of_birth", Attribute::Birthday),
    ("phone_number", Attribute::Phone),
    ("email_address", Attribute::Email),
    ("e_mail", Attribute::Email),
    ("mother_tongue", Attribute::NativeLanguage),
    ("first_language", Attribute::NativeLanguage),
    ("marital_status", Attribute::Relationship),
];

impl Attribute {
    /// Lists all attributes.
    pub fn all() -> impl Iterator<Item = Attribute> {
        SCHEME.into_iter().map(|(attribute, _, _)| attribute)
    }

    /// Gives its name.
    pub fn as_str(self) -> &'static str {
        self.line().1
    }

    /// Tells how many values it may have at a time.
    pub fn values(self) -> Values {
        self.line().2
    }

    /// Whether a day that a statement about it names is the one on which it began: *moved to Porto
    /// in May*, but not *birthday in May*.
    pub fn begins_on_a_day(self) -> bool {
        use Attribute::*;
        matches!(
            self,
            Home | Relationship | Email | Phone | Employer | Role | Workplace | Boss | Diet | Studies
        )
    }

    /// Reads its name.
    pub fn parse(name: &str) -> Option<Attribute> {
        Attribute::all().find(|attribute| attribute.as_str() == name)
    }

    /// Reads its name, or another one under which it is known.
    /// Tells whether it is true of a person whatever they work on.
    pub fn is_of_person(self) -> bool {
        use Attribute::{Event, Note, Plan, Project, Schedule};
        !matches!(self, Project | Plan | Event | Note | Schedule)
    }

    pub(super) fn of_key(key: &str) -> Option<Attribute> {
        let alias = || ALIASES.iter().find(|(alias, _)| *alias == key);
        Attribute::parse(key).or_else(|| alias().map(|(_, attribute)| *attribute))
    }

    fn line(self) -> (Attribute, &'static str, Values) {
        // The scheme lists the attributes in their order; a test says so.
        SCHEME[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scheme_lists_the_attributes_in_their_order() {
        for (at, (attribute, name, _)) in SCHEME.into_iter().enumerate() {
            assert_eq!(attribute as usize, at, "{name}");
            assert_eq!(Attribute::parse(name), Some(attribute));
        }
    }
}
