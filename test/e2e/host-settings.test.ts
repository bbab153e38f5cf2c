import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cli } from '../support/client.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

// What hosts write into a command line, a working directory and an environment, and what files it opens.

/** What a host writes for a setting that its person left empty. */
const unfilled = (name: string) => '$'.concat(`{user_config.${name}}`);

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  file = await writePoster(folder.path);
});

afterAll(() => folder.remove());

interface Started {
  readonly words?: readonly string[];
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** What the host answers where it is asked for its folders. */
  readonly roots?: unknown;
}

/** A look at the picture through a server that a host has started so, in a folder of its own unless `cwd` says another. */
async function look({ words = [], env = {}, cwd = path.parse(folder.path).root, roots }: Started) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [cli, ...words],
    cwd,
    env: {
      PATH: process.env.PATH ?? '',
      HOME: folder.path,
      ARTWORK_HOME: path.join(folder.path, 'home'),
      ...env,
    },
    stderr: 'ignore',
  });
  const capabilities = roots === undefined ? {} : { roots: {} };
  const client = new Client({ name: 'test', version: '0' }, { capabilities });
  if (roots !== undefined) client.fallbackRequestHandler = async () => ({ roots });
  await client.connect(transport);
  try {
    return CallToolResultSchema.parse(
      await client.callTool({ name: 'view_artwork', arguments: { items: [{ file }] } }),
    );
  } finally {
    await client.close();
  }
}

it.each<[string, () => Started]>([
  [
    'the folder that it is started in, as .',
    () => ({ cwd: folder.path, env: { ARTWORK_UPLOAD_ROOTS: '.' } }),
  ],
  [
    'a folder behind serve, beside what a host left unfilled',
    () => ({
      words: ['serve', unfilled('folders'), folder.path],
      env: { ARTWORK_BASE_URL: unfilled('base_url'), ARTWORK_USER: unfilled('user') },
    }),
  ],
  [
    "the host's folder, beside what is no folder of this machine",
    () => ({
      roots: [
        { uri: 'vscode-remote://ssh-remote/home/me/art' },
        { uri: 'https://example.org/' },
        { uri: folder.path },
        { uri: 'file://another/share' },
        { uri: 'file:///%00' },
        { uri: 5 },
        null,
        { uri: pathToFileURL(folder.path).href, name: 5 },
      ],
    }),
  ],
  [
    'the folder of the settings, where the host tells no list of its own',
    () => ({ roots: 'none', env: { ARTWORK_UPLOAD_ROOTS: folder.path } }),
  ],
])('opens %s', async (_, started) => {
  const { isError, content } = await look(started());
  expect(isError).not.toBe(true);
  expect(content).toContainEqual(expect.objectContaining({ type: 'image' }));
});

it('opens no folder where the setting still holds its placeholder', async () => {
  const { content } = await look({ env: { ARTWORK_UPLOAD_ROOTS: unfilled('upload_roots') } });
  expect(JSON.stringify(content)).toContain('No folder is open for uploads: set ARTWORK_UPLOAD_ROOTS');
  expect(content).not.toContainEqual(expect.objectContaining({ type: 'image' }));
});
