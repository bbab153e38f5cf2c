import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../host.ts';

/** TOML's strings are written as JSON's. */
const toml = (value: unknown) => JSON.stringify(value);

function codexWith(name: string, model: string, more: Partial<Host>): Host {
  return {
    name,
    packages: [['@openai/codex', '0.169.0']],
    node: 20,
    async prepare({ installed, home, modelUrl, prompt, server }) {
      const folder = path.join(home, '.codex');
      await mkdir(folder, { recursive: true });
      const env = Object.entries(server.env).map(([name, value]) => `${name} = ${toml(value)}`);
      await writeFile(
        path.join(folder, 'config.toml'),
        [
          `model = ${toml(model)}`,
          'model_provider = "fake"',
          'approval_policy = "never"',
          'sandbox_mode = "danger-full-access"',
          'check_for_update_on_startup = false',
          '[analytics]',
          'enabled = false',
          '[model_providers.fake]',
          'name = "Fake"',
          `base_url = ${toml(`${modelUrl}/v1`)}`,
          'env_key = "FAKE_KEY"',
          'wire_api = "responses"',
          '[mcp_servers.artwork]',
          `command = ${toml(server.command)}`,
          `args = ${toml(server.args)}`,
          '[mcp_servers.artwork.env]',
          ...env,
          '',
        ].join('\n'),
      );
      return {
        command: path.join(installed, 'node_modules/.bin/codex'),
        args: ['exec', '--skip-git-repo-check', '--json', prompt],
        env: { FAKE_KEY: 'none', CODEX_HOME: folder },
      };
    },
    ...more,
  };
}

/** A model that writes scripts, in which our tools are functions. */
export const codexInCodeMode: Host = codexWith('Codex, code mode', 'gpt-6.1-sol', {
  inScripts: true,
  call: (tool, args, _, callId) => ({
    callId,
    name: 'exec',
    arguments: {
      input: `for (const one of (await tools.mcp__artwork__${tool}(${JSON.stringify(args)})).content) one.type === 'image' ? image(one) : text(one.text);`,
    },
    as: 'custom',
  }),
});

/** A model that calls tools, and searches for those of servers. */
export const codexDirect: Host = codexWith('Codex, direct', 'gpt-5.5', {
  search: {
    ask: (words, callId) => ({ callId, name: 'tool_search', arguments: { query: words }, as: 'tool_search' }),
    exactly: (_, description) => description,
  },
});
