import { mkdir, writeFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Host } from '../host.ts';

export const cline: Host = {
  name: 'Cline',
  packages: [['cline', '3.0.65']],
  node: 20,
  async prepare({ installed, home, modelUrl, prompt, server }) {
    const command = path.join(installed, 'node_modules/.bin/cline');
    const settings = path.join(home, '.cline/data/settings');
    await mkdir(settings, { recursive: true });
    const config = { mcpServers: { artwork: { ...server, disabled: false, autoApprove: ['*'] } } };
    await writeFile(path.join(settings, 'cline_mcp_settings.json'), JSON.stringify(config));
    const auth = ['auth', '-p', 'openai-compatible', '-k', 'none', '-m', 'fake', '-b', `${modelUrl}/v1`];
    await promisify(execFile)(command, auth, { env: { PATH: process.env.PATH, HOME: home, CI: '1' } });
    return { command, args: ['--json', prompt], env: { CLINE_TELEMETRY_DISABLED: '1' } };
  },
};
