//! Drops the vectors of models that are no longer in use, once the model in use has made all of its
//! own: until then whoever goes back to the other model must not pay for its vectors again.

use super::UpkeepError;
use crate::ports::Administration;
use crate::wiring::Ports;

pub(super) async fn drop_unused(
    ports: &Ports,
    administration: &dyn Administration,
    rows_max: usize,
) -> Result<usize, UpkeepError> {
    let Some(embedder) = &ports.embedder else {
        return Ok(0);
    };
    let model = embedder.model();
    let embedded = administration.embedded(model).await?;
    match embedded.kept == 0 || embedded.kept < embedded.wanted {
        true => Ok(0),
        false => Ok(administration
            .drop_vectors_but(std::slice::from_ref(model), rows_max)
            .await?),
    }
}
