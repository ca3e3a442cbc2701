"""What follows from the OpenAPI document.

Generated from the OpenAPI document by `cargo xtask packages generate`. Do not edit.
"""

