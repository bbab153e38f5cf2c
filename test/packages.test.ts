import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { notice } from '../scripts/packages.mjs';
import { readSettings } from '../src/settings.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const json = (name: string): unknown => JSON.parse(read(name));

const launch = z.object({ args: z.array(z.string()), env: z.record(z.string(), z.string()) });
const options = z.record(z.string(), z.looseObject({ sensitive: z.boolean().optional() }));

it('NOTICE names what the build holds', async () => {
  expect(read('NOTICE')).toBe(await notice());
});

const bundle = z
  .looseObject({ server: z.looseObject({ mcp_config: launch }), user_config: options })
  .transform(({ server, user_config: asked }) => ({ ...server.mcp_config, asked }));
const plugin = z
  .looseObject({ mcpServers: z.object({ artwork: launch }), userConfig: options })
  .transform(({ mcpServers, userConfig: asked }) => ({ ...mcpServers.artwork, asked }));

it.each([
  ['bundle', () => bundle.parse(json('packaging/mcpb.json'))],
  ['plugin', () => plugin.parse(json('.claude-plugin/plugin.json'))],
] as const)('what the %s asks a person for may be left out, and a secret is one', (_, readIt) => {
  const { args, env, asked } = readIt();
  expect(readSettings(env)).toEqual(readSettings({}));
  const named = [...args, ...Object.values(env)].flatMap((word) => word.match(/(?<=user_config\.)\w+/) ?? []);
  expect(named.length).toBeGreaterThan(3);
  expect(named.sort()).toEqual(Object.keys(asked).sort());
  expect(Object.keys(asked).filter((name) => asked[name]?.sensitive)).toEqual(['client_secret']);
});

it('each way of installing names the package as package.json does', () => {
  const manifest = z.looseObject({ name: z.string(), version: z.string(), mcpName: z.string() });
  const { name, version, mcpName } = manifest.parse(json('package.json'));
  expect(json('server.json')).toMatchObject({
    name: mcpName,
    version,
    packages: [{ identifier: name, version }],
  });
  for (const file of ['.claude-plugin/plugin.json', 'gemini-extension.json'])
    expect(json(file)).toMatchObject({ version });
  expect(read('Dockerfile')).toContain(`io.modelcontextprotocol.server.name="${mcpName}"`);
  expect(read('docs/install.md')).toContain(`${name}-${version}.tgz`);
});

it('the workflow runs scripts that there are', () => {
  const job = z.looseObject({ steps: z.array(z.looseObject({ run: z.string().optional() })) });
  const { jobs } = z
    .looseObject({ jobs: z.record(z.string(), job) })
    .parse(parse(read('.github/workflows/ci.yml')));
  const lines = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run.split('\n')));
  const scripts = lines.flatMap((line) => /^npm run (\S+)/.exec(line)?.[1] ?? []);
  expect(scripts.length).toBeGreaterThan(3);
  const known = z.looseObject({ scripts: z.looseObject({}) }).parse(json('package.json')).scripts;
  expect(scripts.filter((name) => !(name in known))).toEqual([]);
});
