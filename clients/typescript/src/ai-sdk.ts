// The AI SDK: memory tools for `generateText` and `streamText`, and a middleware that gives a model memory.

import { type LanguageModelMiddleware, type ToolSet, dynamicTool, jsonSchema } from 'ai';
import { Recalld } from './client.js';
import { ApiError } from './errors.js';
import { append } from './transcript.js';

/** Gives the server's tools. `sets` selects them, such as `semantic`; models use a small selection better. */
export async function recalldTools(client: Recalld = new Recalld(), { sets = 'semantic' } = {}): Promise<ToolSet> {
  const listed = (await client.tools.list({ format: 'mcp', sets })) as McpTool[];
  return Object.fromEntries(listed.map((each) => [each.name, tool(client, each)]));
}

interface McpTool {
  name: string;
  description: string;
  inputSchema: Parameters<typeof jsonSchema>[0];
}

function tool(client: Recalld, { name, description, inputSchema }: McpTool) {
  const execute = async (input: unknown): Promise<string> => {
    try {
      return (await client.tools.call(name as never, input)).text;
    } catch (error) {
      // The model reads what is wrong with its call and may correct it.
      if (error instanceof ApiError && error.status < 500) return error.detail;
      throw error;
    }
  };
  return dynamicTool({ description, inputSchema: jsonSchema(inputSchema), execute });
}

/** How the middleware remembers. */
export interface MiddlewareOptions {
  /** Keeps what is said in this conversation. */
  conversation?: string;
  /** Looks for lasting facts in what the user says, and remembers them. */
  extract?: boolean;
  /** The most tokens of what is added to the prompt. */
  maxTokens?: number;
}

type Params = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params'];

/** Makes a middleware: the prompt gets what is remembered about the user, and the conversation is kept. */
export function recalldMiddleware(client: Recalld = new Recalld(), options: MiddlewareOptions = {}): LanguageModelMiddleware {
  const keep = async (params: Params, reply: string) => {
    const asked = question(params);
    // A step that only calls a tool says nothing, and the next step answers the same question.
    if (options.conversation === undefined || asked === undefined || reply.trim() === '') return;
    const messages = [{ role: 'user' as const, content: asked }, { role: 'assistant' as const, content: reply }];
    await append(client, options.conversation, messages, options.extract);
  };
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => {
      const { text } = await client.context({ topic: question(params) ?? '', max_tokens: options.maxTokens ?? 1500 });
      return text === '' ? params : { ...params, prompt: withSystem(params.prompt, text) };
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate();
      await keep(params, result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
      return result;
    },
    wrapStream: async ({ doStream, params }) => {
      const result = await doStream();
      let reply = '';
      const listen = new TransformStream({
        transform(part, controller) {
          if (part.type === 'text-delta') reply += part.delta;
          controller.enqueue(part);
        },
        flush: () => keep(params, reply),
      });
      return { ...result, stream: result.stream.pipeThrough(listen) };
    },
  };
}

/** Puts the text after the instructions, or makes it the system message. */
function withSystem(prompt: Params['prompt'], text: string): Params['prompt'] {
  const [first, ...rest] = prompt;
  return first?.role === 'system'
    ? [{ ...first, content: `${first.content}\n\n${text}` }, ...rest]
    : [{ role: 'system', content: text }, ...prompt];
}

function question(params: Params): string | undefined {
  const last = params.prompt.findLast((message) => message.role === 'user');
  if (last?.role !== 'user') return undefined;
  const text = last.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n').trim();
  return text === '' ? undefined : text;
}
