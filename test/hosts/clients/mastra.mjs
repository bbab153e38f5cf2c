// Mastra's agent with its MCP client, as its documentation shows it.
import { Agent } from '@mastra/core/agent';
import { MCPClient } from '@mastra/mcp';

const { modelUrl, prompt, server } = JSON.parse(process.argv[2]);
const client = new MCPClient({ servers: { artwork: server } });
try {
  const agent = new Agent({
    id: 'curator',
    name: 'Curator',
    instructions: 'Help.',
    model: { id: 'fake/fake', url: `${modelUrl}/v1`, apiKey: 'none' },
    tools: await client.listTools(),
  });
  const { text } = await agent.generate(prompt, { maxSteps: 40 });
  process.stdout.write(`${text}\n`);
} finally {
  await client.disconnect();
}
