//! A stand-in for the APIs of platforms.

pub use recalld_testing::platform_api::StandIn;
