//! What the protocol asks of a server, answered from one user's memory.

use std::sync::Arc;

use axum::http::request::Parts;
use recalld_agent::tools::{Tool, ToolSet};
use recalld_memory::change::Actor;
use recalld_memory::id::UserId;
use recalld_memory::memory::Project;
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
use super::{instructions, prompts, resources, tools};
use crate::auth::{Caller, Permission};
use crate::error::ApiError;
use crate::rate_limit::WriteLimit;

/// For how long a client may keep lists that change only with the server.
const LISTS_FRESH_MS: u64 = 60_000;

/// Answers clients. Clones share everything.
#[derive(Clone, Debug)]
pub(super) struct Handler {
    ports: Ports,
    whose: Whose,
    tools: Arc<tools::ShownTools>,
    /// None: whoever started the process writes as much as they like.
    write_limit: Option<Arc<WriteLimit>>,
}

/// Who started the process, and where.
#[derive(Clone, Debug)]
pub struct LocalUser {
    pub user: UserId,
    /// The project in which everything happens.
    pub project: Option<Project>,
}

impl From<UserId> for LocalUser {
    fn from(user: UserId) -> LocalUser {
        LocalUser { user, project: None }
    }
}

/// Whose memory it is about.
#[derive(Clone, Debug)]
enum Whose {
    /// That of whoever sent the request.
    Caller,
    /// Always this user's, who started the process.
    Local(LocalUser),
}

impl Handler {
    /// Answers each request from the memory of its caller.
    pub(super) fn of_callers(ports: Ports, sets: &[ToolSet], write_limit: Arc<WriteLimit>) -> Handler {
        let tools = Arc::new(tools::ShownTools::new(sets, &ports.settings));
        Handler {
            ports,
            whose: Whose::Caller,
            tools,
            write_limit: Some(write_limit),
        }
    }

    /// Answers everything from the memory of `user`.
    pub(super) fn of_user(ports: Ports, user: LocalUser, sets: &[ToolSet]) -> Handler {
        let tools = Arc::new(tools::ShownTools::new(sets, &ports.settings));
        Handler {
            ports,
            whose: Whose::Local(user),
            tools,
            write_limit: None,
        }
    }

    /// Opens the space that the request is about. Nothing that a client writes into a message has a
    /// part in it.
    fn scope(&self, context: &RequestContext<RoleServer>) -> Result<Scope, ErrorData> {
        match &self.whose {
            Whose::Local(local) => {
                let now = self.ports.clock.now();
                let mut scope = Scope::of_user(local.user.clone(), Actor::new("mcp"), now);
                scope.project = local.project.clone();
                Ok(scope)
            }
            Whose::Caller => {
                let scope = caller(context).and_then(|caller| caller.scope().ok());
                scope.ok_or_else(|| ErrorData::invalid_request("the request has no authenticated user", None))
            }
        }
    }

    /// Tells whether the caller's key allows `tool`. Whoever started the process may all.
    fn allows(&self, context: &RequestContext<RoleServer>, tool: &Tool) -> Result<(), ApiError> {
        match (&self.whose, caller(context)) {
            (Whose::Caller, Some(caller)) => caller.require_tool(tool),
            _ => Ok(()),
        }
    }

    /// Fails unless the caller's key may read what is not a tool: resources and prompts.
    fn may_read(&self, context: &RequestContext<RoleServer>) -> Result<(), ErrorData> {
        match (&self.whose, caller(context)) {
            (Whose::Caller, Some(caller)) => {
                caller.require(Permission::Read).map_err(|error| refused(&error))
            }
            _ => Ok(()),
        }
    }
}

/// Gives whoever sent the request, if it came over HTTP.
fn caller(context: &RequestContext<RoleServer>) -> Option<&Caller> {
    let parts = context.extensions.get::<Parts>();
    parts.and_then(|parts| parts.extensions.get::<Caller>())
}

/// What the scopes of a key do not allow is an error of the client, which can ask for another key.
fn refused(error: &ApiError) -> ErrorData {
    ErrorData::invalid_request(error.detail().to_owned(), None)
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
            .with_instructions(instructions::of(&self.tools))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        one_page(request)?;
        let mut shown = self.tools.list();
        shown.retain(|shown| {
            recalld_agent::tools::find(&shown.name).is_none_or(|tool| self.allows(&context, tool).is_ok())
        });
        let tools = ListToolsResult::with_all_items(shown);
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
        if let Some(tool) = recalld_agent::tools::find(&request.name) {
            self.allows(&context, tool).map_err(|error| refused(&error))?;
            if let (false, Some(limit), Some(caller)) =
                (tool.hints.read_only, &self.write_limit, caller(&context))
            {
                limit.check(caller).map_err(|error| refused(&error))?;
            }
        }
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
        self.may_read(&context)?;
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
        self.may_read(&context)?;
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
        self.may_read(&context)?;
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
