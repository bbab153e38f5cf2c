import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { signInTo } from './answers/sign-in.ts';
import { startWholeService, type WholeService } from './answers/whole-service.ts';

let service: WholeService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let one: StartedServer;
let other: StartedServer;

beforeAll(async () => {
  [service, folder] = await Promise.all([startWholeService(), temporaryFolder()]);
  const env = {
    ARTWORK_HOME: path.join(folder.path, 'home'),
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
    ARTWORK_INDEX: 'off',
  };
  [one, other] = await Promise.all([startServer(env), startServer(env)]);
});
afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await service.close();
  await folder.remove();
});

async function signIn(subject: string): Promise<void> {
  Object.assign(service.script, { subject });
  await signInTo(service, other);
}

it('a page is made for no account but the one that its records were read for', async () => {
  await signIn('ada');
  const set = { id: 7003, kind: 'movie_set', setKind: 'media_set', updatedAt: 'r1', title: 'Of ada' };
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let ask = () => {};
  const asked = new Promise<void>((resolve) => (ask = resolve));
  service.spoil('GET upload-destinations', () => JSON.stringify({ data: [set] }));
  service.spoil('GET owned Set', async () => {
    ask();
    await released;
    return JSON.stringify({ data: { ...set, movie: { id: 5, title: 'A film' }, assets: [] } });
  });
  const call = one.call('audit_sets', { mine: true, page: true });
  await asked;
  await other.call('disconnect_account');
  await signIn('carl');
  release();

  const { error, next } = errorOf(await call);
  expect(error).toMatchObject({ category: 'not_connected' });
  expect(next).toMatchObject({ why: expect.stringContaining('The same call') });
  const pages = await readdir(path.join(folder.path, 'home', 'pages')).catch(() => []);
  expect(pages).toEqual([]);
});
