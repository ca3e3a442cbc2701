// The version of this package.
//
// Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.

export const VERSION = '0.2.0';
