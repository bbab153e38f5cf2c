import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, signInThrough, startConnected } from '../support/connected.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';
import { endCatalogue, someArtwork } from './end-catalogue.ts';

// A server goes on for days; the embedded catalogue ends when nothing has used it for a quarter of an hour.
let household: FailingHousehold;
let server: StartedServer;
let env: Record<string, string>;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  household = await startFailingHousehold();
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startConnected(household, env);
});
afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

const token = z.looseObject({ expiresAt: z.string() });
const waiting = z.object({ state: z.literal('waiting'), url: z.url() });

const succeed = async (tool: string, args: Record<string, unknown> = {}, by = server) => {
  const answer = await by.call(tool, args);
  expect(answer.isError, JSON.stringify(answer.content).slice(0, 600)).toBeUndefined();
  return answer;
};

describe('a catalogue that was killed is brought back by', () => {
  it('a public read', async () => {
    await endCatalogue(household.home);
    await succeed('list_episodes', { limit: 2 });
  });

  it('a picture', async () => {
    const { path } = await someArtwork(server);
    await endCatalogue(household.home);
    await succeed('view_artwork', { items: [{ path }] });
  });

  it('a change, which is made once', async () => {
    const file = await writePoster(folder.path);
    const target = { targetKind: 'category', targetId: (await someArtwork(server)).category, slot: 'poster' };
    const clientMutationId = randomUUID();
    await endCatalogue(household.home);
    const call = { clientMutationId, expectedUpdatedAt: null, operation: 'add', ...target, file };
    expect((await succeed('upload_asset', call)).structuredContent).toMatchObject({ outcome: 'succeeded' });
  });

  it('the address of a sign-in, whose page is served', async () => {
    await endCatalogue(household.home);
    const { url } = waiting.parse((await succeed('connect_account')).structuredContent);
    expect(await status(url)).toBeLessThan(400);
    await fetch(await household.agree(url));
    expect((await succeed('account_status')).structuredContent).toMatchObject({ signIn: { state: 'done' } });
  });

  it('the exchange of a sign-in’s code', async () => {
    const { url } = waiting.parse((await succeed('connect_account')).structuredContent);
    const callback = await household.agree(url);
    await endCatalogue(household.home);
    expect(await (await fetch(callback)).text()).toContain('Connected');
  });

  it('disconnecting', async () => {
    await endCatalogue(household.home);
    const { structuredContent } = await succeed('disconnect_account');
    expect(structuredContent).toMatchObject({ outcome: 'disconnected' });
    await signInThrough(server, household);
  });

  it('a command', async () => {
    for (const command of [['doctor'], ['status'], ['mutations'], ['disconnect']]) {
      await endCatalogue(household.home);
      const { code, stdout, stderr } = await runCli(command, env);
      expect(code, stdout + stderr).toBe(0);
    }
    await signInThrough(server, household);
  });
});

it('a renewal brings it back', async () => {
  const short = await startFailingHousehold(['--token-lifetime', '1']);
  const other = await startConnected(short, await registered(short));
  try {
    const { expiresAt } = token.parse((await other.call('account_status')).structuredContent);
    await expect.poll(() => Date.now() > Date.parse(expiresAt)).toBe(true);
    await endCatalogue(short.home);
    await succeed('list_relationships', {}, other);
  } finally {
    await other.stop();
    await short.remove();
  }
});

/** Of a page, as a browser asks for it; 599 where nothing is served. */
async function status(url: string): Promise<number> {
  return fetch(url, { redirect: 'manual' }).then(
    (answer) => answer.status,
    () => 599,
  );
}
