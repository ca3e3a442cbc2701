// POST /api/chat of a Next.js app: a chat with memory.

import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Recalld } from '@recalld/client';
import { recalldMiddleware, recalldTools } from '@recalld/client/ai-sdk';
import { type UIMessage, convertToModelMessages, isStepCount, streamText, wrapLanguageModel } from 'ai';

const provider = createOpenAICompatible({
  name: 'openai',
  baseURL: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
  apiKey: process.env['OPENAI_API_KEY'] ?? '',
});

export async function POST(request: Request): Promise<Response> {
  const { id, messages } = (await request.json()) as { id: string; messages: UIMessage[] };
  // Take the user from your session; here the key of the environment is one user's.
  const memory = new Recalld();
  const model = wrapLanguageModel({
    model: provider(process.env['MODEL'] ?? 'gpt-6-luna'),
    middleware: recalldMiddleware(memory, { conversation: id }),
  });
  const result = streamText({
    model,
    instructions: 'You are a travel agent.',
    messages: await convertToModelMessages(messages),
    tools: await recalldTools(memory),
    stopWhen: isStepCount(5),
  });
  return result.toUIMessageStreamResponse();
}
