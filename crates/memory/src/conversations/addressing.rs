//! Whose memory a message of a group chat belongs to.

use crate::id::UserId;

/// Who typed a message, and whom it mentions.
///
/// In a group chat the memory belongs to the mentioned user and not to the one who typed: "@john
/// what are my goals?" is asked of John's memory, whoever asks. A door for a chat (which has
/// verified where the message came from) makes this from the event, and opens the scope of
/// [`Addressing::owner`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Addressing {
    pub sender: UserId,
    /// In the order in which the message mentions them.
    pub mentioned: Vec<UserId>,
    /// The ids under which the assistant itself is mentioned; it has no memory of its own.
    pub assistants: Vec<UserId>,
}

impl Addressing {
    /// Names whose memory it is: the first person that is mentioned, or else the sender.
    pub fn owner(&self) -> &UserId {
        self.mentioned
            .iter()
            .find(|user| !self.assistants.contains(user))
            .unwrap_or(&self.sender)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner(mentioned: &[&str]) -> String {
        let user = |raw: &&str| UserId::new(*raw).unwrap();
        let addressing = Addressing {
            sender: user(&"alice"),
            mentioned: mentioned.iter().map(user).collect(),
            assistants: vec![user(&"bot")],
        };
        addressing.owner().to_string()
    }

    #[test]
    fn the_memory_is_that_of_the_first_person_mentioned() {
        assert_eq!(owner(&["bot", "john", "mary"]), "john");
        assert_eq!(owner(&["alice"]), "alice");
    }

    #[test]
    fn without_a_mention_it_is_that_of_the_sender() {
        assert_eq!(owner(&[]), "alice");
        assert_eq!(owner(&["bot"]), "alice");
    }
}
