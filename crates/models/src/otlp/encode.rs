//! Writes spans as the protobuf message `ExportTraceServiceRequest` of OTLP 1.
//!
//! The message has two dozen fields, so they are written by hand; the numbers are those of
//! `opentelemetry/proto/trace/v1/trace.proto`.

use recalld_memory::trace::{Span, SpanKind, SpanValue};

/// A message that is being written.
#[derive(Default)]
struct Message(Vec<u8>);

/// How a field is laid out, as the low bits of its tag say.
const VARINT: u64 = 0;
const FIXED64: u64 = 1;
const DELIMITED: u64 = 2;
const FIXED32: u64 = 5;

impl Message {
    fn varint(&mut self, mut number: u64) {
        while 0x80 <= number {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn tag(&mut self, field: u64, layout: u64) {
        self.varint(field << 3 | layout);
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.tag(field, DELIMITED);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn text(&mut self, field: u64, text: &str) {
        self.bytes(field, text.as_bytes());
    }

    fn message(&mut self, field: u64, message: &Message) {
        self.bytes(field, &message.0);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.tag(field, VARINT);
        self.varint(number);
    }

    fn fixed64(&mut self, field: u64, number: u64) {
        self.tag(field, FIXED64);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn fixed32(&mut self, field: u64, number: u32) {
        self.tag(field, FIXED32);
        self.0.extend_from_slice(&number.to_le_bytes());
    }
}

/// Writes the request that carries `spans` of `service`.
pub(super) fn request(service: &str, spans: &[Span]) -> Vec<u8> {
    let mut resource = Message::default();
    let version = env!("CARGO_PKG_VERSION");
    for (name, value) in [("service.name", service), ("service.version", version)] {
        resource.message(1, &attribute(name, &SpanValue::from(value)));
    }
    let mut scope = Message::default();
    scope.text(1, "recalld");
    scope.text(2, version);
    let mut of_scope = Message::default();
    of_scope.message(1, &scope);
    for one in spans {
        of_scope.message(2, &span(one));
    }
    let mut of_resource = Message::default();
    of_resource.message(1, &resource);
    of_resource.message(2, &of_scope);
    let mut request = Message::default();
    request.message(1, &of_resource);
    request.0
}

fn span(span: &Span) -> Message {
    let mut message = Message::default();
    message.bytes(1, &span.context.trace_id);
    message.bytes(2, &span.context.span_id);
    if let Some(parent) = &span.parent {
        message.bytes(4, parent);
    }
    message.text(5, &span.name);
    let kind = match span.kind {
        SpanKind::Internal => 1,
        SpanKind::Server => 2,
        SpanKind::Client => 3,
    };
    message.number(6, kind);
    message.fixed64(7, span.start_nanos);
    message.fixed64(8, span.end_nanos);
    for (name, value) in &span.attributes {
        message.message(9, &attribute(name, value));
    }
    if span.failed {
        let mut status = Message::default();
        status.number(3, 2);
        message.message(15, &status);
    }
    // The flags of the trace context: sampled.
    message.fixed32(16, 1);
    message
}

fn attribute(name: &str, value: &SpanValue) -> Message {
    let mut any = Message::default();
    match value {
        SpanValue::Text(text) => any.text(1, text),
        SpanValue::Number(number) => any.number(3, *number as u64),
    }
    let mut attribute = Message::default();
    attribute.text(1, name);
    attribute.message(2, &any);
    attribute
}
