//! The demo shows every step and leaves nothing behind.

use crate::sandbox::Sandbox;

#[test]
fn the_demo_runs_to_its_end_and_leaves_nothing_behind() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.command(&["demo"]);
    // Settings of the user that would lead the demo astray.
    command
        .env("TMPDIR", sandbox.home())
        .env("RECALLD_USER", "ana")
        .env("DATABASE_URL", "postgres://nowhere.invalid/x");
    let run = crate::sandbox::finish(command);
    assert_eq!(run.code, Some(0), "{run:?}");
    for part in [
        "Erdnüsse",
        "landscape studio",
        "birthday dinner",
        "My password",
        "/#signin=",
        "are gone",
    ] {
        assert!(run.out.contains(part), "{part:?} in {}", run.out);
    }
    assert_eq!(std::fs::read_dir(sandbox.home()).unwrap().count(), 0);
}
