// A model provider that speaks the OpenAI protocol and always says the same.

import { createServer } from 'node:http';

const WORDS = ['You ', 'prefer ', 'window ', 'seats.'];

export async function startModel() {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => { body += piece; });
    request.on('end', () => {
      if (request.url.endsWith('/models')) {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ object: 'list', data: [{ id: 'stub', object: 'model', created: 0, owned_by: 'test' }] }));
        return;
      }
      const asked = body ? JSON.parse(body) : {};
      if (!asked.stream) {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ id: 'c1', object: 'chat.completion', model: asked.model ?? 'stub', choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: WORDS.join('') } }], usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 } }));
        return;
      }
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const send = (delta, extra = {}) => response.write(`data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', model: asked.model, choices: [{ index: 0, delta, finish_reason: null, ...extra }] })}\n\n`);
      for (const word of WORDS) send({ role: 'assistant', content: word });
      send({}, { finish_reason: 'stop' });
      response.write(`data: ${JSON.stringify({ id: 'c1', object: 'chat.completion.chunk', choices: [], usage: { prompt_tokens: 20, completion_tokens: 4, total_tokens: 24 } })}\n\n`);
      response.end('data: [DONE]\n\n');
    });
  });
  await new Promise((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  return { url: `http://127.0.0.1:${server.address().port}/v1`, stop: () => new Promise((resolve) => { server.closeAllConnections(); server.close(resolve); }) };
}
