import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { generatedFiles, mcpbManifest } from '../scripts/packages.mjs';
import { readSettings } from '../src/settings.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const json = (name: string): unknown => JSON.parse(read(name));

it('what is installed by is as packaging/source.json has it', async () => {
  const files = await generatedFiles();
  expect(files.size).toBeGreaterThan(5);
  for (const [name, text] of files) expect([name, read(name)]).toEqual([name, text]);
});

it('what a person is asked for may be left out, and the secret is asked for as one', async () => {
  const settings = z.array(z.looseObject({ variable: z.string(), kind: z.string() }));
  const source = z.object({ settings }).parse(json('packaging/source.json'));
  const unset = readSettings({});
  const { server, user_config: asked } = await mcpbManifest('linux', []);
  expect(readSettings(server.mcp_config.env)).toEqual(unset);
  for (const { variable } of source.settings)
    expect(readSettings({ [variable]: `\${${variable}}` })).toEqual(unset);
  const secrets = source.settings.filter(({ kind }) => kind === 'secret').map(({ variable }) => variable);
  expect(secrets).toEqual(['ARTWORK_CLIENT_SECRET']);
  const sensitive = z.record(z.string(), z.looseObject({ sensitive: z.boolean().optional() })).parse(asked);
  expect(Object.keys(sensitive).filter((name) => sensitive[name]?.sensitive)).toEqual(['client_secret']);
});

it('server.json names the package as package.json does', () => {
  const manifest = z
    .looseObject({ name: z.string(), version: z.string(), mcpName: z.string() })
    .parse(json('package.json'));
  const { name, version, mcpName } = manifest;
  expect(json('server.json')).toMatchObject({
    name: mcpName,
    version,
    packages: [{ identifier: name, version }],
  });
  expect(read('Dockerfile')).toContain(`io.modelcontextprotocol.server.name="${mcpName}"`);
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
