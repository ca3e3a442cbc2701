//! The ports of the engine together with what only chat and extraction need.

use std::sync::Arc;

use recalld_memory::ports::ChatModels;
use recalld_memory::wiring::Ports;

use crate::learning_metrics::LearningMetrics;
use crate::rollout::RolloutMetrics;
use crate::settings::AgentSettings;
use crate::task_queue::TaskSignal;

/// What chat, extraction and daily runs work with. Clones share everything.
#[derive(Clone, Debug)]
pub struct AgentPorts {
    pub memory: Ports,
    /// None: there is no chat, and facts are found by rules.
    pub models: Option<Arc<ChatModels>>,
    pub settings: Arc<AgentSettings>,
    /// Reminds of work that was promised with a write.
    pub task_signal: Arc<TaskSignal>,
    /// What the rollout of conversation mode is judged by.
    pub rollout: Arc<RolloutMetrics>,
    /// What was learned from what users said.
    pub learning: Arc<LearningMetrics>,
}

impl AgentPorts {
    /// Adds chat and extraction to the engine, without a model.
    pub fn new(memory: Ports, settings: AgentSettings) -> AgentPorts {
        AgentPorts {
            memory,
            models: None,
            settings: Arc::new(settings),
            task_signal: Arc::default(),
            rollout: Arc::default(),
            learning: Arc::default(),
        }
    }

    /// Adds chat models.
    pub fn with_models(self, models: ChatModels) -> AgentPorts {
        AgentPorts {
            models: Some(Arc::new(models)),
            ..self
        }
    }
}
