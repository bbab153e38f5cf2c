import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { allScopes, type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { endCatalogue, someArtwork, type Stranger, strangerAt } from '../support/end-catalogue.ts';
import { startConnect } from '../support/start-connect.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

// Another program, perhaps another user's, takes the port of a catalogue that has ended.
let household: FailingHousehold;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let stranger: Stranger;
let port: number;
let artwork: Awaited<ReturnType<typeof someArtwork>>;
/** Its access token is good, and a sign-in waits. */
let server: StartedServer;
let env: Record<string, string>;
let callback: string;
/** A confidential client whose access token has ended. */
let ended: StartedServer;

const waiting = z.object({ url: z.url() });

beforeAll(async () => {
  [folder, household] = await Promise.all([
    temporaryFolder(),
    startFailingHousehold(['--token-lifetime', '1']),
  ]);
  const confidential = await household.register({
    type: 'confidential',
    redirectUri: 'https://elsewhere.example/callback',
    scopes: allScopes,
  });
  const connecting = startConnect(confidential);
  connecting.paste(await household.agree(await connecting.url()));
  expect(await connecting.end()).toMatchObject({ code: 0 });
  ended = await startServer(confidential);
  await ended.call('list_episodes', { limit: 1 });

  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startServer(env);
  await endCatalogue(household.home);
  await signInThrough(server, household);
  artwork = await someArtwork(server);
  const { url } = waiting.parse((await server.call('connect_account')).structuredContent);
  callback = await household.agree(url);
  // Else it would bring the catalogue back for the person who is on its page, before the port is taken.
  process.kill(server.pid, 'SIGSTOP');
  port = await endCatalogue(household.home);
  stranger = await strangerAt(port);
  process.kill(server.pid, 'SIGCONT');
});
afterAll(async () => {
  await stranger.leave();
  await Promise.all([server.stop(), ended.stop()]);
  await household.remove();
  await folder.remove();
});

const held = () => `Port ${port} of the embedded catalogue is held by another web server. End that, or `;

it('no call takes it for the catalogue, and each says what holds the port and what to do', async () => {
  const file = await writePoster(folder.path);
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['list_episodes', { limit: 2 }],
    ['list_relationships', {}],
    ['find_upload_destinations', { kind: 'media_set' }],
    [
      'upload_asset',
      {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: null,
        operation: 'add',
        targetKind: 'category',
        targetId: artwork.category,
        slot: 'poster',
        file,
      },
    ],
    ['connect_account', {}],
  ];
  for (const [tool, args] of calls) {
    const { error, next } = errorOf(await server.call(tool, args));
    expect(error, tool).toMatchObject({
      category: 'service_unavailable',
      message: expect.stringContaining(held()),
    });
    expect(next, tool).toMatchObject({ why: expect.stringContaining('A person has to mend') });
  }
  expect(JSON.stringify(await server.call('view_artwork', { items: [{ path: artwork.path }] }))).toContain(
    held(),
  );
  // It would have to be renewed, with a refresh token and the app's secret.
  expect(errorOf(await ended.call('list_relationships')).error).toMatchObject({
    message: expect.stringContaining(held()),
  });
});

it('a sign-in that waited ends, with the same words', async () => {
  // Its listener may be gone by now; where it is not, the code must not be passed on.
  await fetch(callback).catch((error: unknown) => expect(error).toBeInstanceOf(TypeError));
  await expect
    .poll(async () => (await server.call('account_status')).structuredContent)
    .toMatchObject({ signIn: { state: 'failed', message: expect.stringContaining(held()) } });
});

it('disconnecting blocks the connection, and says why it could not be revoked', async () => {
  const { structuredContent } = await server.call('disconnect_account');
  expect(structuredContent).toMatchObject({
    outcome: 'not_revoked',
    explanation: expect.stringContaining(
      `Port ${port} of the embedded catalogue is held by another web server`,
    ),
  });
});

it('commands say so too', async () => {
  for (const command of [['doctor'], ['disconnect'], ['connect', '--no-browser']]) {
    const { code, stdout, stderr } = await runCli(command, env);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain(held());
  }
});

it('it is sent nothing but the question who it is', () => {
  const requests = stranger.heard().split('\r\n\r\n').slice(0, -1);
  expect(requests.length).toBeGreaterThan(6);
  for (const request of requests) {
    expect(request).toMatch(/^GET \/\.sandbox\/hello\?nonce=[0-9a-f]{64}(&join=1)?(&keep=1)? HTTP\/1\.1\r\n/);
    expect(request).not.toMatch(/authorization|cookie|token|secret|code=/i);
  }
});

it('once it has gone, what was begun is finished', async () => {
  await stranger.leave();
  const { structuredContent } = await server.call('disconnect_account');
  expect(structuredContent).toMatchObject({ outcome: 'disconnected' });
  expect((await ended.call('list_relationships')).isError).toBeUndefined();
});
