import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { changes, submissions } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';
import {
  creationOf,
  declarationOf,
  type LongShow,
  plantLongShow,
  writeCards,
} from '../support/title-cards.ts';

let household: Household;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let show: LongShow;
let workshop: Workshop;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startConnected(household, env);
  show = plantLongShow(household.home, 62);
  workshop = new Workshop(server, pictures.path);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const touched = z.strictObject({
  kind: z.string(),
  id: z.union([z.int(), z.string()]).nullable(),
  title: z.string().optional(),
});
const item = z.looseObject({
  itemId: z.string(),
  filename: z.string().optional(),
  target: z.strictObject({ kind: z.string(), id: z.int(), title: z.string() }),
  status: z.string(),
});
const result = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  id: touched,
  target: z.looseObject({}),
  counts: z.record(z.string(), z.int()).optional(),
  items: z.array(item).optional(),
  nextCursor: z.string().nullable().optional(),
});
const listed = z.object({ data: z.array(z.looseObject({ clientMutationId: z.string(), id: touched })) });

function plain(answer: CallToolResult): Record<string, unknown> {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return { ...answer.structuredContent };
}

const call = async (tool: string, args: Record<string, unknown>) =>
  result.parse(plain(await server.call(tool, args)));

/** Calls a tool, and waits for the end of what it began. */
async function ended(tool: string, args: { readonly clientMutationId: string }) {
  const { clientMutationId } = args;
  let answer = await call(tool, { ...args });
  while (answer.outcome === 'processing') answer = await call('get_mutation_status', { clientMutationId });
  expect(answer.outcome).toBe('succeeded');
  return answer;
}

async function entryOf(clientMutationId: string) {
  const { data } = listed.parse(plain(await server.call('list_mutations', { limit: 50 })));
  return data.find((one) => one.clientMutationId === clientMutationId);
}

const uses = [...changes, ...submissions];

/** A change of one of the tools, ready to be made. */
async function prepared(name: string) {
  const use = uses.find((one) => one.name === name);
  if (use === undefined) throw new Error(`There is no ${name}.`);
  return use.prepare(workshop);
}

/** A name with letters, and not the number of what it names alone. */
const name = expect.stringMatching(/\p{L}{2,}/u);
/** What a kind is known by. */
const ids: Readonly<Record<string, unknown>> = { asset: expect.stringMatching(/^[0-9a-f-]{36}$/) };

describe('the answer of every mutation', () => {
  it('names at one place what it made or touched, in dry runs, results, lookups and lists alike', async () => {
    for (const { name, tool, touches, prepare } of uses) {
      const prepared = await prepare(workshop);
      const { clientMutationId } = prepared.arguments;
      const dry = await server.call(tool, { ...prepared.arguments, dryRun: true });
      const planned = result.parse(plain(dry));
      expect(Object.keys(plain(dry)).slice(0, 6), name).toEqual([
        'outcome',
        'clientMutationId',
        'operation',
        'service',
        'id',
        'target',
      ]);
      expect(Object.keys(plain(dry)).at(-1), name).toBe('requests');

      const answer = await ended(tool, prepared.arguments);
      const { kind, title } = touches;
      const called = title === undefined ? {} : { title: expect.stringMatching(title) };
      expect(answer.id, name).toEqual({ kind, id: ids[kind] ?? expect.any(Number), ...called });
      expect(planned.id.kind, name).toBe(answer.id.kind);
      const asked = await call('get_mutation_status', { clientMutationId });
      expect(asked.id, name).toEqual(answer.id);
      expect((await entryOf(clientMutationId))?.id, name).toEqual(answer.id);
      // A dry run has no id of what is not made yet.
      if (!/^(create|upload)/.test(tool)) expect(planned.id.id, name).toBe(answer.id.id);
      else expect(planned.id, name).toEqual({ ...answer.id, id: null });
      prepared.free?.();
    }
  });

  it('tells targets by name, once a dry run or a read has shown them', async () => {
    const feed = z.object({ data: z.tuple([z.looseObject({ target: z.object({ id: z.int() }) })]) });
    const changes = await server.call('read_feed', { feed: 'assets', targetKind: 'episode', limit: 1 });
    const targetId = feed.parse(plain(changes)).data[0].target.id;
    const [card] = await writeCards(pictures.path, [targetId]);
    if (card === undefined) throw new Error('There is no card.');
    const { file, targetKind, slot } = card;
    const upload = { clientMutationId: randomUUID(), expectedUpdatedAt: null, operation: 'add' };
    const args = { ...upload, file, targetKind, targetId, slot };
    const dry = await call('upload_asset', { ...args, dryRun: true });
    expect(dry.target).toMatchObject({ targetId, targetTitle: expect.stringMatching(/^S\d\dE\d\d · ./) });
    const { id, target } = await ended('upload_asset', args);
    expect(target).toEqual(dry.target);
    expect(id.title).toBe(`${String(dry.target.targetTitle).slice(0, 6)} title card`);
  });
});

describe('the answer of a Set of 62 files', () => {
  it('stays below 5,000 characters, and its items are paged, each with its name', async () => {
    const creation = creationOf(show, await writeCards(pictures.path, show.episodes));
    const dry = await server.call('create_media_set', { ...creation, dryRun: true });
    const planned = plain(dry);
    expect(planned).toMatchObject({
      outcome: 'dry_run',
      id: { kind: 'set', id: null, title: creation.titleBase },
      target: { entryTargetTitle: name },
      counts: { pending: 62 },
    });
    expect(Object.keys(planned).at(-1)).toBe('requests');
    expect(Object.keys(planned).slice(4, 7)).toEqual(['id', 'target', 'counts']);
    expect(JSON.stringify(planned).length).toBeLessThan(18_000);

    const { clientMutationId } = creation;
    await ended('create_media_set', creation);
    const summary = await server.call('create_media_set', creation);
    const [text] = summary.content;
    const whole = result.parse(plain(summary));
    expect(whole.counts).toEqual({ succeeded: 62 });
    expect(text?.type === 'text' ? text.text.length : Number.NaN).toBeLessThan(5_000);
    expect(whole.items?.length).toBeGreaterThan(0);

    const items = [...(whole.items ?? [])];
    let cursor = whole.nextCursor ?? null;
    while (cursor !== null) {
      const page = await call('get_mutation_status', { clientMutationId, cursor });
      expect(page.items?.length).toBeLessThanOrEqual(25);
      items.push(...(page.items ?? []));
      cursor = page.nextCursor ?? null;
    }
    expect(new Set(items.map(({ itemId }) => itemId)).size).toBe(62);
    for (const { target } of items) expect(target.title).toMatch(/^S\d\dE\d\d · ./);
  });
});

describe('a refusal', () => {
  it('of a target that belongs to something else tells both by name', async () => {
    const other = plantLongShow(household.home, 1);
    const [card] = await writeCards(pictures.path, other.episodes);
    if (card === undefined) throw new Error('There is no card.');
    const creation = { ...creationOf(show, []), declaredFiles: [declarationOf(card)] };
    const { error } = errorOf(await server.call('create_media_set', creation));
    expect(error.message).toMatch(
      /S\d\dE\d\d · .+ \(episode \d+\) does not belong to .*\p{L}.* \(show \d+\)/u,
    );
  });

  it('by the service tells what it was about by name', async () => {
    const { arguments: args } = await prepared('upload_asset, into a Set');
    // No document tells the shape of a poster: the service alone refuses a wide one.
    const [card] = await writeCards(pictures.path, show.episodes.slice(0, 1));
    if (card === undefined) throw new Error('There is no card.');
    const refused = errorOf(await server.call('upload_asset', { ...args, file: card.file }));
    expect(refused).toMatchObject({ outcome: 'refused' });
    expect(refused.error.message).toMatch(/This was about “Category Set .* poster”/);
  });

  it('of what has just been done says that it is done, and that a person decides on a second one', async () => {
    let second: { clientMutationId: string; told: ReturnType<typeof errorOf> } | null = null;
    // A call that comes late enough is not refused, but warned.
    while (second === null) {
      const { arguments: first } = await prepared('upload_asset, add');
      await ended('upload_asset', first);
      const clientMutationId = randomUUID();
      const answer = await server.call('upload_asset', { ...first, clientMutationId });
      if (answer.isError === true) second = { clientMutationId, told: errorOf(answer) };
    }
    const { clientMutationId, told } = second;
    expect(told).toMatchObject({ outcome: 'not_sent', error: { category: 'conflict' } });
    expect(String(told.error.message)).toMatch(/just been done.*\(succeeded\).*an id of its own/);
    const later = errorOf(await server.call('get_mutation_status', { clientMutationId }));
    for (const next of [told.next, later.next]) {
      expect(next).toMatchObject({
        tool: 'get_mutation_status',
        why: expect.stringContaining('only a person decides'),
        doNot: expect.stringContaining('before a person has said that a second one is wanted'),
      });
      expect(JSON.stringify(next)).not.toContain('may have been applied');
    }
  });

  it('of a revision that has moved tells what moved by name', async () => {
    const { arguments: args } = await prepared('edit_group');
    const { error } = errorOf(await server.call('edit_group', { ...args, expectedUpdatedAt: 'long ago' }));
    expect(error).toMatchObject({
      category: 'stale_revision',
      message: expect.stringContaining('(“Boxset '),
    });
  });
});
