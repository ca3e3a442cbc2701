//! Responses of OpenAI, whole and as events.

use futures::future::BoxFuture;
use recalld_agent::agent_loop::AgentEvent;
use recalld_agent::chat::{Reply, Started};
use recalld_memory::ports::chat::FinishReason;
use serde_json::{Map, Value, json};

use super::{Shape, finish_reason};

/// What a response says besides its output.
#[derive(Clone, Debug)]
pub(crate) struct ResponseHead {
    pub(crate) id: String,
    pub(crate) created: i64,
    pub(crate) model: String,
    /// Fields of the request that come back.
    pub(crate) echoed: Map<String, Value>,
}

impl ResponseHead {
    /// Writes a response.
    pub(crate) fn response(&self, status: &str, output: Vec<Value>, reply: Option<&Reply>) -> Value {
        let usage = reply.map(|reply| {
            json!({
                "input_tokens": reply.usage.tokens_in, "output_tokens": reply.usage.tokens_out,
                "total_tokens": reply.usage.tokens_in + reply.usage.tokens_out,
                "input_tokens_details": { "cached_tokens": reply.usage.tokens_cached },
                "output_tokens_details": { "reasoning_tokens": 0 },
            })
        });
        let is_cut = status == "incomplete";
        let mut response = json!({
            "id": self.id, "object": "response", "created_at": self.created, "status": status, "model": self.model,
            "error": null, "incomplete_details": is_cut.then(|| json!({ "reason": "max_output_tokens" })),
            "instructions": null, "metadata": {}, "output": output, "parallel_tool_calls": true,
            "temperature": null, "tool_choice": "auto", "tools": [], "top_p": null, "max_output_tokens": null,
            "previous_response_id": null, "conversation": null, "store": true, "text": { "format": { "type": "text" } },
            "truncation": "disabled", "usage": usage,
        });
        if let Some(fields) = response.as_object_mut() {
            fields.extend(self.echoed.clone());
        }
        response
    }

    /// Writes the whole response to a reply.
    pub(crate) fn whole(&self, reply: &Reply) -> Value {
        let mut output = Vec::new();
        if !reply.text.is_empty() || reply.calls_of_caller.is_empty() {
            output.push(message(
                &format!("msg_{}", reply.message),
                "completed",
                &reply.text,
            ));
        }
        let call = |call: &recalld_memory::ports::chat::ToolCall| {
            function_call(&call.id, &call.name, "completed", &call.arguments)
        };
        output.extend(reply.calls_of_caller.iter().map(call));
        self.response(status(reply, reply.last), output, Some(reply))
    }
}

fn status(reply: &Reply, last: Option<FinishReason>) -> &'static str {
    match finish_reason(reply, last) {
        "length" => "incomplete",
        _ => "completed",
    }
}

fn part(text: &str) -> Value {
    json!({ "type": "output_text", "text": text, "annotations": [], "logprobs": [] })
}

fn message(id: &str, status: &str, text: &str) -> Value {
    let content = match status {
        "in_progress" => json!([]),
        _ => json!([part(text)]),
    };
    json!({ "id": id, "type": "message", "status": status, "role": "assistant", "content": content })
}

fn function_call(id: &str, name: &str, status: &str, arguments: &str) -> Value {
    json!({
        "id": format!("fc_{id}"), "type": "function_call", "status": status, "call_id": id, "name": name,
        "arguments": arguments,
    })
}

/// Stores a response before its end is told.
pub(crate) type Settle = Box<dyn FnOnce(Value) -> BoxFuture<'static, ()> + Send>;

/// Writes events. Calls of tools that are run here are not shown.
pub(crate) struct ResponseEvents {
    head: ResponseHead,
    callers: Vec<String>,
    number: u64,
    items: Vec<OpenItem>,
    message: String,
    last: Option<FinishReason>,
    settle: Option<Settle>,
}

/// An item of the output, as far as it is known.
enum OpenItem {
    Message {
        text: String,
        done: bool,
    },
    Call {
        id: String,
        name: String,
        arguments: String,
    },
}

impl ResponseEvents {
    pub(crate) fn new(head: ResponseHead, callers: Vec<String>, settle: Settle) -> ResponseEvents {
        ResponseEvents {
            head,
            callers,
            number: 0,
            items: Vec::new(),
            message: String::new(),
            last: None,
            settle: Some(settle),
        }
    }

    fn event(&mut self, kind: &str, fields: Value) -> String {
        let mut event = json!({ "type": kind, "sequence_number": self.number });
        self.number += 1;
        if let (Some(event), Value::Object(fields)) = (event.as_object_mut(), fields) {
            event.extend(fields);
        }
        format!("event: {kind}\ndata: {event}\n\n")
    }

    fn say(&mut self, text: &str, out: &mut Vec<String>) {
        let id = self.message.clone();
        let known = self
            .items
            .iter()
            .rposition(|item| matches!(item, OpenItem::Message { done: false, .. }));
        let index = known.unwrap_or_else(|| {
            let index = self.items.len();
            let item = message(&id, "in_progress", "");
            out.push(self.event(
                "response.output_item.added",
                json!({ "output_index": index, "item": item }),
            ));
            let fields =
                json!({ "item_id": id, "output_index": index, "content_index": 0, "part": part("") });
            out.push(self.event("response.content_part.added", fields));
            self.items.push(OpenItem::Message {
                text: String::new(),
                done: false,
            });
            index
        });
        if let Some(OpenItem::Message { text: said, .. }) = self.items.get_mut(index) {
            said.push_str(text);
        }
        let fields = json!({ "item_id": id, "output_index": index, "content_index": 0, "delta": text, "logprobs": [] });
        out.push(self.event("response.output_text.delta", fields));
    }

    fn close_message(&mut self, out: &mut Vec<String>) {
        let id = self.message.clone();
        for index in 0..self.items.len() {
            let said = match &mut self.items[index] {
                OpenItem::Message { text, done } if !*done => {
                    *done = true;
                    text.clone()
                }
                _ => continue,
            };
            let place = json!({ "item_id": id, "output_index": index, "content_index": 0 });
            let with = |more: Value| {
                let mut fields = place.clone();
                if let (Some(fields), Value::Object(more)) = (fields.as_object_mut(), more) {
                    fields.extend(more);
                }
                fields
            };
            out.push(self.event(
                "response.output_text.done",
                with(json!({ "text": said, "logprobs": [] })),
            ));
            out.push(self.event("response.content_part.done", with(json!({ "part": part(&said) }))));
            let item = message(&id, "completed", &said);
            out.push(self.event(
                "response.output_item.done",
                json!({ "output_index": index, "item": item }),
            ));
        }
    }

    fn output(&self) -> Vec<Value> {
        let shown = |item: &OpenItem| match item {
            OpenItem::Message { text, .. } => message(&self.message, "completed", text),
            OpenItem::Call { id, name, arguments } => function_call(id, name, "completed", arguments),
        };
        self.items.iter().map(shown).collect()
    }

    fn close_calls(&mut self, out: &mut Vec<String>) {
        for index in 0..self.items.len() {
            let OpenItem::Call { id, name, arguments } = &self.items[index] else {
                continue;
            };
            let item = function_call(id, name, "completed", arguments);
            let fields = json!({
                "item_id": item["id"], "output_index": index, "name": name, "arguments": arguments,
            });
            out.push(self.event("response.function_call_arguments.done", fields));
            out.push(self.event(
                "response.output_item.done",
                json!({ "output_index": index, "item": item }),
            ));
        }
    }
}

impl Shape for ResponseEvents {
    fn started(&mut self, started: &Started) -> Vec<String> {
        self.message = format!("msg_{}", started.reply);
        let response = self.head.response("in_progress", Vec::new(), None);
        let fields = json!({ "response": response });
        vec![
            self.event("response.created", fields.clone()),
            self.event("response.in_progress", fields),
        ]
    }

    fn happened(&mut self, happened: &AgentEvent) -> Vec<String> {
        let mut out = Vec::new();
        match happened {
            AgentEvent::Text(text) => self.say(text, &mut out),
            AgentEvent::CallBegan { id, name } if self.callers.contains(name) => {
                self.close_message(&mut out);
                let item = function_call(id, name, "in_progress", "");
                let index = self.items.len();
                self.items.push(OpenItem::Call {
                    id: id.clone(),
                    name: name.clone(),
                    arguments: String::new(),
                });
                out.push(self.event(
                    "response.output_item.added",
                    json!({ "output_index": index, "item": item }),
                ));
            }
            AgentEvent::CallArguments { id, text } => {
                let of_call =
                    |item: &OpenItem| matches!(item, OpenItem::Call { id: known, .. } if known == id);
                let Some(index) = self.items.iter().position(of_call) else {
                    return out;
                };
                if let OpenItem::Call { arguments, .. } = &mut self.items[index] {
                    arguments.push_str(text);
                }
                let fields = json!({ "item_id": format!("fc_{id}"), "output_index": index, "delta": text });
                out.push(self.event("response.function_call_arguments.delta", fields));
            }
            AgentEvent::StepEnded { reason, .. } => self.last = Some(*reason),
            _ => {}
        }
        out
    }

    fn settled(&mut self, reply: Option<&Reply>) -> Option<BoxFuture<'static, ()>> {
        let reply = reply.filter(|reply| reply.failure.is_none())?;
        let response = self
            .head
            .response(status(reply, self.last), self.output(), Some(reply));
        Some(self.settle.take()?(response))
    }

    fn ended(&mut self, reply: Option<&Reply>) -> Vec<String> {
        let mut out = Vec::new();
        let Some(reply) = reply.filter(|reply| reply.failure.is_none()) else {
            let why = reply.and_then(|reply| reply.failure.as_ref());
            let why = why.map_or("the server is stopping".to_owned(), ToString::to_string);
            let mut response = self.head.response("failed", self.output(), reply);
            response["error"] = json!({ "code": "server_error", "message": why });
            return vec![self.event("response.failed", json!({ "response": response }))];
        };
        self.close_message(&mut out);
        self.close_calls(&mut out);
        let status = status(reply, self.last);
        let response = self.head.response(status, self.output(), Some(reply));
        out.push(self.event(&format!("response.{status}"), json!({ "response": response })));
        out
    }
}
