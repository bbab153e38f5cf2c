// The Inspector's command line has no model: this asks one, and makes each of its calls with a run of the Inspector.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const { modelUrl, prompt, server, home } = JSON.parse(process.argv[2]);
const config = path.join(home, 'mcp.json');
await writeFile(config, JSON.stringify({ mcpServers: { artwork: { type: 'stdio', ...server } } }));
const inspector = path.join(import.meta.dirname, 'node_modules/.bin/mcp-inspector');

async function inspect(...args) {
  const all = ['--cli', '--config', config, '--server', 'artwork', '--format', 'json', ...args];
  try {
    const { stdout } = await promisify(execFile)(inspector, all, { maxBuffer: 64 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    // A failed call ends it with a code of its own, and is told all the same.
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return String(error.stdout);
    throw error;
  }
}

const listed = JSON.parse(await inspect('--method', 'tools/list'));
const { tools } = listed.result ?? listed;
const messages = [{ role: 'user', content: prompt }];
for (;;) {
  const answer = await fetch(`${modelUrl}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({
      messages,
      tools: tools.map(({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
      })),
    }),
  });
  const { message } = (await answer.json()).choices[0];
  messages.push(message);
  if (message.tool_calls === undefined) break;
  for (const { id, function: called } of message.tool_calls) {
    const args = ['--tool-name', called.name, '--tool-args-json', called.arguments];
    messages.push({
      role: 'tool',
      tool_call_id: id,
      content: await inspect('--method', 'tools/call', ...args),
    });
  }
}
