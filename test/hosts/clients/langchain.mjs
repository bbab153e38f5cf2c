// LangChain's adapters with LangGraph's agent, as their documentation shows them.

import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { ChatOpenAI } from '@langchain/openai';

const { modelUrl, prompt, server } = JSON.parse(process.argv[2]);
const client = new MultiServerMCPClient({ mcpServers: { artwork: { transport: 'stdio', ...server } } });
try {
  const llm = new ChatOpenAI({
    model: 'fake',
    apiKey: 'none',
    configuration: { baseURL: `${modelUrl}/v1` },
  });
  const agent = createReactAgent({ llm, tools: await client.getTools() });
  const { messages } = await agent.invoke(
    { messages: [{ role: 'user', content: prompt }] },
    { recursionLimit: 90 },
  );
  process.stdout.write(`${messages.at(-1)?.content}\n`);
} finally {
  await client.close();
}
