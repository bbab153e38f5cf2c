import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { copiesFolder } from '../../src/files/copies.ts';
import { dataFolder } from '../../src/sandbox/launch.ts';
import { allScopes, type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { cli } from '../support/client.ts';
import { initialize, type RawServer, startRawServer } from '../support/raw-server.ts';
import { runCli } from '../support/run-cli.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { writePoster } from '../support/unique-pictures.ts';
import { spellingsOf } from './spellings.ts';

/** Stands in every picture that is uploaded, in clear. */
const marker = `canary${randomBytes(24).toString('hex')}`;

let household: FailingHousehold;
/** Holds the pictures, the programs' temporary folder, and, apart from both, what was on the wire. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
const within = (name: string) => path.join(folder.path, name);
/** Everything that somebody could read, by what it is. */
const shown = new Map<string, string>();
const servers: RawServer[] = [];

beforeAll(async () => {
  folder = await temporaryFolder();
  await Promise.all(['pictures', 'tmp', 'wire'].map((name) => mkdir(within(name))));
  household = await startFailingHousehold(['--publication-lag', '0.2']);
});

afterAll(async () => {
  for (const server of servers) server.process.kill('SIGKILL');
  await Promise.all(servers.map((server) => server.exit().then(() => server.remove())));
  await household.remove();
  await folder.remove();
});

function settings(app: Record<string, string>): Record<string, string> {
  const wiretap = pathToFileURL(path.join(import.meta.dirname, 'wiretap.mjs')).href;
  return {
    ...app,
    NODE_OPTIONS: `--import=${wiretap}`,
    ARTWORK_TEST_WIRE: path.join(within('wire'), 'all'),
    ARTWORK_UPLOAD_ROOTS: within('pictures'),
    ARTWORK_LOG_LEVEL: 'debug',
    TMPDIR: within('tmp'),
  };
}

interface Host {
  readonly server: RawServer;
  call(tool: string, args?: Record<string, unknown>): Promise<z.infer<typeof answer>>;
}

const answer = z.looseObject({
  isError: z.boolean().optional(),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })),
});

async function startHost(env: Record<string, string>): Promise<Host> {
  const server = await startRawServer(env);
  servers.push(server);
  server.send(initialize);
  await server.answer(1);
  server.send({ method: 'notifications/initialized' });
  let id = 1;
  return {
    server,
    async call(tool, args = {}) {
      const own = ++id;
      const _meta = { progressToken: own };
      server.send({ id: own, method: 'tools/call', params: { name: tool, arguments: args, _meta } });
      return z.object({ result: answer }).parse(await server.answer(own)).result;
    },
  };
}

function show(name: string, text: string): void {
  shown.set(`${name} ${shown.size}`, text);
}

/** The confidential client's sign-in: `connect` takes the callback that a person pastes. */
async function connectByPasting(env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, [cli, 'connect', '--no-browser'], {
    env: { PATH: process.env.PATH ?? '', ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const [url] = await once(createInterface({ input: child.stdout }), 'line');
  child.stdin.write(`${await household.agree(String(url))}\n`);
  const [code] = await once(child, 'close');
  expect(code, printed).toBe(0);
  show('connect', printed);
}

const saved = z.object({ id: z.object({ id: z.string() }), updatedAt: z.string() });

/** What a curator does in a day, and what goes wrong in it. */
async function work(host: Host, targetId: number): Promise<void> {
  const { fail } = household.control;
  const upload = async (more: Record<string, unknown> = {}) => ({
    clientMutationId: randomUUID(),
    expectedUpdatedAt: null,
    file: await writePoster(within('pictures'), `${marker}${randomUUID()}`),
    operation: 'add',
    slot: 'poster',
    targetKind: 'category',
    targetId,
    ...more,
  });
  const first = await host.call('upload_asset', await upload());
  const {
    id: { id: assetId },
    updatedAt,
  } = saved.parse(first.structuredContent);
  const replace = { operation: 'replace', previousAssetId: assetId, expectedUpdatedAt: updatedAt };
  await host.call('upload_asset', await upload(replace));
  for (const fault of troubles) {
    const args = await upload();
    await fail({ method: 'POST', path: '/me/assets', ...fault });
    await host.call('upload_asset', args);
    await host.call('get_mutation_status', { clientMutationId: args.clientMutationId });
  }
  // The token expires in the middle, and is renewed.
  const args = await upload();
  const query = { clientMutationId: args.clientMutationId };
  await fail({ method: 'POST', path: '/me/assets', query, do: 'expire_token', when: 'before' });
  expect((await host.call('upload_asset', args)).structuredContent).toMatchObject({ outcome: 'succeeded' });
  // The service quotes the token that it was sent, to a read and to a mutation.
  const token = (await secretsByKind()).accessTokens?.at(-1);
  const quoting = { error: { code: 'quoted', message: `Not ${token}.`, details: { token }, issues: [] } };
  const quoted = { do: 'answer', when: 'before', status: 400, body: quoting };
  await fail({ method: 'GET', path: '/me/relationships', ...quoted });
  expect(JSON.stringify(await host.call('list_relationships'))).toContain('“Not [secret]”.');
  await fail({ method: 'POST', path: '/me/assets', ...quoted });
  expect(JSON.stringify(await host.call('upload_asset', await upload()))).toContain('“Not [secret]”.');
  await host.call('list_mutations', {});
  await host.call('account_status');
}

const told = { error: { code: 'test.told', message: 'As it was told.', details: {}, issues: [] } };
/** Those whose fate is known at once, or soon: a canary needs no patience. */
const troubles = [
  { do: 'answer', when: 'after', status: 503, body: told },
  { do: 'cut', when: 'after' },
  { do: 'truncate' },
];

/** A Set whose pictures are kept, and stay so: the server is killed in the middle. */
async function leaveKeptBytes(host: Host, targetId: number): Promise<void> {
  const file = await writePoster(within('pictures'), `${marker}${randomUUID()}`);
  await household.control.fail({
    method: 'POST',
    path: '/me/set-uploads/*/assets',
    do: 'silence',
    when: 'received',
    milliseconds: 5_000,
  });
  const begun = host.call('create_media_set', {
    clientMutationId: randomUUID(),
    expectedUpdatedAt: null,
    entryTargetKind: 'movie',
    entryTargetId: targetId,
    titleBase: 'Left in the middle',
    languageCode: 'en',
    finalised: false,
    declaredFiles: [{ file, targetKind: 'movie', targetId, slot: 'poster' }],
  });
  begun.catch(() => undefined);
  while ((await household.control.left('/me/set-uploads/*/assets')) > 0) await household.control.effects();
  host.server.process.kill('SIGKILL');
  await host.server.exit();
}

async function wireText(): Promise<string> {
  return readFile(path.join(within('wire'), 'all'), 'latin1');
}

/** Every secret that was on the wire until now, the latest of each kind last. */
async function secretsByKind(): Promise<Record<string, string[]>> {
  const wire = await wireText();
  const all = (pattern: RegExp) => [
    ...new Set(Array.from(wire.matchAll(pattern), ([, found = '']) => found)),
  ];
  const sent = (name: string) => all(new RegExp(`(?:^|&)${name}=([^&\\s]+)`, 'gm')).map(decodeURIComponent);
  const received = (name: string) => all(new RegExp(`"${name}":"([^"]+)"`, 'g'));
  return {
    accessTokens: [...new Set([...received('access_token'), ...all(/authorization: Bearer (\S+)/gi)])],
    refreshTokens: [...new Set([...received('refresh_token'), ...sent('refresh_token'), ...sent('token')])],
    idTokens: received('id_token'),
    codes: sent('code'),
    verifiers: sent('code_verifier'),
  };
}

/** Every file below a folder but for those of these names, with its path as the first line. */
async function filesBelow(root: string, apart: readonly RegExp[] = []): Promise<[string, string][]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name));
  const chosen = names.filter((name) => !apart.some((pattern) => pattern.test(path.relative(root, name))));
  return Promise.all(
    chosen.map(
      async (name) =>
        [name, `${path.relative(root, name)}\n${await readFile(name, 'latin1')}`] as [string, string],
    ),
  );
}

it('nothing secret, and no byte of an upload, is anywhere but where it belongs', async () => {
  const app = await household.register({
    type: 'confidential',
    redirectUri: 'https://elsewhere.example/artwork/callback',
    scopes: allScopes,
  });
  const env = settings(app);
  await connectByPasting(env);
  const host = await startHost(env);
  const feed = await host.call('read_feed', { feed: 'assets', targetKind: 'category', limit: 1 });
  const changes = z.object({ data: z.tuple([z.object({ target: z.object({ id: z.int() }) })]) });
  const category = changes.parse(feed.structuredContent).data[0].target.id;
  const films = await host.call('read_feed', { feed: 'assets', targetKind: 'movie', limit: 1 });
  const movie = changes.parse(films.structuredContent).data[0].target.id;
  await work(host, category);
  for (const command of [['status', '--json'], ['doctor'], ['mutations', '--json']]) {
    const { stdout, stderr } = await runCli(command, env);
    show(command.join(' '), stdout + stderr);
  }
  await leaveKeptBytes(host, movie);

  const again = await startHost(env);
  await again.call('disconnect_account');

  for (const { server } of [host, again]) {
    show('frames', server.lines().join('\n'));
    show('log', server.stderr());
  }
  show("the catalogue's log", household.printed());
  const sandbox = path.relative(household.home, dataFolder(household.home));
  const apart = [
    new RegExp(`^${path.basename(copiesFolder)}/`),
    new RegExp(`^${sandbox}/(catalogue\\.db|uploads/)`),
  ];
  for (const [name, text] of await filesBelow(household.home, apart)) shown.set(name, text);
  for (const [name, text] of await filesBelow(within('tmp'))) shown.set(name, text);

  // What is looked for is really there to be found: on the wire, and where it belongs.
  const kinds = await secretsByKind();
  for (const [kind, secrets] of Object.entries(kinds)) expect(secrets.length, kind).toBeGreaterThan(0);
  const [kept, pictures] = await Promise.all([
    filesBelow(path.join(household.home, copiesFolder)),
    filesBelow(path.join(dataFolder(household.home), 'uploads')),
  ]);
  for (const files of [kept, pictures]) expect(files.some(([, text]) => text.includes(marker))).toBe(true);
  expect([...shown.keys()].filter((name) => name.endsWith('store.db'))).toHaveLength(1);
  expect([...shown.values()].join('').length).toBeGreaterThan(50_000);

  const wanted = [
    ...Object.entries(kinds),
    ['uploadBytes', [marker]],
    ['clientSecret', [app.ARTWORK_CLIENT_SECRET ?? '']],
  ] as const;
  const found = wanted.flatMap(([kind, secrets]) =>
    secrets.flatMap((secret) =>
      [...shown].flatMap(([name, text]) =>
        spellingsOf(secret).some((spelling) => text.includes(spelling)) ? [`${kind} in ${name}`] : [],
      ),
    ),
  );
  expect([...new Set(found)]).toEqual([]);
});
