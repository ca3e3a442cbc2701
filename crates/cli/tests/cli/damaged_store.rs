//! What is said when a store is damaged, or a file is not the backup that it was taken for.

use std::fs;
use std::io::{Seek, SeekFrom, Write};

use expect_test::expect;

use crate::sandbox::Sandbox;

#[test]
fn an_archive_is_told_from_a_backup() {
    let sandbox = Sandbox::new();
    sandbox.run(&["add", "likes tea"]);
    sandbox.run(&["export", "ana.zip"]);
    fs::write(sandbox.home().join("text.db"), "no database").unwrap();
    sandbox.check(
        &[
            "restore ./ana.zip --data r3",
            "restore ana.zip --data r3",
            "restore text.db --data r4",
        ],
        expect![[r#"
            $ recalld restore ./ana.zip --data r3
            error: ./ana.zip is an archive, not a backup
            hint: import it with `recalld --data r3 import ./ana.zip`
            [2]
            $ recalld restore ana.zip --data r3
            error: ana.zip is an archive, not a backup
            hint: import it with `recalld --data r3 import ana.zip`
            [2]
            $ recalld restore text.db --data r4
            error: text.db is not a database of recalld
            hint: nothing was changed; `recalld --data r4 backup` creates backups
            [2]
        "#]],
    );
    assert!(!sandbox.home().join("r3").exists());
    assert_eq!(
        sandbox.run(&["import", "./ana.zip", "--data", "r3"]).code,
        Some(0)
    );
}

#[test]
fn a_damaged_store_is_to_be_replaced_by_a_backup() {
    let sandbox = Sandbox::new();
    let lines = (0..40).map(|number| format!("statement number {number} {}\n", "x".repeat(1000)));
    fs::write(sandbox.home().join("many.txt"), lines.collect::<String>()).unwrap();
    sandbox.run(&["import", "many.txt"]);
    sandbox.run(&["backup", "good.db"]);
    let mut file = fs::File::options()
        .write(true)
        .open(sandbox.data().join("recalld.db"))
        .unwrap();
    let bytes = file.metadata().unwrap().len();
    file.seek(SeekFrom::Start(bytes / 2)).unwrap();
    file.write_all(&[0xAA; 16 * 1024]).unwrap();
    drop(file);
    let doctor = sandbox.run(&["doctor"]);
    assert_eq!(doctor.code, Some(1), "{doctor:?}");
    assert!(!doctor.out.contains("recalld doctor"), "{doctor:?}");
    assert!(
        doctor
            .out
            .contains("restore the latest backup: `recalld restore FILE --replace`"),
        "{doctor:?}"
    );
    let restored = sandbox.run(&["restore", "good.db", "--replace"]);
    assert_eq!(restored.code, Some(0), "{restored:?}");
    assert_eq!(sandbox.run(&["doctor"]).code, Some(0));
}
