//! Which stored conversation goes on, when the caller sends it whole and gives it no name.
//!
//! How it began is not enough: many begin with "hi". The stored one must end with what the caller
//! says was said last; whatever fits none begins a conversation of its own.

use jiff::Timestamp;
use recalld_memory::conversation::{Message, Role};
use recalld_memory::id::ConversationId;
use recalld_memory::ports::chat::Turn;
use recalld_memory::ports::{MessagePage, StoreError};
use recalld_memory::render::one_line;
use recalld_memory::scope::Scope;
use recalld_memory::screening::secrets;
use recalld_memory::space::SpaceView;
use recalld_memory::wiring::Ports;
use sha2::{Digest, Sha256};

/// How many conversations that began alike are looked at, the last touched first.
const CANDIDATES_MAX: usize = 8;

/// What a caller's turns come to: what the user said, and what was answered to each of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CallersThread {
    pub(super) said: Vec<String>,
    /// The last answer to each message of the user; none while it is being looked for.
    answers: Vec<Option<String>>,
    /// Whether tools were called for what the user says now.
    is_under_way: bool,
}

impl CallersThread {
    /// Reads turns. Traffic with tools is no answer.
    pub(super) fn of(turns: &[Turn]) -> CallersThread {
        let mut thread = CallersThread::default();
        for turn in turns {
            match turn {
                Turn::User(_) => {
                    thread.said.push(turn.text());
                    thread.answers.push(None);
                    thread.is_under_way = false;
                }
                Turn::Assistant { text, calls } => {
                    thread.is_under_way |= !calls.is_empty();
                    if let Some(answer) = thread.answers.last_mut()
                        && !text.trim().is_empty()
                    {
                        *answer = Some(text.clone());
                    }
                }
                Turn::Tool { .. } => thread.is_under_way = true,
                _ => {}
            }
        }
        thread
    }

    /// Tells whether nothing was answered before what the user says now.
    pub(super) fn opens(&self) -> bool {
        self.before().is_none()
    }

    /// What was said and answered before what the user says now.
    fn before(&self) -> Option<(&str, &str)> {
        let at = self.said.len().checked_sub(2)?;
        Some((&self.said[at], self.answers[at].as_deref()?))
    }

    /// How the ids of conversations begin that began like this one.
    fn prefix(&self, scope: &Scope) -> String {
        let first = self.said.first().map_or("", String::as_str);
        format!("openai:{}", digest(&[scope.space().as_str(), first]))
    }

    /// A name for it that no other conversation has.
    pub(super) fn fresh_name(&self, ports: &Ports, scope: &Scope) -> ConversationId {
        let name = format!("{}:{}", self.prefix(scope), scope.fresh_name(&*ports.ids));
        ConversationId::new(name).expect("digits, colons and a uuid are a valid id")
    }

    /// Lists the conversations that may be this one; none if it opens, unless tools were called for
    /// its first message.
    pub(super) fn candidates(&self, view: &SpaceView, scope: &Scope) -> Vec<ConversationId> {
        if self.opens() && !self.is_under_way {
            return Vec::new();
        }
        let prefix = self.prefix(scope);
        let mut alike: Vec<(Timestamp, &ConversationId)> = view
            .conversations()
            .filter(|conversation| conversation.id.as_str().starts_with(&prefix))
            .map(|conversation| (conversation.touched_at, &conversation.id))
            .collect();
        alike.sort_unstable_by(|a, b| b.cmp(a));
        alike
            .into_iter()
            .take(CANDIDATES_MAX)
            .map(|(_, id)| id.clone())
            .collect()
    }

    /// Finds the one among `candidates` that goes on here.
    pub(super) async fn found(
        &self,
        ports: &Ports,
        scope: &Scope,
        candidates: Vec<ConversationId>,
    ) -> Result<Option<ConversationId>, StoreError> {
        let page = MessagePage {
            before: None,
            limit: 4,
        };
        for candidate in candidates {
            let kept = ports.store.messages(scope.space(), &candidate, &page).await?;
            if self.goes_on(&kept) {
                return Ok(Some(candidate));
            }
        }
        Ok(None)
    }

    /// Returns whether `kept`, the last messages of a conversation, is what this one goes on from.
    /// The message itself may be stored already, answered or not, because it is sent again.
    fn goes_on(&self, kept: &[Message]) -> bool {
        let is = |message: &Message, role: Role, text: &str| {
            // Messages are stored without the secrets in them.
            message.role == role && one_line(message.content.as_str()) == one_line(&secrets::redact(text))
        };
        let now = self.said.last().map_or("", String::as_str);
        let Some((said, answered)) = self.before() else {
            return self.is_under_way && matches!(kept, [user] if is(user, Role::User, now));
        };
        let ends_so = |kept: &[Message]| match kept {
            [.., user, reply] => is(user, Role::User, said) && is(reply, Role::Assistant, answered),
            _ => false,
        };
        let again = match kept {
            [before @ .., user] if is(user, Role::User, now) => ends_so(before),
            [before @ .., user, reply] if is(user, Role::User, now) && reply.role == Role::Assistant => {
                ends_so(before)
            }
            _ => false,
        };
        ends_so(kept) || again
    }
}

/// A short name of a list of texts.
pub(super) fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let digest: [u8; 32] = hash.finalize().into();
    digest[..12].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use recalld_memory::conversation::MessageText;
    use recalld_memory::id::MessageId;

    use super::*;

    fn thread(texts: &[&str]) -> CallersThread {
        let turn = |(at, text): (usize, &&str)| match at % 2 {
            0 => Turn::user(*text),
            _ => Turn::assistant(*text),
        };
        CallersThread::of(&texts.iter().enumerate().map(turn).collect::<Vec<_>>())
    }

    fn kept(texts: &[&str]) -> Vec<Message> {
        let message = |(at, text): (usize, &&str)| Message {
            conversation: ConversationId::new("c").unwrap(),
            id: MessageId::new(format!("m{at}")).unwrap(),
            seq: at as u64,
            role: if at % 2 == 0 { Role::User } else { Role::Assistant },
            content: MessageText::new((*text).to_owned()).unwrap(),
            sender: None,
            at: Timestamp::UNIX_EPOCH,
            metadata: None,
        };
        texts.iter().enumerate().map(message).collect()
    }

    #[test]
    fn a_conversation_goes_on_from_where_it_ended() {
        let now = thread(&["hi", "Hello!", "and my dog?"]);
        for (before, goes_on) in [
            (&["hi", "Hello!"][..], true),
            (&["hi", "Hello!", "and my dog?", "Rex."], true),
            (&["hi", "Hello!", "and my dog?"], true),
            (&["hi", "Hello!", "and my cat?", "Tom."], false),
            (&["hi", "Hey there."], false),
            (&["hello", "Hello!"], false),
            (&[], false),
        ] {
            assert_eq!(now.goes_on(&kept(before)), goes_on, "{before:?}");
        }
    }

    #[test]
    fn tool_traffic_is_no_answer() {
        let turns = [
            Turn::System("Be brief.".to_owned()),
            Turn::user("hi"),
            Turn::Assistant {
                text: "Let me look.".to_owned(),
                calls: Vec::new(),
            },
            Turn::Tool {
                call: "c".to_owned(),
                name: "t".to_owned(),
                text: "x".to_owned(),
                failed: false,
            },
        ];
        assert!(
            CallersThread::of(&turns).opens(),
            "the first message is still being answered"
        );
        let later = [&turns[..], &[Turn::assistant("It rains."), Turn::user("thanks")]].concat();
        assert_eq!(CallersThread::of(&later).before(), Some(("hi", "It rains.")));
        assert!(thread(&["hi"]).opens() && thread(&[]).opens());
    }
}
