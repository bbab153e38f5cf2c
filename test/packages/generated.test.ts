import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { validate } from 'dockerfile-utils';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { generatedFiles, mcpbManifest } from '../../scripts/packages.mjs';
import { readSettings } from '../../src/settings.ts';

const root = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(root, name), 'utf8');
const json = (name: string): unknown => JSON.parse(read(name));

const manifest = z
  .looseObject({ name: z.string(), version: z.string(), mcpName: z.string(), license: z.string() })
  .parse(json('package.json'));
const source = z
  .object({
    server: z.string(),
    settings: z.array(z.looseObject({ variable: z.string(), kind: z.string() })),
  })
  .parse(json('packaging/source.json'));

/** The fenced blocks of docs/install.md in one language. */
function blocks(language: string): string[] {
  const found = read('docs/install.md').matchAll(new RegExp(`\`\`\`${language}\\n([^\`]*)\n\`\`\``, 'g'));
  return [...found].map(([, text = '']) => text);
}

it('what is installed by is as packaging/source.json has it', async () => {
  const files = await generatedFiles();
  expect(files.size).toBeGreaterThan(5);
  for (const [name, text] of files) expect([name, read(name)]).toEqual([name, text]);
});

describe('server.json', () => {
  const ajv = new Ajv({ strict: false });
  // Its types declare only the way that CommonJS takes it.
  formats.default(ajv);
  const isEntry = ajv.compile(
    z.record(z.string(), z.unknown()).parse(json('test/packages/server.schema.json')),
  );

  it('is as the registry wants it, and names the package as package.json does', () => {
    const entry = z
      .looseObject({
        name: z.string(),
        version: z.string(),
        packages: z.array(z.record(z.string(), z.unknown())),
      })
      .parse(json('server.json'));
    expect([isEntry(entry), isEntry.errors]).toEqual([true, null]);
    expect(entry).toMatchObject({ name: manifest.mcpName, version: manifest.version });
    expect(entry.packages[0]).toMatchObject({ identifier: manifest.name, version: manifest.version });
    expect(isEntry({ ...entry, description: 'x'.repeat(101) })).toBe(false);
    expect(isEntry({ ...entry, name: 'no-namespace' })).toBe(false);
  });
});

it('what a person is asked for are settings that there are, and each may be left out', async () => {
  const reference = read('docs/reference.md');
  for (const { variable } of source.settings) expect(reference).toContain(variable);
  const unset = readSettings({});
  const placeholders = Object.fromEntries(
    source.settings.map(({ variable }) => [variable, `\${${variable}}`]),
  );
  expect(readSettings(placeholders)).toEqual(unset);
  const { server } = await mcpbManifest('linux', []);
  expect(readSettings(server.mcp_config.env)).toEqual(unset);
});

it('secrets are asked for as secrets everywhere', async () => {
  const secrets = source.settings.filter(({ kind }) => kind === 'secret').map(({ variable }) => variable);
  expect(secrets).toEqual(['ARTWORK_CLIENT_SECRET']);
  const asked = z.record(z.string(), z.object({ sensitive: z.boolean().optional() }));
  const sensitive = (config: unknown) =>
    Object.entries(asked.parse(config)).flatMap(([name, one]) => (one.sensitive === true ? [name] : []));
  expect(sensitive((await mcpbManifest('linux', [])).user_config)).toEqual(['client_secret']);
  expect(
    sensitive(
      z.looseObject({ userConfig: z.unknown() }).parse(json('.claude-plugin/plugin.json')).userConfig,
    ),
  ).toEqual(['client_secret']);
  const { settings } = z
    .object({ settings: z.array(z.object({ envVar: z.string(), sensitive: z.boolean().optional() })) })
    .parse(json('gemini-extension.json'));
  expect(settings.filter((one) => one.sensitive === true).map(({ envVar }) => envVar)).toEqual(secrets);
  const { packages } = z
    .object({
      packages: z.array(
        z.object({ environmentVariables: z.array(z.object({ name: z.string(), isSecret: z.boolean() })) }),
      ),
    })
    .parse(json('server.json'));
  const named = packages.flatMap((one) => one.environmentVariables);
  expect(named.filter((one) => one.isSecret).map(({ name }) => name)).toEqual(secrets);
});

describe('docs/install.md', () => {
  it('shows configurations that can be read', () => {
    expect(blocks('json').length).toBeGreaterThan(12);
    for (const text of blocks('json'))
      expect(JSON.stringify(JSON.parse(text))).toContain(`"${source.server}":{`);
    for (const text of blocks('yaml'))
      expect(parseYaml(text)).toMatchObject({ mcpServers: [{ name: source.server }] });
    expect(blocks('yaml')).toHaveLength(1);
    expect(blocks('toml')).toHaveLength(2);
  });

  it('has links that carry the command', () => {
    const links = [...read('docs/install.md').matchAll(/\]\(((?:cursor|lmstudio|https):[^)]+)\)/g)].map(
      ([, link = '']) => new URL(link),
    );
    const commands = links.map((link) => {
      const forwarded = link.searchParams.get('url');
      if (forwarded !== null) return decodeURIComponent(new URL(forwarded).search.slice(1));
      return Buffer.from(link.searchParams.get('config') ?? '', 'base64').toString('utf8');
    });
    expect(commands).toHaveLength(4);
    for (const command of commands)
      expect(JSON.parse(command)).toMatchObject({ command: 'npx', args: ['-y', manifest.name] });
  });
});

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile');

  it('holds no mistake that a reader of such files finds', () => {
    const faults = (text: string) => validate(text).map(({ message }) => message);
    expect(faults(dockerfile)).toEqual([]);
    expect(faults(dockerfile.replace('ENTRYPOINT', 'ENTRYPOIN'))).not.toEqual([]);
  });

  it('names the server as the registry does, and starts the program of the package', () => {
    expect(dockerfile).toContain(`io.modelcontextprotocol.server.name="${manifest.mcpName}"`);
    expect(dockerfile).toContain(`ENTRYPOINT ["${manifest.name}"]`);
  });
});
