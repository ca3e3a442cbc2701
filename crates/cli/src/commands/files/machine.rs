//! The identity of this machine.

/// Returns a name for this machine, or an empty string if it has none. Two machines with the same
/// name are not distinguished.
pub(super) fn machine_name() -> String {
    let files = ["/etc/machine-id", "/proc/sys/kernel/hostname", "/etc/hostname"];
    let named = files.iter().find_map(|path| {
        let name = std::fs::read_to_string(path).ok()?.trim().to_owned();
        (!name.is_empty()).then_some(name)
    });
    named
        .or_else(|| std::env::var("COMPUTERNAME").ok())
        .unwrap_or_default()
}
