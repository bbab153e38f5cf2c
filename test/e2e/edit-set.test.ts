import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { plantLongShow, writeCards } from '../support/title-cards.ts';
import { writeAnimation } from '../support/unique-pictures.ts';
import { Workshop } from '../support/workshop.ts';

let household: Household;
let server: StartedServer;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let workshop: Workshop;
let env: Record<string, string>;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: folder.path };
  server = await startConnected(household, env);
  workshop = new Workshop(server, folder.path);
});
afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

type Arguments = Record<string, unknown>;

const cards = async (episodes: readonly number[]) =>
  (await writeCards(folder.path, episodes)).map(({ file, targetKind, targetId, slot }) => ({
    file,
    targetKind,
    targetId,
    slot,
  }));

const asset = z.looseObject({
  id: z.string(),
  slot: z.string(),
  updatedAt: z.string(),
  target: z.looseObject({ kind: z.string(), id: z.int() }),
});
const ownSet = z.object({
  updatedAt: z.string(),
  data: z.looseObject({
    id: z.int(),
    target: z.looseObject({ kind: z.string(), id: z.int() }).nullable(),
    assets: z.array(asset),
  }),
});
const next = z.object({
  tool: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  why: z.string().default(''),
});

function structured(answer: CallToolResult): unknown {
  if (answer.isError === true) throw new Error(JSON.stringify(answer.content));
  return answer.structuredContent;
}

const readSet = async (id: number) =>
  ownSet.parse(structured(await server.call('get_owned', { type: 'set', id, limit: 200 })));

async function succeed(tool: string, args: Arguments) {
  const answer = structured(
    await server.call(tool, { clientMutationId: randomUUID(), expectedUpdatedAt: 'none', ...args }),
  );
  return z.looseObject({ outcome: z.literal('succeeded') }).parse(answer);
}

/** A show of the catalogue with its first season, and its episodes by number. */
async function someShow() {
  const feed = z.object({ data: z.tuple([z.looseObject({ target: z.object({ id: z.int() }) })]) });
  const changes = await server.call('read_feed', { feed: 'assets', targetKind: 'episode', limit: 1 });
  const episodeId = feed.parse(structured(changes)).data[0].target.id;
  const episode = z.object({
    data: z.looseObject({ show: z.looseObject({ id: z.int() }), season: z.looseObject({ id: z.int() }) }),
  });
  const { show, season } = episode.parse(
    structured(await server.call('get_entity', { kind: 'episode', id: episodeId })),
  ).data;
  const record = z.object({
    data: z.looseObject({
      seasonNumber: z.int().optional(),
      episodes: z.array(z.looseObject({ id: z.int(), episodeNumber: z.int() })),
    }),
  });
  const whole = record.parse(
    structured(
      await server.call('get_entity', { kind: 'season', id: season.id, include: ['episodes'], limit: 200 }),
    ),
  );
  const head = z
    .object({ data: z.looseObject({ seasonNumber: z.int() }) })
    .parse(structured(await server.call('get_entity', { kind: 'season', id: season.id })));
  const [first, second, third] = whole.data.episodes;
  if (first === undefined || second === undefined || third === undefined)
    throw new Error('The season is too short.');
  return { showId: show.id, seasonId: season.id, season: head.data.seasonNumber, first, second, third };
}

const code = (season: number, episode: number) =>
  `S${String(season).padStart(2, '0')}E${String(episode).padStart(2, '0')}`;

/** A new Set of the show with a title card of its first episode. */
async function showSet() {
  const show = await someShow();
  const [card] = await cards([show.first.id]);
  const made = await succeed('create_media_set', {
    entryTargetKind: 'show',
    entryTargetId: show.showId,
    titleBase: `Cards ${randomUUID()}`,
    languageCode: 'en',
    finalised: false,
    declaredFiles: [card],
  });
  const { id: setId } = z.looseObject({ id: z.int() }).parse(made.id);
  return { ...show, setId };
}

describe('edit_set', () => {
  it('takes the frame of an animated picture that it adds, and of one that replaces it', async () => {
    const { id } = await workshop.newSet();
    const place = { targetKind: 'category', targetId: await workshop.category(), slot: 'poster' };
    const edit = async (item: Arguments) =>
      succeed('edit_set', {
        setId: id,
        setKind: 'category_set',
        expectedUpdatedAt: (await readSet(id)).updatedAt,
        items: [{ ...place, file: await writeAnimation(folder.path), ...item }],
      });
    const frameOf = async () => {
      const [one] = (await readSet(id)).data.assets;
      const owned = structured(await server.call('get_owned', { type: 'asset', id: one?.id }));
      return {
        one,
        frame: z.looseObject({ data: z.looseObject({ selectedSourceFrame: z.unknown() }) }).parse(owned).data
          .selectedSourceFrame,
      };
    };
    await edit({ operation: 'add', selectedSourceFrame: '2' });
    const { one, frame } = await frameOf();
    expect(frame).toBe(2);
    await edit({
      operation: 'replace',
      selectedSourceFrame: 1,
      expectedPreviousAssetId: one?.id,
      expectedAssetUpdatedAt: one?.updatedAt,
    });
    expect((await frameOf()).frame).toBe(1);
  });

  it('that replaces without the expected values gets the ready call', async () => {
    const { setId, first } = await showSet();
    const { updatedAt, data } = await readSet(setId);
    const [card] = await cards([first.id]);
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: updatedAt,
      setId,
      setKind: 'media_set',
      items: [{ operation: 'replace', ...card }],
    };
    const refused = errorOf(await server.call('edit_set', args));
    expect(refused.error.category).toBe('invalid_arguments');
    const ready = next.parse(refused.next);
    expect(ready).toMatchObject({
      tool: 'edit_set',
      arguments: {
        ...args,
        items: [
          {
            operation: 'replace',
            ...card,
            expectedPreviousAssetId: data.assets[0]?.id,
            expectedAssetUpdatedAt: data.assets[0]?.updatedAt,
          },
        ],
      },
      why: expect.stringContaining(`Asset ${data.assets[0]?.id} stands there now`),
    });
    expect(structured(await server.call(ready.tool, { ...ready.arguments, dryRun: true }))).toMatchObject({
      outcome: 'dry_run',
    });
    expect(structured(await server.call(ready.tool, ready.arguments))).toMatchObject({
      outcome: 'succeeded',
    });
  });

  it('that edits metadata of an item without saying of which Asset gets the ready call', async () => {
    const { setId, first } = await showSet();
    const { updatedAt, data } = await readSet(setId);
    const refused = errorOf(
      await server.call('edit_set', {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: updatedAt,
        setId,
        setKind: 'media_set',
        items: [
          {
            operation: 'asset_metadata',
            targetKind: 'episodes',
            targetId: String(first.id),
            slot: 'titlecards',
            languageCode: 'fr',
          },
        ],
      }),
    );
    const ready = next.parse(refused.next);
    expect(ready.arguments).toMatchObject({ items: [{ existingAssetId: data.assets[0]?.id }] });
    expect(structured(await server.call(ready.tool, ready.arguments))).toMatchObject({
      outcome: 'succeeded',
    });
  });

  it('that replaces what is not there, or another Asset than the one it names, gets no such call', async () => {
    const { setId, first, second } = await showSet();
    const { updatedAt } = await readSet(setId);
    const [card, other] = await cards([first.id, second.id]);
    for (const item of [
      { operation: 'replace', ...other },
      { operation: 'replace', ...card, expectedPreviousAssetId: randomUUID() },
    ]) {
      const refused = errorOf(
        await server.call('edit_set', {
          clientMutationId: randomUUID(),
          expectedUpdatedAt: updatedAt,
          setId,
          setKind: 'media_set',
          items: [item],
        }),
      );
      expect(refused.error.category).toBe('invalid_arguments');
      expect(refused.error.message).toContain('is missing');
      expect(refused.error.message).not.toContain('Invalid input');
      expect(refused.next).toMatchObject({ tool: 'get_owned', arguments: { type: 'set', id: setId } });
    }
  });
});

describe('the code of an episode in the place of its id', () => {
  it.each(['edit_set', 'upload_asset'])('beside a setId gets the ready call of %s', async (tool) => {
    const { setId, season, second } = await showSet();
    const { updatedAt } = await readSet(setId);
    const [card] = await cards([second.id]);
    const named = { ...card, targetId: code(season, second.episodeNumber) };
    const common = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, setId };
    const args =
      tool === 'edit_set'
        ? { ...common, setKind: 'media_set', items: [{ operation: 'add', ...named }] }
        : { ...common, operation: 'add', ...named };
    const refused = errorOf(await server.call(tool, args));
    expect(refused.error.category).toBe('invalid_arguments');
    const ready = next.parse(refused.next);
    expect(ready.tool).toBe(tool);
    expect(ready.why).toContain(`${named.targetId} is episode ${second.id}`);
    expect(structured(await server.call(ready.tool, ready.arguments))).toMatchObject({
      outcome: 'succeeded',
    });
    const { data } = await readSet(setId);
    expect(data.assets.map(({ target }) => target.id)).toContain(second.id);
  });

  it('and of a season, and beside the show that a new Set is for', async () => {
    const { showId, season, second, third } = await showSet();
    const files = await cards([second.id, third.id]);
    const refused = errorOf(
      await server.call('create_media_set', {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: 'none',
        entryTargetKind: 'show',
        entryTargetId: showId,
        titleBase: `Cards ${randomUUID()}`,
        languageCode: 'en',
        finalised: false,
        declaredFiles: [second, third].map(({ episodeNumber }, at) => ({
          ...files[at],
          targetId: `${season}x${String(episodeNumber).padStart(2, '0')}`,
        })),
      }),
    );
    const ready = next.parse(refused.next);
    expect(ready.arguments).toMatchObject({
      declaredFiles: [{ targetId: second.id }, { targetId: third.id }],
    });
    expect(structured(await server.call(ready.tool, ready.arguments))).toMatchObject({
      outcome: 'succeeded',
    });
  });

  it('that the show does not have leads on as a name does', async () => {
    const { setId } = await showSet();
    const { updatedAt } = await readSet(setId);
    const [card] = await cards([1]);
    const refused = errorOf(
      await server.call('edit_set', {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: updatedAt,
        setId,
        setKind: 'media_set',
        items: [{ operation: 'add', ...card, targetId: 'S77E99' }],
      }),
    );
    expect(refused.next).toMatchObject({ tool: 'find_titles' });
  });
});

const page = z.looseObject({
  outcome: z.literal('dry_run'),
  items: z.array(z.looseObject({ itemId: z.string(), target: z.looseObject({ id: z.int() }) })),
  nextCursor: z.string().nullable(),
  omitted: z.array(z.looseObject({ next })).default([]),
  requests: z
    .array(
      z.looseObject({
        path: z.string(),
        body: z.looseObject({ declaredFiles: z.array(z.unknown()).optional() }),
        leftOut: z.record(z.string(), z.number()).optional(),
      }),
    )
    .default([]),
});

describe('a dry run of a Set', () => {
  let show: ReturnType<typeof plantLongShow>;
  let declaredFiles: Arguments[];
  beforeAll(async () => {
    show = plantLongShow(household.home, 150);
    const [file = ''] = (await cards(show.episodes.slice(0, 1))).map((one) => one.file);
    declaredFiles = show.episodes.map((targetId) => ({
      file,
      targetKind: 'episode',
      targetId,
      slot: 'titlecard',
    }));
  });
  const creation = (files: readonly Arguments[]) => ({
    clientMutationId: randomUUID(),
    expectedUpdatedAt: 'none',
    entryTargetKind: 'show',
    entryTargetId: show.showId,
    titleBase: `Cards ${randomUUID()}`,
    languageCode: 'en',
    finalised: false,
    declaredFiles: files,
    dryRun: true,
  });

  it('of 32 items shows them all, and one request of each kind', async () => {
    const answer = await server.call('create_media_set', creation(declaredFiles.slice(0, 32)));
    const { items, requests, omitted, nextCursor } = page.parse(structured(answer));
    expect({ items: items.length, omitted, nextCursor }).toEqual({
      items: 32,
      omitted: [],
      nextCursor: null,
    });
    expect(requests.map(({ path, leftOut }) => [path, leftOut])).toEqual([
      ['/me/set-uploads', { declaredFiles: 31 }],
      ['/me/set-uploads/SUBMISSION-ID/assets', { transfers: 31 }],
      ['/me/set-uploads/SUBMISSION-ID/complete', undefined],
    ]);
    expect(requests[0]?.body.declaredFiles).toHaveLength(1);
    expect(JSON.stringify(requests).length).toBeLessThan(2_000);
  });

  it('of 150 items is paged to its end', async () => {
    const args = creation(declaredFiles);
    let last = page.parse(structured(await server.call('create_media_set', args)));
    const seen = last.items.map(({ target }) => target.id);
    for (let pages = 0; last.nextCursor !== null && pages < 20; pages += 1) {
      const [{ next: further } = { next: null }] = last.omitted;
      expect(further).toMatchObject({
        tool: 'get_mutation_status',
        arguments: { clientMutationId: args.clientMutationId, cursor: last.nextCursor },
      });
      last = page.parse(structured(await server.call('get_mutation_status', further?.arguments)));
      expect(last.requests).toEqual([]);
      seen.push(...last.items.map(({ target }) => target.id));
    }
    expect(seen).toEqual(show.episodes);
  });

  it('that another process has shown is to be made again', async () => {
    const { omitted } = page.parse(
      structured(await server.call('create_media_set', creation(declaredFiles))),
    );
    const other = await startConnected(household, env);
    const forgotten = errorOf(await other.call('get_mutation_status', omitted[0]?.next.arguments));
    await other.stop();
    expect(forgotten).toMatchObject({
      error: { category: 'not_found' },
      next: { why: expect.stringContaining('the same call again with dryRun') },
    });
  });
});
