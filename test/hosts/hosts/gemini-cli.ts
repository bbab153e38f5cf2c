import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../host.ts';

export const geminiCli: Host = {
  name: 'Gemini CLI',
  packages: [['@google/gemini-cli', '0.61.0']],
  node: 20,
  async prepare({ installed, home, modelUrl, prompt, server }) {
    const folder = path.join(home, '.gemini');
    await mkdir(folder, { recursive: true });
    const settings = {
      mcpServers: { artwork: { ...server, trust: true } },
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
    };
    await writeFile(path.join(folder, 'settings.json'), JSON.stringify(settings));
    return {
      command: path.join(installed, 'node_modules/.bin/gemini'),
      args: ['-p', prompt, '--approval-mode', 'yolo', '--skip-trust', '-m', 'gemini-2.5-pro'],
      env: { GOOGLE_GEMINI_BASE_URL: modelUrl, GEMINI_API_KEY: 'none' },
    };
  },
};
