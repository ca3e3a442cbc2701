// An agent of Mastra whose memory recalld keeps: node main.ts "Hello".

import { Agent } from '@mastra/core/agent';
import { MastraCompositeStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { Recalld } from '@recalld/client';
import { RecalldMemoryStorage } from '@recalld/client/mastra';

const recalld = new Recalld(); // RECALLD_URL and RECALLD_KEY
const storage = new MastraCompositeStore({ id: 'recalld', domains: { memory: new RecalldMemoryStorage(recalld) } });

const agent = new Agent({
  id: 'travel-agent',
  name: 'Travel agent',
  instructions: 'You are a travel agent.',
  model: {
    id: `openai/${process.env['MODEL'] ?? 'gpt-6-luna'}`,
    url: process.env['OPENAI_BASE_URL'] ?? 'https://api.openai.com/v1',
    apiKey: process.env['OPENAI_API_KEY'] ?? '',
  },
  memory: new Memory({ storage, options: { lastMessages: 20 } }),
});

// The thread goes on where the last run left it.
const reply = await agent.generate(process.argv[2] ?? 'Hello', { memory: { thread: 'mastra', resource: 'me' } });
console.log(reply.text);
