import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isNamed } from '../fake-model/model.ts';
import type { Host } from '../host.ts';

export const qwenCode: Host = {
  name: 'Qwen Code',
  packages: [['@qwen-code/qwen-code', '0.24.4']],
  node: 24,
  async prepare({ installed, home, modelUrl, prompt, server }) {
    const folder = path.join(home, '.qwen');
    await mkdir(folder, { recursive: true });
    const settings = {
      mcpServers: { artwork: { ...server, trust: true } },
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { disableAutoUpdate: true, enableAutoUpdate: false },
    };
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings));
    return {
      command: path.join(installed, 'node_modules/.bin/qwen'),
      args: ['-p', prompt, '--approval-mode', 'yolo'],
      env: { OPENAI_BASE_URL: `${modelUrl}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'qwen3-vl-plus' },
    };
  },
  search: {
    ask: (words, callId) => ({ callId, name: 'tool_search', arguments: { query: words } }),
    found: namesIn,
    exactly: (tool) => `select:mcp__artwork__${tool}`,
  },
  call(tool, args, { results }, callId) {
    const name = results.flatMap(({ text }) => namesIn(text)).find((one) => isNamed(one, tool));
    return name === undefined ? null : { callId, name: 'tool_call', arguments: { name, arguments: args } };
  },
};

/** A search answers with the tools' declarations as text. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/"name":\s*"([^"]+)"/g)].map(([, name = '']) => name);
}
