// Anthropic's memory tool (`memory_20250818`), whose files recalld keeps:
// `client.beta.messages.toolRunner({ tools: [recalldMemoryTool()], … })`.

import { ToolError } from '@anthropic-ai/sdk/lib/tools/ToolError';
import { type MemoryToolHandlers, betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import { Recalld } from './client.js';

/** Makes the tool. */
export function recalldMemoryTool(client: Recalld = new Recalld()): ReturnType<typeof betaMemoryTool> {
  const run = async (command: object): Promise<string> => {
    const { content, is_error } = await client.transport.send<{ content: string; is_error: boolean }>({
      method: 'POST',
      path: '/anthropic/v1/tools/memory',
      body: command,
      repeat: 'never',
      answer: 'json',
    });
    if (is_error) throw new ToolError(content);
    return content;
  };
  const handlers: MemoryToolHandlers = { view: run, create: run, str_replace: run, insert: run, delete: run, rename: run };
  return betaMemoryTool(handlers);
}
