import { mkdir, rename } from 'node:fs/promises';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { someAsset, startWholeService, visit } from '../mcp/whole-service.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';

/** Every text that the service shows to one account alone begins so, and goes on with the account's name. */
const canary = 'Quetzalcoatl';
const mutationId = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';

/** A service that shows each account texts of its own, a data folder before it, and a folder with a picture. */
async function before() {
  const [service, folder] = await Promise.all([startWholeService(), temporaryFolder()]);
  onTestFinished(async () => {
    await service.close();
    await folder.remove();
  });
  const pictures = path.join(folder.path, 'pictures');
  await mkdir(pictures);
  await rename(await writePoster(folder.path), path.join(pictures, 'poster.png'));
  const text = (what: string) => `${canary} ${what} of ${service.script.subject}`;
  const only = (route: string, data: () => unknown) =>
    service.spoil(route, () => JSON.stringify({ data: data() }));
  const ownSet = (id: number) => ({
    ...{ id, kind: 'movie_set', setKind: 'media_set', updatedAt: 'r1', title: text('set') },
    ...{ createdBy: text('maker'), target: { kind: 'movie', id: 7104, title: text('work') }, assets: [] },
  });
  only('GET owned Set', () => ownSet(7003));
  only('GET owned group', () => ({
    ...{ id: 7021, kind: 'boxset', updatedAt: 'r1', title: text('group'), createdBy: text('maker') },
    sets: [{ ...ownSet(7004), title: text('member') }],
  }));
  only('GET owned Asset', () => ({
    ...{ id: someAsset, updatedAt: 'r1', languageCode: 'en', slot: 'poster', path: '/images/one.png' },
    ...{ filename: text('file'), target: { kind: 'movie', id: 7106, title: text('target') } },
  }));
  only('GET upload-destinations', () => [ownSet(7003), { ...ownSet(7005), title: text('destination') }]);
  const env = {
    ARTWORK_HOME: path.join(folder.path, 'home'),
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
    ARTWORK_UPLOAD_ROOTS: folder.path,
    ARTWORK_INDEX: 'passive',
  };
  return {
    pictures,
    async start(user: string): Promise<StartedServer> {
      const server = await startServer({ ...env, ARTWORK_USER: user });
      onTestFinished(async () => void (await server.stop()));
      return server;
    },
    async signIn(server: StartedServer, subject: string): Promise<void> {
      Object.assign(service.script, { subject, name: `${canary} person of ${subject}` });
      await visit(service, (await server.call('connect_account')).structuredContent);
    },
  };
}

/** Names of what was kept, by which another could ask for it. */
const handles = z.looseObject({ planId: z.string(), page: z.string() });

/** Reads all that the account may see, and leaves of it all that can be left. */
async function leaveTraces(server: StartedServer, pictures: string): Promise<z.output<typeof handles>> {
  const told = async (tool: string, args: Record<string, unknown>) => {
    const result = await server.call(tool, args);
    expect(result.isError, JSON.stringify(result.content).slice(0, 400)).toBeUndefined();
    return result.structuredContent;
  };
  await told('get_owned', { type: 'set', id: 7003 });
  await told('get_owned', { type: 'group', id: 7021 });
  await told('get_owned', { type: 'asset', id: someAsset });
  await told('find_upload_destinations', { kind: 'media_set' });
  await told('watch', { add: [{ kind: 'movie', id: 4242 }] });
  await told('create_group', {
    ...{ kind: 'boxset', title: `${canary} boxset of ada`, setIds: [7003] },
    ...{ clientMutationId: mutationId, expectedUpdatedAt: 'none' },
  });
  const entry = { entryTargetKind: 'movie', entryTargetId: 7104, setId: 7003 };
  return handles.parse(await told('plan_set', { folder: pictures, ...entry, page: true }));
}

/** Everything that somebody can ask without knowing more than the names of what was kept. */
async function askEverything(server: StartedServer, { planId, page }: z.output<typeof handles>) {
  const item = { planId, items: [{ file: 'poster.png' }] };
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ...['set', 'creator', 'boxset', 'movie'].map(
      (kind) => ['find_titles', { query: canary.slice(0, -1), kind }] as const,
    ),
    ...[7104, 7106].map((targetId) => ['find_titles', { targetKind: 'movie', targetId }] as const),
    ['list_mutations', { state: 'succeeded' }],
    ['get_mutation_status', { clientMutationId: mutationId }],
    ['view_artwork', item],
    ['watch', {}],
    ['account_status', {}],
  ];
  const answers: unknown[] = [];
  for (const [tool, args] of calls) answers.push(await server.call(tool, args));
  const { client } = server;
  const uri = `ui://artwork-mcp/page/${path.basename(new URL(page).pathname, '.html')}/1`;
  answers.push(await client.readResource({ uri }).catch(String), server.stderr());
  return JSON.stringify(answers);
}

/** What is told of an account: its texts, what it watches, and the files of its plan. */
const ofAda = /Quetzalcoatl[^"\\]{0,40}\bof ada\b|\b4242\b|poster\.png/g;

it('what the service has shown to one account reaches neither another user nor another account', async () => {
  const { pictures, start, signIn } = await before();
  const ada = await start('ada');
  await signIn(ada, 'ada');
  const kept = await leaveTraces(ada, pictures);
  const own = await askEverything(ada, kept);
  for (const what of ['boxset', 'person']) expect(own, what).toContain(`${canary} ${what} of ada`);
  for (const what of ['4242', 'poster.png', '"text":"1/1\\n']) expect(own).toContain(what);

  // Another user of the same data folder, without an account and with one.
  const ben = await start('ben');
  expect((await askEverything(ben, kept)).match(ofAda)).toBeNull();
  await signIn(ben, 'ben');
  expect((await askEverything(ben, kept)).match(ofAda)).toBeNull();

  // The same user without an account, and with another one, in a new process too.
  await ada.call('disconnect_account');
  expect((await askEverything(ada, kept)).match(ofAda)).toBeNull();
  await signIn(ada, 'carl');
  expect((await askEverything(ada, kept)).match(ofAda)).toBeNull();
  expect((await askEverything(await start('ada'), kept)).match(ofAda)).toBeNull();

  // And nothing is lost: the first account finds its own again.
  await ada.call('disconnect_account');
  await signIn(ada, 'ada');
  const again = await askEverything(ada, kept);
  expect(again).toContain('boxset of ada');
  expect(again).toContain('4242');
  expect(again).not.toContain('of carl');
});
