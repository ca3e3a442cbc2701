//! The schema as the migrations leave it.

/// The role that owns the schema.
pub(super) const OWNER: &str = "recalld_owner";

/// The roles that transactions switch to.
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

/// A policy, as the migrations create it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy {
    pub(super) name: &'static str,
    pub(super) command: &'static str,
    pub(super) roles: &'static [&'static str],
    pub(super) using: &'static str,
    pub(super) check: Option<&'static str>,
}

impl Policy {
    /// Returns the statements that restore it.
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

const OWN: &str = "space = recalld.own_space()";
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

/// The further policy of the table of spaces: the revisions of the spaces that a transaction names.
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

/// The policy of the claims, which no request of a user uses.
pub(super) const POLICY_OF_CLAIMS: Policy = Policy {
    name: "upkeep",
    command: "ALL",
    roles: &["recalld_upkeep"],
    using: "true",
    check: Some("true"),
};

/// The policies of the era, which every first write to a space reads.
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

/// Returns every table that has policies, with those that it must have.
pub(super) fn known_tables() -> Vec<(&'static str, Vec<Policy>)> {
    let of_space = |name: &&'static str| match *name {
        "spaces" => (*name, [&POLICIES_OF_SPACES[..], &[POLICY_OF_REVISIONS]].concat()),
        name => (name, POLICIES_OF_SPACES.to_vec()),
    };
    let mut known: Vec<_> = TABLES_OF_SPACES.iter().map(of_space).collect();
    known.push(("keys", POLICIES_OF_KEYS.to_vec()));
    known.push(("eras", POLICIES_OF_ERAS.to_vec()));
    known.push(("claims", vec![POLICY_OF_CLAIMS]));
    known
}

/// The views that other clients read.
pub(super) const VIEWS: [&str; 11] = [
    "agent_chats",
    "agent_conversations",
    "agent_memories",
    "agent_messages",
    "agent_working_memory",
    "knowledge_chunks",
    "langchain_conversations",
    "memory_documents",
    "memory_extraction_runs",
    "memory_facts",
    "user_context",
];

/// The functions and procedures, with the number of their arguments.
pub(super) const ROUTINES: [&str; 10] = [
    "as_jsonb/1",
    "fact/6",
    "iso/1",
    "match_knowledge/3",
    "match_memories/4",
    "moment/1",
    "now/0",
    "own_space/0",
    "user_of/1",
    "wall/1",
];

/// Returns the names of all tables.
pub(super) fn table_names() -> Vec<&'static str> {
    let mut names: Vec<&str> = known_tables().into_iter().map(|(name, _)| name).collect();
    names.push("migrations");
    names
}

/// A setting that must not have one value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    pub(super) unsafe_value: &'static str,
    pub(super) danger: &'static str,
    pub(super) fix: &'static str,
    /// Whether a storage below the database can guarantee the same.
    pub(super) is_of_storage: bool,
}

/// The settings without which acknowledged does not mean stored, or a policy does not apply.
pub(super) const SETTINGS: [Setting; 5] = [
    Setting {
        name: "fsync",
        unsafe_value: "off",
        danger: "a crash of the machine loses or damages what was acknowledged",
        fix: "ALTER SYSTEM SET fsync = on; SELECT pg_reload_conf();",
        is_of_storage: true,
    },
    Setting {
        name: "full_page_writes",
        unsafe_value: "off",
        danger: "a crash of the machine can damage pages for good",
        fix: "ALTER SYSTEM SET full_page_writes = on; SELECT pg_reload_conf();",
        is_of_storage: true,
    },
    Setting {
        name: "synchronous_commit",
        unsafe_value: "off",
        danger: "a crash loses what was acknowledged last",
        fix: "ALTER ROLE CURRENT_USER SET synchronous_commit = on;",
        is_of_storage: false,
    },
    Setting {
        name: "row_security",
        unsafe_value: "off",
        danger: "every statement that a policy applies to fails",
        fix: "ALTER ROLE CURRENT_USER SET row_security = on;",
        is_of_storage: false,
    },
    Setting {
        name: "session_replication_role",
        unsafe_value: "replica",
        danger: "erasing something leaves what refers to it",
        fix: "ALTER ROLE CURRENT_USER RESET session_replication_role;",
        is_of_storage: false,
    },
];
