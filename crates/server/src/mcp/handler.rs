//! What the protocol asks of a server, answered from one user's memory.

use std::sync::Arc;

use axum::http::request::Parts;
use recalld_agent::tools::ToolSet;
use recalld_memory::change::Actor;
use recalld_memory::id::UserId;
use recalld_memory::scope::Scope;
use recalld_memory::wiring::Ports;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestMethod, CompleteRequestParams,
    CompleteResult, GetPromptRequestParams, GetPromptResponse, Implementation, ListPromptsResult,
    ListResourceTemplatesResult, ListResourcesResult, ListToolsResult, PaginatedRequestParams,
    ReadResourceRequestParams, ReadResourceResponse, ServerCapabilities, ServerConfig, SubscriptionFilter,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};

use super::failure::failed;
use super::{prompts, resources, tools};
use crate::auth::Caller;

/// What a model is told about the server as a whole.
const INSTRUCTIONS: &str = include_str!("instructions.md");

/// For how long a client may keep lists that change only with the server.
const LISTS_FRESH_MS: u64 = 60_000;

/// Answers clients. Clones share everything.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    ports: Ports,
    whose: Whose,
    tools: Arc<tools::ShownTools>,
}

/// Whose memory it is about.
#[derive(Clone, Debug)]
enum Whose {
    /// That of whoever sent the request.
    Caller,
    /// Always this user's, who started the process.
    Local(UserId),
}

impl Handler {
    /// Answers each request from the memory of its caller.
    pub(super) fn of_callers(ports: Ports, sets: &[ToolSet]) -> Handler {
        let tools = Arc::new(tools::ShownTools::new(sets, &ports.settings));
        Handler {
            ports,
            whose: Whose::Caller,
            tools,
        }
    }

    /// Answers everything from the memory of `user`.
    pub(super) fn of_user(ports: Ports, user: UserId) -> Handler {
        let tools = Arc::new(tools::ShownTools::new(&[], &ports.settings));
        Handler {
            ports,
            whose: Whose::Local(user),
            tools,
        }
    }

    /// Opens the space that the request is about. Nothing that a client writes into a message has a
    /// part in it.
    fn scope(&self, context: &RequestContext<RoleServer>) -> Result<Scope, ErrorData> {
        match &self.whose {
            Whose::Local(user) => Ok(Scope::of_user(
                user.clone(),
                Actor::new("mcp"),
                self.ports.clock.now(),
            )),
            Whose::Caller => {
                let parts = context.extensions.get::<Parts>();
                let caller = parts.and_then(|parts| parts.extensions.get::<Caller>());
                let scope = caller.and_then(|caller| caller.scope().ok());
                scope.ok_or_else(|| ErrorData::invalid_request("the request has no authenticated user", None))
            }
        }
    }
}

impl ServerHandler for Handler {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder()
            .enable_tools()
            .enable_resources()
            .enable_prompts()
            .build();
        let server = Implementation::new("recalld", env!("CARGO_PKG_VERSION"))
            .with_title("recalld")
            .with_description("The memory server for LLM agents.");
        ServerConfig::new(capabilities)
            .with_server_info(server)
            .with_instructions(INSTRUCTIONS.trim())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request)?;
        let tools = ListToolsResult::with_all_items(self.tools.list());
        Ok(tools
            .with_ttl_ms(LISTS_FRESH_MS)
            .with_cache_scope(CacheScope::Private))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let scope = self.scope(&context)?;
        let result = self
            .tools
            .call(&self.ports, &scope, &request.name, request.arguments)
            .await?;
        Ok(result.into())
    }

    async fn list_resources(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        one_page(request)?;
        let listed = resources::list(&self.ports, &self.scope(&context)?)
            .await
            .map_err(|error| failed(&error))?;
        Ok(ListResourcesResult::with_all_items(listed))
    }

    async fn list_resource_templates(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        one_page(request)?;
        Ok(ListResourceTemplatesResult::with_all_items(resources::templates()).with_ttl_ms(LISTS_FRESH_MS))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let scope = self.scope(&context)?;
        let read = resources::read(&self.ports, &scope, &request.uri)
            .await
            .map_err(|error| failed(&error))?;
        let unknown = || {
            let data = serde_json::json!({ "uri": request.uri });
            ErrorData::resource_not_found("there is no such resource", Some(data))
        };
        Ok(read.ok_or_else(unknown)?.into())
    }

    async fn list_prompts(
        &self,
        request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        one_page(request)?;
        Ok(ListPromptsResult::with_all_items(prompts::list()).with_ttl_ms(LISTS_FRESH_MS))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let scope = self.scope(&context)?;
        let prompt = prompts::get(&self.ports, &scope, &request.name, request.arguments.as_ref()).await?;
        Ok(prompt.into())
    }

    // The SDK would answer this one with an empty list, though it is not among the capabilities.
    async fn complete(
        &self,
        _request: CompleteRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        Err(ErrorData::method_not_found::<CompleteRequestMethod>())
    }

    // Nothing is ever announced, but clients listen all the same, and take a refusal for a fault.
    fn accepted_subscription_filter(&self, _requested: &SubscriptionFilter) -> Option<SubscriptionFilter> {
        Some(SubscriptionFilter::new())
    }
}

/// Refuses a cursor: every list is one page, and none was given out.
fn one_page(request: Option<PaginatedRequestParams>) -> Result<(), ErrorData> {
    match request.and_then(|request| request.cursor) {
        None => Ok(()),
        Some(_) => Err(ErrorData::invalid_params(
            "unknown cursor: the list has one page",
            None,
        )),
    }
}
