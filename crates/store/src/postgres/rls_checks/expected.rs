//! What the walls look like when nobody has touched them.

/// The roles that transactions take on.
pub(super) const ROLES: [&str; 6] = [
    "recalld_user",
    "recalld_shared",
    "recalld_upkeep",
    "recalld_gate",
    "recalld_reader",
    "recalld_revisions",
];

/// The tables that are keyed by space.
pub(super) const TABLES_OF_SPACES: [&str; 12] = [
    "spaces",
    "events",
    "memories",
    "memory_versions",
    "entities",
    "mentions",
    "records",
    "conversations",
    "messages",
    "documents",
    "chunks",
    "vectors",
];

/// A policy, as the schema makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy {
    pub(super) name: &'static str,
    pub(super) command: &'static str,
    pub(super) roles: &'static [&'static str],
    pub(super) using: &'static str,
    pub(super) check: Option<&'static str>,
}

impl Policy {
    /// Gives the statements that put it back.
    pub(super) fn restored(&self, table: &str) -> String {
        let check = self
            .check
            .map_or_else(String::new, |check| format!(" WITH CHECK ({check})"));
        format!(
            "DROP POLICY IF EXISTS {name} ON recalld.{table}; CREATE POLICY {name} ON recalld.{table} FOR {command} \
             TO {roles} USING ({using}){check};",
            name = self.name,
            command = self.command,
            roles = self.roles.join(", "),
            using = self.using,
        )
    }
}

const OWN: &str = "space = (SELECT recalld.own_space())";
const SHARED: &str = "space = 'shared'";

/// The policies of every table that is keyed by space.
pub(super) const POLICIES_OF_SPACES: [Policy; 5] = [
    Policy {
        name: "own",
        command: "ALL",
        roles: &["recalld_reader", "recalld_user"],
        using: OWN,
        check: Some(OWN),
    },
    Policy {
        name: "shared",
        command: "ALL",
        roles: &["recalld_shared"],
        using: SHARED,
        check: Some(SHARED),
    },
    Policy {
        name: "shared_reading",
        command: "SELECT",
        roles: &["recalld_reader"],
        using: SHARED,
        check: None,
    },
    Policy {
        name: "upkeep_reading",
        command: "SELECT",
        roles: &["recalld_upkeep"],
        using: "true",
        check: None,
    },
    Policy {
        name: "upkeep_removing",
        command: "DELETE",
        roles: &["recalld_upkeep"],
        using: "true",
        check: None,
    },
];

/// What the table of spaces has besides: the revisions of the spaces that a transaction names.
pub(super) const POLICY_OF_REVISIONS: Policy = Policy {
    name: "revisions",
    command: "SELECT",
    roles: &["recalld_revisions"],
    using: "space = ANY (string_to_array(NULLIF(current_setting('recalld.spaces', true), ''), chr(10)))",
    check: None,
};

/// The policies of the keys.
pub(super) const POLICIES_OF_KEYS: [Policy; 3] = [
    Policy {
        name: "gate",
        command: "ALL",
        roles: &["recalld_gate"],
        using: "true",
        check: Some("true"),
    },
    Policy {
        name: "upkeep_reading",
        command: "SELECT",
        roles: &["recalld_upkeep"],
        using: "true",
        check: None,
    },
    Policy {
        name: "upkeep_removing",
        command: "DELETE",
        roles: &["recalld_upkeep"],
        using: "true",
        check: None,
    },
];

/// The policy of the claims, which no request of a user has to do with.
pub(super) const POLICY_OF_CLAIMS: Policy = Policy {
    name: "upkeep",
    command: "ALL",
    roles: &["recalld_upkeep"],
    using: "true",
    check: Some("true"),
};

/// The policies of the era, which everybody who begins a space has to know.
pub(super) const POLICIES_OF_ERAS: [Policy; 2] = [
    Policy {
        name: "reading",
        command: "SELECT",
        roles: &["recalld_shared", "recalld_upkeep", "recalld_user"],
        using: "true",
        check: None,
    },
    Policy {
        name: "upkeep_beginning",
        command: "UPDATE",
        roles: &["recalld_upkeep"],
        using: "true",
        check: Some("true"),
    },
];

/// A setting that must not be off.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) danger: &'static str,
    pub(super) fix: &'static str,
    /// Whether a storage below the database can do the same.
    pub(super) is_of_storage: bool,
}

/// The settings without which acknowledged does not mean kept.
pub(super) const SETTINGS: [Setting; 3] = [
    Setting {
        name: "fsync",
        danger: "a crash of the machine loses or damages what was acknowledged",
        fix: "ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();",
        is_of_storage: true,
    },
    Setting {
        name: "full_page_writes",
        danger: "a crash of the machine can damage pages for good",
        fix: "ALTER SYSTEM SET full_page_writes = on; SELECT pg_reload_conf();",
        is_of_storage: true,
    },
    Setting {
        name: "synchronous_commit",
        danger: "a crash loses what was acknowledged last",
        fix: "ALTER ROLE CURRENT_USER SET synchronous_commit = on;",
        is_of_storage: false,
    },
];
