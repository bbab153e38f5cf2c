import { readFile } from 'node:fs/promises';
import path from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startServer } from '../support/client.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let store: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const home = path.join(folder.path, 'home');
  store = path.join(home, 'store.db');
  env = { ARTWORK_HOME: home, ARTWORK_BASE_URL: 'http://127.0.0.1:9', ARTWORK_CLIENT_ID: 'app' };
  expect(await runCli(['status'], env)).toMatchObject({ code: 0 });
});
afterAll(() => folder.remove());

/** The number that this program writes, put in by another one. */
function renumber(number: number): void {
  const database = new Libsql(store);
  database.exec(`PRAGMA user_version = ${number}; PRAGMA wal_checkpoint(TRUNCATE)`);
  database.close();
}

describe.each([0, 1_000])('a store with the schema number %i', (number) => {
  let before: Buffer;
  beforeEach(async () => {
    renumber(number);
    before = await readFile(store);
  });

  it('is refused by a command in one line that says what to do, and stays as it is', async () => {
    const { code, stdout, stderr } = await runCli(['status'], env);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const [line, ...rest] = stderr.trimEnd().split('\n');
    expect(rest).toEqual([]);
    expect(line).toContain(`${store} has schema ${number}`);
    expect(await readFile(store)).toEqual(before);
  });

  it('is refused by the server to its host, which goes on with what needs no store', async () => {
    const server = await startServer(env);
    const { isError, content } = await server.call('account_status');
    expect({ isError, content }).toEqual({
      isError: true,
      content: [{ type: 'text', text: expect.stringContaining(`${store} has schema ${number}`) }],
    });
    const [first] = content;
    const [sentence] = first?.type === 'text' ? first.text.split('\n') : [];
    expect(sentence).toBe(
      'account_status failed (store_other_schema: its store was written by another version).',
    );
    expect((await server.client.listTools()).tools.length).toBeGreaterThan(0);
    await server.stop();
    expect(await readFile(store)).toEqual(before);
  });
});

it('opens again once it has its own number', async () => {
  renumber(2);
  expect(await runCli(['status'], env)).toMatchObject({ code: 0 });
});
