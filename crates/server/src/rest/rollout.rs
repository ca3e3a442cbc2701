//! `GET /v1/admin/rollout`: how the two modes compare, with how sure that is.

use axum::extract::State;
use recalld_agent::rollout::{ArmMetrics, Interval};
use recalld_agent::wiring::AgentPorts;
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt};
use utoipa_axum::routes;

use crate::app::App;
use crate::auth::Administrator;
use crate::middleware::RouteLayers;

pub(super) fn router(layers: &RouteLayers) -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(table).layer(layers.admin()))
}

/// A figure with the interval in which it lies with 95 percent.
#[derive(Debug, Serialize, ToSchema)]
struct Figure {
    value: f64,
    low: f64,
    high: f64,
}

impl From<Interval> for Figure {
    fn from(interval: Interval) -> Figure {
        Figure {
            value: interval.value,
            low: interval.low,
            high: interval.high,
        }
    }
}

/// The figures of one group of messages; null where nothing was measured.
#[derive(Debug, Serialize, ToSchema)]
struct Arm {
    /// `task`, `conversation`, `control`, `treatment`, or `pass` for conversations that callers
    /// keep.
    arm: String,
    messages: u64,
    conversations: u64,
    /// The share of messages that call a tool.
    tool_share: Option<Figure>,
    /// How often each category was looked up.
    #[schema(value_type = Object)]
    categories: std::collections::BTreeMap<String, u64>,
    calls_per_conversation: Option<f64>,
    /// Milliseconds until the model said something.
    first_word_ms: Option<Figure>,
    tokens_in: Option<Figure>,
    tokens_out: Option<Figure>,
    /// Questions to the store before the model was asked.
    queries: Option<Figure>,
    /// The share of look-ups that were needed, of those that found something: a word of the result
    /// that the model had not seen before is in the reply.
    tool_call_accuracy: Option<Figure>,
    /// The share of look-ups that found nothing.
    miss_share: Option<Figure>,
    /// The share of replies after which the user went on.
    follow_up_share: Option<Figure>,
    fell_back: u64,
    memory_off: u64,
}

impl Arm {
    fn new(arm: String, figures: ArmMetrics) -> Arm {
        let share = |some, all| Interval::of_share(some, all).map(Figure::from);
        let per_conversation = figures.calls as f64 / figures.conversations as f64;
        Arm {
            arm,
            messages: figures.messages,
            conversations: figures.conversations,
            tool_share: share(figures.with_calls, figures.messages),
            calls_per_conversation: Some(per_conversation).filter(|calls| calls.is_finite()),
            first_word_ms: figures.first_word_ms.mean().map(Figure::from),
            tokens_in: figures.tokens_in.mean().map(Figure::from),
            tokens_out: figures.tokens_out.mean().map(Figure::from),
            queries: figures.queries.mean().map(Figure::from),
            tool_call_accuracy: share(figures.needed, figures.judged),
            miss_share: share(figures.misses, figures.look_ups),
            follow_up_share: share(figures.followed.min(figures.messages), figures.messages),
            fell_back: figures.fell_back,
            memory_off: figures.memory_off,
            categories: figures.categories,
        }
    }
}

/// What conversation mode would have done, while the rollout only watched.
#[derive(Debug, Serialize, ToSchema)]
struct ShadowBody {
    messages: u64,
    would_call_share: Option<Figure>,
    tokens_saved: Option<Figure>,
}

/// The rollout of this server since its start.
#[derive(Debug, Serialize, ToSchema)]
struct RolloutBody {
    /// `task-only`, `shadow`, `experiment` or `full`.
    phase: &'static str,
    percent: f64,
    arms: Vec<Arm>,
    shadow: ShadowBody,
}

/// Compares the modes.
#[utoipa::path(get, path = "/v1/admin/rollout", tag = "admin", responses((status = 200, body = RolloutBody)))]
async fn table(State(ports): State<AgentPorts>, _admin: Administrator) -> axum::Json<RolloutBody> {
    let rollout = ports.settings.chat.rollout;
    let shadow = ports.rollout.shadow();
    axum::Json(RolloutBody {
        phase: rollout.phase.as_str(),
        percent: rollout.percent,
        arms: ports
            .rollout
            .arms()
            .into_iter()
            .map(|(name, figures)| Arm::new(name, figures))
            .collect(),
        shadow: ShadowBody {
            messages: shadow.messages,
            would_call_share: Interval::of_share(shadow.would_call, shadow.messages).map(Figure::from),
            tokens_saved: shadow.tokens_saved.mean().map(Figure::from),
        },
    })
}
