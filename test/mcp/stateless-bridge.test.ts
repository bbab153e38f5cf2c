import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

/** What `connect_account` answers a host of this name, against a service that is not asked anything. */
async function connectAccount(name: string): Promise<string> {
  const client = new Client({ name, version: '4.0.0' });
  const env = {
    ...process.env,
    ARTWORK_HOME: folder.path,
    ARTWORK_BASE_URL: 'http://127.0.0.1:9',
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: 'https://app.example/callback',
  };
  const given = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/cli.js', 'serve'],
      env: Object.fromEntries(given),
      stderr: 'ignore',
    }),
  );
  try {
    return JSON.stringify(await client.callTool({ name: 'connect_account', arguments: {} }));
  } finally {
    await client.close();
  }
}

it('a sign-in behind a bridge that ends the server with its answer is not begun, and says what to do', async () => {
  const answer = await connectAccount('supergateway');
  expect(answer).toContain('sign_in_cut_off');
  expect(answer).toContain('ends it with the answer');
  expect(answer).toMatch(/connect` in a terminal/);
  // Another host is not taken for one.
  expect(await connectAccount('another-host')).not.toContain('sign_in_cut_off');
});
