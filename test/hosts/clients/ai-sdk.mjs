// The AI SDK with its own MCP client, as its documentation shows it.
import { createAnthropic } from '@ai-sdk/anthropic';
import { createMCPClient } from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import { generateText, stepCountIs } from 'ai';

const { modelUrl, prompt, server } = JSON.parse(process.argv[2]);
const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport(server) });
try {
  const provider = createAnthropic({ baseURL: `${modelUrl}/v1`, apiKey: 'none' });
  const { text } = await generateText({
    model: provider('fake'),
    tools: await client.tools(),
    stopWhen: stepCountIs(40),
    prompt,
  });
  process.stdout.write(`${text}\n`);
} finally {
  await client.close();
}
