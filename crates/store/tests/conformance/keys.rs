//! The keyring: digests of keys, and what their holders may do.

use recalld_memory::id::{Namespace, UserId};
use recalld_memory::ports::{KeyKind, KeyRecord, KeyScopes, StoreError};
use recalld_testing::memory_changes::{apply, at, remember, space};

use crate::fresh_store::Fresh;

/// A key of a service, created `number` seconds after the test began.
fn key(number: u8) -> KeyRecord {
    KeyRecord {
        id: format!("key{number}"),
        digest: [number; 32],
        kind: KeyKind::Service,
        namespace: None,
        name: None,
        created_at: at(number.into()),
        last_used_at: None,
        revoked_at: None,
        scopes: KeyScopes::default(),
        expires_at: None,
    }
}

async fn put(fresh: &Fresh, keys: &[KeyRecord]) {
    for key in keys {
        fresh.keyring.put_key(key).await.unwrap();
    }
}

async fn find(fresh: &Fresh, number: u8) -> KeyRecord {
    let found = fresh.keyring.key(&[number; 32]).await.unwrap();
    found.unwrap_or_else(|| panic!("key {number} is there"))
}

pub(crate) async fn they_read_back_exactly_the_oldest_first(fresh: &Fresh) {
    assert_eq!(fresh.keyring.keys().await.unwrap(), []);
    let of_user = KeyRecord {
        kind: KeyKind::User {
            user: UserId::new("安娜 o'Neil").unwrap(),
        },
        namespace: Some(Namespace::new("acme").unwrap()),
        name: Some("Ana's phone".to_owned()),
        last_used_at: Some(at(50)),
        revoked_at: Some(at(60)),
        expires_at: Some(at(70)),
        scopes: KeyScopes::parse(["read", "tools:storage"]).unwrap(),
        ..key(2)
    };
    let admin = KeyRecord {
        kind: KeyKind::Admin,
        ..key(1)
    };
    let twin = KeyRecord {
        created_at: at(2),
        ..key(3)
    };
    put(fresh, &[twin.clone(), of_user.clone(), key(9), admin.clone()]).await;
    let all = [admin, of_user, twin, key(9)];
    assert_eq!(fresh.keyring.keys().await.unwrap(), all);
    for key in all {
        let found = fresh.keyring.key(&key.digest).await.unwrap();
        assert_eq!(found, Some(key));
    }
    assert_eq!(fresh.keyring.key(&[0; 32]).await.unwrap(), None);
    assert_eq!(fresh.administration.spaces(None, 9).await.unwrap(), []);
}

pub(crate) async fn a_digest_or_id_is_taken_once(fresh: &Fresh) {
    put(fresh, &[key(1)]).await;
    let same_digest = KeyRecord {
        digest: [1; 32],
        ..key(2)
    };
    let same_id = KeyRecord {
        id: "key1".to_owned(),
        ..key(2)
    };
    for taken in [same_digest, same_id, key(1)] {
        let refused = fresh.keyring.put_key(&taken).await;
        assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    }
    assert_eq!(fresh.keyring.keys().await.unwrap(), [key(1)]);
    // What was refused leaves nothing behind that others could stumble over.
    apply(&*fresh.store, &space("ana"), &[remember(1, "likes tea")]).await;
}

pub(crate) async fn a_key_is_revoked_once(fresh: &Fresh) {
    put(fresh, &[key(1), key(2)]).await;
    let revoke = async |id: &str, seconds| fresh.keyring.revoke_key(id, at(seconds)).await.unwrap();
    assert!(revoke("key1", 20).await);
    assert!(!revoke("key1", 30).await);
    assert!(!revoke("key_", 20).await);
    assert_eq!(
        find(fresh, 1).await.revoked_at,
        Some(at(20)),
        "the first time stands"
    );
    assert_eq!(find(fresh, 2).await, key(2));
}

pub(crate) async fn the_latest_use_counts(fresh: &Fresh) {
    put(fresh, &[key(1), key(2)]).await;
    for seconds in [20, 40, 30] {
        fresh.keyring.key_used("key1", at(seconds)).await.unwrap();
    }
    fresh.keyring.key_used("unknown", at(50)).await.unwrap();
    assert_eq!(find(fresh, 1).await.last_used_at, Some(at(40)));
    assert_eq!(find(fresh, 2).await.last_used_at, None);
    assert_eq!(fresh.keyring.keys().await.unwrap().len(), 2);
}

pub(crate) async fn a_key_expires_at_the_earliest_time_given(fresh: &Fresh) {
    put(fresh, &[key(1), key(2)]).await;
    let expire = async |id: &str, seconds| fresh.keyring.expire_key(id, at(seconds)).await.unwrap();
    for seconds in [40, 30, 50] {
        assert!(expire("key1", seconds).await);
    }
    assert!(!expire("key_", 20).await);
    assert_eq!(find(fresh, 1).await.expires_at, Some(at(30)));
    assert_eq!(find(fresh, 2).await, key(2));
    fresh.keyring.revoke_key("key1", at(20)).await.unwrap();
    assert!(!expire("key1", 10).await, "it is gone already");
}
