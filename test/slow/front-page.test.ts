import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: Household;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let commands: readonly string[];

beforeAll(async () => {
  household = await startHousehold();
  folder = await temporaryFolder();
  const page = await (await fetch(household.baseUrl, { headers: { accept: 'text/html' } })).text();
  commands = [...page.matchAll(/<pre><code>([^<]*)/g)].map(([, markup = '']) =>
    markup.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
  );
});
afterAll(async () => {
  await household.remove();
  await folder.remove();
});

/** A shell of a person who has installed nothing else: no `artwork-mcp` and no `node` is on their PATH. */
const shell = (bin: string) => ({ PATH: `${bin}:/usr/bin:/bin`, ARTWORK_HOME: household.home });

it('tells a line for Claude Code by which a server of this catalogue starts', async () => {
  const [line = ''] = commands;
  const bin = path.join(folder.path, 'bin');
  const told = path.join(folder.path, 'told');
  await mkdir(bin);
  await writeFile(path.join(bin, 'claude'), `#!/bin/sh\nprintf '%s\\n' "$@" > '${told}'\n`);
  await chmod(path.join(bin, 'claude'), 0o755);
  execFileSync('/bin/sh', ['-c', line], { env: shell(bin) });
  const words = (await readFile(told, 'utf8')).trim().split('\n');
  expect(words.slice(0, 3)).toEqual(['mcp', 'add', 'artwork']);
  const end = words.indexOf('--');
  const variables = words.slice(3, end).filter((word) => word !== '-e');
  const [command = '', ...args] = words.slice(end + 1);
  const client = new Client({ name: 'test', version: '1' });
  const env = Object.fromEntries(variables.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  await client.connect(new StdioClientTransport({ command, args, env: { ...shell(bin), ...env } }));
  const answer = await client.callTool({ name: 'list_episodes', arguments: { limit: 1 } });
  expect(answer.isError).not.toBe(true);
  const { structuredContent } = await client.callTool({ name: 'account_status', arguments: {} });
  const { service } = z.looseObject({ service: z.string() }).parse(structuredContent);
  expect(service).toContain(household.baseUrl);
  await client.close();
});
