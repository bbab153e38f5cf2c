// The OpenAI Agents SDK, as its documentation shows it.
import { Agent, MCPServerStdio, OpenAIProvider, Runner } from '@openai/agents';

const { modelUrl, prompt, server } = JSON.parse(process.argv[2]);
const artwork = new MCPServerStdio({ name: 'artwork', ...server });
await artwork.connect();
try {
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ baseURL: `${modelUrl}/v1`, apiKey: 'none', useResponses: true }),
    tracingDisabled: true,
  });
  const agent = new Agent({ name: 'Curator', model: 'fake', instructions: 'Help.', mcpServers: [artwork] });
  const { finalOutput } = await runner.run(agent, prompt, { maxTurns: 40 });
  process.stdout.write(`${finalOutput}\n`);
} finally {
  await artwork.close();
}
