//! One numeric kernel, compiled for plain and for wide processors, picked when it runs.

/// Defines `$name`, which runs `$body::<true>` where the processor has AVX2 and fused multiply-add
/// and `$body` in plain form elsewhere. The bodies are ordinary safe loops that the compiler
/// widens.
macro_rules! widest {
    ($(#[$doc:meta])* $visibility:vis fn $name:ident($($argument:ident: $type:ty),* $(,)?) = $body:ident) => {
        $(#[$doc])*
        $visibility fn $name($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,fma")]
                fn wide($($argument: $type),*) {
                    $body::<true>($($argument),*);
                }
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                    #[expect(unsafe_code, reason = "the features that `wide` needs were just detected")]
                    return unsafe { wide($($argument),*) };
                }
            }
            $body::<{ cfg!(target_arch = "aarch64") }>($($argument),*);
        }
    };
}
pub(crate) use widest;
