import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import {
  countEffects,
  declarationOf,
  type LongShow,
  plantLongShow,
  writeCards,
} from '../support/title-cards.ts';

/** How many items of each operation the large edit has: 300 together. */
const mixed = { replace: 90, asset_metadata: 90, assign: 20, add: 100 };
const most = 300;

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let show: LongShow;

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0']),
    temporaryFolder(),
  ]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startConnected(household, env);
  show = plantLongShow(household.home, most + 1);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const item = z.looseObject({
  itemId: z.string(),
  status: z.string(),
  assetId: z.string(),
  target: z.object({ kind: z.string(), id: z.int() }),
});
type Item = z.infer<typeof item>;
const answer = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  updatedAt: z.string(),
  counts: z.record(z.string(), z.int()),
  items: z.array(item),
  omitted: z
    .tuple([z.object({ section: z.literal('items'), total: z.int(), returned: z.int(), next: z.unknown() })])
    .optional(),
  nextCursor: z.string().nullable(),
});

function plain(result: CallToolResult): unknown {
  if (result.isError === true) throw new Error(JSON.stringify(result.content));
  return result.structuredContent;
}

const owned = z.looseObject({ updatedAt: z.string() });
async function revisionOf(type: 'asset' | 'set', id: string | number): Promise<string> {
  return owned.parse(plain(await server.call('get_owned', { type, id }))).updatedAt;
}

/** Makes an edit of the Set and waits for its outcome. */
async function edit(changes: { clientMutationId: string; [more: string]: unknown }) {
  const call = { setId: show.setId, setKind: 'media_set', ...changes };
  let result = plain(await server.call('edit_set', call));
  while (z.looseObject({ outcome: z.string() }).parse(result).outcome === 'processing') {
    const { clientMutationId } = changes;
    result = plain(await server.call('get_mutation_status', { clientMutationId }));
  }
  return answer.parse(result);
}

/** All items of an edit, page by page. */
async function itemsOf(first: z.infer<typeof answer>): Promise<Item[]> {
  const items = [...first.items];
  const { clientMutationId } = first;
  if (first.nextCursor !== null) {
    const [left] = first.omitted ?? [];
    const total = Object.values(first.counts).reduce((sum, count) => sum + count, 0);
    const next = {
      tool: 'get_mutation_status',
      arguments: { clientMutationId, cursor: first.nextCursor },
    };
    expect(left).toEqual({ section: 'items', total, returned: items.length, next });
  }
  for (let cursor = first.nextCursor; cursor !== null; ) {
    const page = await server.call('get_mutation_status', { clientMutationId, limit: 200, cursor });
    const parsed = answer.parse(plain(page));
    items.push(...parsed.items);
    cursor = parsed.nextCursor;
  }
  return items;
}

async function addingTo(episodes: readonly number[]) {
  const cards = await writeCards(pictures.path, episodes);
  return cards.map((card) => ({ operation: 'add', ...declarationOf(card) }));
}

/** Fills the Set's first episodes, and answers the Asset of each. */
async function fill(episodes: readonly number[]): Promise<Map<number, string>> {
  const filled = await edit({
    clientMutationId: randomUUID(),
    expectedUpdatedAt: await revisionOf('set', show.setId),
    items: await addingTo(episodes),
  });
  return new Map((await itemsOf(filled)).map(({ target, assetId }) => [target.id, assetId]));
}

async function standalone(episodes: readonly number[]): Promise<Map<number, string>> {
  const assets = new Map<number, string>();
  for (const { itemId, ...card } of await writeCards(pictures.path, episodes)) {
    const upload = {
      clientMutationId: itemId,
      expectedUpdatedAt: null,
      operation: 'add',
      languageCode: 'en',
    };
    const { file, targetKind, targetId, slot } = card;
    const saved = plain(await server.call('upload_asset', { ...upload, file, targetKind, targetId, slot }));
    const { receipt } = z.looseObject({ receipt: z.looseObject({ assetId: z.string() }) }).parse(saved);
    assets.set(targetId, receipt.assetId);
  }
  return assets;
}

const place = (targetId: number) => ({ targetKind: 'episode', targetId, slot: 'titlecard' });

async function existing(targetId: number, assetId = '') {
  return {
    ...place(targetId),
    existingAssetId: assetId,
    expectedAssetUpdatedAt: await revisionOf('asset', assetId),
  };
}

/** One edit with every operation; the Set has artwork for as many episodes as the first two of them need. */
async function everything(held: Map<number, string>, loose: Map<number, string>) {
  const kept = [...held];
  const replaced = await writeCards(pictures.path, [...held.keys()].slice(0, mixed.replace));
  const fresh = show.episodes.slice(held.size + loose.size, most);
  return [
    ...(await Promise.all(
      replaced.map(async (card) => {
        const { existingAssetId, expectedAssetUpdatedAt } = await existing(
          card.targetId,
          held.get(card.targetId),
        );
        const expected = { expectedPreviousAssetId: existingAssetId, expectedAssetUpdatedAt };
        return { operation: 'replace', ...declarationOf(card), ...expected };
      }),
    )),
    ...(await Promise.all(
      kept.slice(mixed.replace).map(async ([targetId, assetId]) => ({
        operation: 'asset_metadata',
        ...(await existing(targetId, assetId)),
        languageCode: 'de',
      })),
    )),
    ...(await Promise.all(
      [...loose].map(async ([id, assetId]) => ({ operation: 'assign', ...(await existing(id, assetId)) })),
    )),
    ...(await addingTo(fresh)),
  ];
}

/** The title and the number of cards, as the public sees them. */
async function shown(): Promise<[string, number]> {
  const text = await (await fetch(`${household.baseUrl}/show-set/${show.setId}`)).text();
  const { data } = z.object({ data: z.looseObject({ title: z.string() }) }).parse(JSON.parse(text));
  return [data.title, text.match(/"titlecard":"/g)?.length ?? 0];
}

it('edits 300 items of every operation in one submission, and one more in two, as it is proposed', async () => {
  const inSet = mixed.replace + mixed.asset_metadata;
  const held = await fill(show.episodes.slice(0, inSet));
  const loose = await standalone(show.episodes.slice(inSet, inSet + mixed.assign));
  const items = await everything(held, loose);
  expect(items.length).toBe(most);
  const whole = await edit({
    clientMutationId: randomUUID(),
    expectedUpdatedAt: await revisionOf('set', show.setId),
    metadata: { titleBase: 'Three hundred at once', finalised: true },
    items,
  });
  expect(whole).toMatchObject({ outcome: 'succeeded', counts: { succeeded: most } });
  const edited = await itemsOf(whole);
  expect(new Set(edited.map(({ itemId }) => itemId)).size).toBe(most);
  expect(countEffects(await household.control.effects(), whole.clientMutationId)).toEqual({
    'set.edit.admit': 1,
    'submission.file': mixed.replace + mixed.add,
    'asset.replace': mixed.replace,
    'asset.metadata': mixed.asset_metadata,
    'asset.assign': mixed.assign,
    'asset.add': mixed.add,
    'set.edit': 1,
    'submission.complete': 1,
  });
  expect(await shown()).toEqual(['Three hundred at once', most]);
  expect(whole.updatedAt).toBe(await revisionOf('set', show.setId));

  const more = [
    ...(await Promise.all(
      edited.map(async ({ target, assetId }) => ({
        operation: 'asset_metadata',
        ...(await existing(target.id, assetId)),
        languageCode: 'fr',
      })),
    )),
    ...(await addingTo(show.episodes.slice(most))),
  ];
  const metadata = { titleBase: 'Three hundred and one' };
  const tooMany = { setId: show.setId, setKind: 'media_set', metadata, items: more };
  const id = randomUUID();
  const refused = errorOf(
    await server.call('edit_set', { ...tooMany, clientMutationId: id, expectedUpdatedAt: whole.updatedAt }),
  );
  const { error, next } = z
    .object({
      error: z.looseObject({
        category: z.literal('invalid_arguments'),
        details: z.looseObject({
          parts: z.array(z.object({ from: z.int(), to: z.int(), metadata: z.boolean() })),
        }),
      }),
      next: z.looseObject({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) }),
    })
    .parse(refused);
  const { ids } = z
    .object({ ids: z.array(z.string()) })
    .parse(plain(await server.call(next.tool, next.arguments)));
  expect(ids.length).toBe(error.details.parts.length);
  let { updatedAt } = whole;
  for (const [part, { from, to, metadata: first }] of error.details.parts.entries()) {
    const done = await edit({
      clientMutationId: ids[part] ?? '',
      expectedUpdatedAt: updatedAt,
      ...(first ? { metadata } : {}),
      items: more.slice(from, to + 1),
    });
    expect(done).toMatchObject({ outcome: 'succeeded', counts: { succeeded: to - from + 1 } });
    ({ updatedAt } = done);
  }
  expect(await shown()).toEqual(['Three hundred and one', most + 1]);
  expect(countEffects(await household.control.effects(), id)).toEqual({});
});
