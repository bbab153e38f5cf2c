import { mkdir, readdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type StartedServer, startServer } from '../support/client.ts';
import { freePort } from '../support/free-port.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';
import { someAsset, startWholeService, visit, type WholeService } from '../support/whole-service.ts';

/** Every text that the service shows to one account alone begins so, and goes on with the account's name. */
const canary = 'Quetzalcoatl';
const mutationId = '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f10';

let service: WholeService;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
const servers: StartedServer[] = [];

beforeAll(async () => {
  [service, folder] = await Promise.all([startWholeService(), temporaryFolder()]);
  env = {
    ARTWORK_HOME: path.join(folder.path, 'home'),
    ARTWORK_BASE_URL: service.baseUrl,
    ARTWORK_CLIENT_ID: 'app',
    ARTWORK_REDIRECT_URI: `http://127.0.0.1:${await freePort()}/callback`,
    ARTWORK_UPLOAD_ROOTS: folder.path,
    ARTWORK_INDEX: 'passive',
  };
  const only = (route: string, data: () => unknown) =>
    service.spoil(route, () => JSON.stringify({ data: data() }));
  only('GET owned Set', () => ownSet(7003));
  only('GET owned group', () => ({
    ...{ id: 7021, kind: 'boxset', updatedAt: 'r1', title: text('group'), createdBy: text('maker') },
    sets: [
      {
        id: 7004,
        kind: 'movie_set',
        title: text('member'),
        target: { kind: 'movie', id: 7105, title: text('film') },
      },
    ],
  }));
  only('GET owned Asset', () => ({
    ...{ id: someAsset, updatedAt: 'r1', languageCode: 'en', slot: 'poster', path: '/images/one.png' },
    ...{ filename: text('file'), target: { kind: 'movie', id: 7106, title: text('target') } },
  }));
  only('GET upload-destinations', () => [ownSet(7003), { ...ownSet(7005), title: text('destination') }]);
  only('GET relationships', () => [
    {
      targetKind: 'user',
      targetId: 'u1',
      relationship: 'follow',
      updatedAt: 'r1',
      target: { name: text('friend') },
    },
  ]);
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await service.close();
  await folder.remove();
});

const text = (what: string) => `${canary} ${what} of ${service.script.subject}`;
const ownSet = (id: number) => ({
  ...{
    id,
    kind: 'movie_set',
    setKind: 'media_set',
    updatedAt: 'r1',
    title: text('set'),
    createdBy: text('maker'),
  },
  movie: { id: 7104, title: text('work'), poster: '/images/one.png' },
  target: { kind: 'movie', id: 7104, title: text('work') },
  assets: [
    {
      id: someAsset,
      slot: 'poster',
      target: { kind: 'movie', id: 7104 },
      updatedAt: 'r1',
      languageCode: 'en',
    },
  ],
});

async function start(user: string): Promise<StartedServer> {
  const server = await startServer({ ...env, ARTWORK_USER: user });
  servers.push(server);
  return server;
}

async function signIn(server: StartedServer, subject: string): Promise<void> {
  Object.assign(service.script, { subject, name: `${canary} person of ${subject}` });
  await visit(service, (await server.call('connect_account')).structuredContent);
}

/** Names of what was kept, by which another could ask for it. */
interface Handles {
  readonly planId: string;
  readonly auditCursor: string;
  readonly changesCursor: string | null;
  readonly page: string;
}

const planned = z.looseObject({ planId: z.string(), page: z.string() });
const paged = z.looseObject({ nextCursor: z.string().nullable() });

/** Reads all that the account may see, and leaves of it all that can be left. */
async function leaveTraces(server: StartedServer, pictures: string): Promise<Handles> {
  const told = async (tool: string, args: Record<string, unknown> = {}) => {
    const result = await server.call(tool, args);
    expect(result.isError, JSON.stringify(result.content).slice(0, 400)).toBeUndefined();
    return result.structuredContent;
  };
  const seen = [
    await told('get_owned', { type: 'set', id: 7003 }),
    await told('get_owned', { type: 'group', id: 7021 }),
    await told('get_owned', { type: 'asset', id: someAsset }),
    await told('find_upload_destinations', { kind: 'media_set' }),
    await told('list_relationships'),
    await told('account_status'),
  ];
  const words = [
    'set',
    'group',
    'file',
    'destination',
    'friend',
    'person',
    'member',
    'film',
    'target',
    'work',
  ];
  for (const word of words) expect(JSON.stringify(seen)).toContain(`${canary} ${word}`);
  await told('watch', { add: [{ kind: 'movie', id: 4242 }] });
  const plan = planned.parse(
    await told('plan_set', {
      ...{ folder: pictures, entryTargetKind: 'movie', entryTargetId: 7104, setId: 7003 },
      page: true,
    }),
  );
  const audit = paged.parse(await told('audit_sets', { mine: true, limit: 1 }));
  const changes = paged.parse(await told('list_changes', { scope: 'mine', since: '2025-12-01', limit: 1 }));
  await told('create_group', {
    ...{ kind: 'boxset', title: text('boxset'), description: text('words'), setIds: [7003] },
    ...{ clientMutationId: mutationId, expectedUpdatedAt: 'none' },
  });
  return {
    planId: plan.planId,
    auditCursor: z.string().parse(audit.nextCursor),
    changesCursor: changes.nextCursor,
    page: path.basename(new URL(plan.page).pathname, '.html'),
  };
}

/** Everything that somebody can ask without knowing more than the names of what was kept. */
async function askEverything(server: StartedServer, handles: Handles): Promise<string> {
  const answers: unknown[] = [];
  const call = async (tool: string, args: Record<string, unknown> = {}) => {
    answers.push({ tool, args: Object.keys(args), result: await server.call(tool, args) });
  };
  for (const kind of ['set', 'asset', 'creator', 'boxset', 'movie', undefined]) {
    const of = kind === undefined ? {} : { kind };
    await call('find_titles', { query: canary.slice(0, -1), ...of });
    await call('find_titles', { query: `${canary.slice(0, 8)} maker of ada`, ...of });
  }
  for (const targetId of [7104, 7105, 7106]) await call('find_titles', { targetKind: 'movie', targetId });
  await call('find_titles', { createdBy: canary.slice(0, -1) });
  for (const state of [undefined, 'open', 'succeeded'])
    await call('list_mutations', state === undefined ? {} : { state });
  await call('get_mutation_status', { clientMutationId: mutationId });
  await call('resume_mutation', { clientMutationId: mutationId, expectedUpdatedAt: 'none' });
  await call('view_artwork', { planId: handles.planId, items: [{ file: 'poster.png' }] });
  const cursor = { cursor: handles.auditCursor };
  await call('audit_sets', { mine: true, limit: 1, ...cursor });
  await call('audit_sets', { mine: true });
  if (handles.changesCursor !== null)
    await call('list_changes', {
      scope: 'mine',
      since: '2025-12-01',
      limit: 1,
      cursor: handles.changesCursor,
    });
  await call('list_changes', { scope: 'watched' });
  await call('watch');
  await call('account_status');
  await call('edit_set', {
    ...{ setId: 7003, setKind: 'media_set', planId: handles.planId, dryRun: true },
    ...{ clientMutationId: '5f0c0e5e-5f63-4d3c-9a55-0d9a6c1f5f11', expectedUpdatedAt: 'r1' },
  });
  const { client } = server;
  for (const [name, argument] of [
    ['curate_show', 'show'],
    ['onboard', 'title'],
    ['make_title_card_set', 'show'],
  ] as const) {
    const ref = { type: 'ref/prompt' as const, name };
    answers.push(
      await client.complete({ ref, argument: { name: argument, value: canary.slice(0, -1) } }).catch(String),
    );
  }
  for (const kind of ['show', 'movie', 'movie_set', 'boxset']) {
    for (const value of [canary.slice(0, -1), '70', '71']) {
      const ref = { type: 'ref/resource' as const, uri: `artwork://${kind}/{id}` };
      answers.push(await client.complete({ ref, argument: { name: 'id', value } }));
    }
  }
  const uri = `ui://artwork-mcp/page/${handles.page}/1`;
  answers.push(await client.readResource({ uri }).catch(String));
  for (const prompt of (await client.listPrompts()).prompts) answers.push(prompt);
  answers.push(await client.listResources().catch(String), server.stderr());
  return JSON.stringify(answers);
}

/** What is told of an account: its texts, what it watches, and the files of its plan. */
const ofAda = /Quetzalcoatl[^"\\]{0,40}\bof ada\b|\b4242\b|poster\.png/g;

/** Titles that everybody's index of the data folder has in clear. */
async function sharedIndex(): Promise<string> {
  const titles = path.join(env.ARTWORK_HOME ?? '', 'titles');
  const names = (await readdir(titles)).filter((name) => !name.includes('-own-'));
  expect(names.length).toBeGreaterThan(0);
  return (await Promise.all(names.map((name) => readFile(path.join(titles, name), 'latin1')))).join();
}

it('what the service has shown to one account reaches neither another user nor another account', async () => {
  const pictures = path.join(folder.path, 'pictures');
  await mkdir(pictures);
  await rename(await writePoster(folder.path), path.join(pictures, 'poster.png'));
  const ada = await start('ada');
  await signIn(ada, 'ada');
  const handles = await leaveTraces(ada, pictures);
  const own = await askEverything(ada, handles);
  for (const what of ['set', 'group', 'file', 'destination', 'member', 'film', 'target', 'work', 'person'])
    expect(own, what).toContain(`${canary} ${what} of ada`);
  // Watches, the plan's file and the page, whose parts come behind their number.
  for (const kept of ['4242', 'poster.png', '"text":"1/1\\n']) expect(own).toContain(kept);
  expect(await sharedIndex()).not.toContain(canary);

  // Another user of the same data folder, without an account and with one.
  const ben = await start('ben');
  expect((await askEverything(ben, handles)).match(ofAda)).toBeNull();
  await signIn(ben, 'ben');
  expect((await askEverything(ben, handles)).match(ofAda)).toBeNull();

  // The same user without an account, and with another one: in the same process, and in a new one.
  expect((await ada.call('disconnect_account')).structuredContent).toMatchObject({ outcome: 'disconnected' });
  expect((await askEverything(ada, handles)).match(ofAda)).toBeNull();
  await signIn(ada, 'carl');
  expect((await askEverything(ada, handles)).match(ofAda)).toBeNull();
  expect((await askEverything(await start('ada'), handles)).match(ofAda)).toBeNull();

  // And nothing is lost: the first account finds its own again.
  await ada.call('disconnect_account');
  await signIn(ada, 'ada');
  const again = await askEverything(ada, handles);
  for (const what of ['set', 'group', 'file', 'member', 'film', 'target'])
    expect(again, what).toContain(`${canary} ${what} of ada`);
  expect(again).toContain('4242');
  expect(again).not.toContain('of carl');
}, 120_000);
