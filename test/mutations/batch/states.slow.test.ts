import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Arguments, EditedItem } from '../../../src/mutations/operations/find-operation.ts';
import { textOf } from '../../sandbox/me-catalogue.ts';
import { picture } from '../../sandbox/me-pictures.ts';
import { type Life, lives } from '../../sandbox/submissions-lives.ts';
import { share } from '../../support/share.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { type Told, told } from '../told.ts';
import { card, plantShowOf, type Show } from './show.ts';
import { patient } from './until-settled.ts';
import { type Meddle, type Wiretap, wiretap } from './wiretap.ts';

const workingMs = 60_000;
const failure = { code: 'made.up', message: 'It could not be done.' };

let studio: Studio;
let token: string;

beforeAll(async () => {
  studio = await startStudio();
  token = await studio.catalogue.token(1);
});
afterAll(() => studio.close());
beforeEach(() => studio.forget());

const place = (targetId: number) => ({ targetKind: 'episode', targetId, slot: 'titlecard' });
const revisionOf = async (path: string) => textOf(await studio.catalogue.get(path, token), 'updatedAt');

/** An Asset of the Set, as an item without a file names it. */
async function existing({ setId }: Show, targetId: number) {
  const receipt = await studio.catalogue.upload(`/me/sets/${setId}/assets`, token, {
    bytes: await card(),
    query: { operation: 'add', clientMutationId: randomUUID(), languageCode: 'en', ...place(targetId) },
  });
  return {
    existingAssetId: textOf(receipt, 'assetId'),
    expectedAssetUpdatedAt: textOf(receipt, 'updatedAt'),
  };
}

interface Meant {
  readonly id: string;
  /** The item's id, in the order of the life. */
  readonly itemIds: readonly string[];
  readonly expectedUpdatedAt: string | null;
  call(): Promise<Told>;
  /** Changes what the life calls stale. */
  spoil(): Promise<void>;
}

/** The call that this life begins with. */
async function meant(life: Life, artist: Artist, show: Show): Promise<Meant> {
  const clientMutationId = randomUUID();
  const itemIds = life.items.map(() => randomUUID());
  const stale: { existingAssetId: string; expectedAssetUpdatedAt: string }[] = [];
  const items: EditedItem[] = [];
  for (const [position, what] of life.items.entries()) {
    const targetId = show.episodes[position] ?? 0;
    const common = { itemId: itemIds[position] ?? '', ...place(targetId) };
    if (what === 'relabelled' || what === 'stale') {
      const asset = await existing(show, targetId);
      if (what === 'stale') stale.push(asset);
      items.push({ operation: 'asset_metadata', ...common, ...asset, languageCode: 'fr' });
    } else {
      const file = await artist.file(await (what === 'refused' ? picture(600, 600) : card()));
      items.push({ operation: 'add', ...common, file });
    }
  }
  const spoil = async () => {
    for (const { existingAssetId, expectedAssetUpdatedAt } of stale) {
      const edit = { expectedUpdatedAt: expectedAssetUpdatedAt, languageCode: 'it' };
      await studio.catalogue.post(`/me/assets/${existingAssetId}/metadata`, token, edit);
    }
  };
  if (life.family === 'creation') {
    const args: Arguments<'create_media_set'> = {
      clientMutationId,
      expectedUpdatedAt: null,
      entryTargetKind: 'show',
      entryTargetId: show.showId,
      titleBase: 'Cards',
      languageCode: 'en',
      finalised: true,
      declaredFiles: items.map(({ operation: _, file = '', ...item }) => ({ ...item, file })),
    };
    const call = () => told(artist.mutations.perform('create_media_set', args, patient));
    return { id: clientMutationId, itemIds, expectedUpdatedAt: null, spoil, call };
  }
  const expectedUpdatedAt = await revisionOf(`/me/sets/${show.setId}`);
  const args: Arguments<'edit_set'> = {
    clientMutationId,
    expectedUpdatedAt,
    setId: show.setId,
    setKind: 'media_set',
    items,
    ...(life.metadata === true ? { metadata: { titleBase: 'Afterwards' } } : {}),
  };
  const call = () => told(artist.mutations.perform('edit_set', args, patient));
  return { id: clientMutationId, itemIds, expectedUpdatedAt, spoil, call };
}

const root = ({ family }: Life) => (family === 'creation' ? '/me/set-uploads' : '/me/set-updates');

/** Lets the catalogue go this way. */
async function arrange(life: Life, itemIds: readonly string[]): Promise<void> {
  const after = (where: string, more: object) => ({
    method: 'POST',
    path: `${root(life)}/*/${where}`,
    do: 'process',
    milliseconds: workingMs,
    ...more,
  });
  const broken = itemIds.filter((_, position) => life.items[position] === 'broken');
  for (const itemId of broken) await studio.queue(after('assets', { query: { itemId }, failure }));
  // It refuses to be completed as long as it has not found out what is broken.
  await studio.queue(
    after('complete', {
      skip: broken.length === 0 ? 0 : 1,
      ...(life.meanwhile === null ? { milliseconds: 0 } : {}),
      unresolved: life.meanwhile === 'unresolved',
      failure: life.fails === true ? failure : null,
    }),
  );
}

/** What the items are, by what the life says of them. */
function statuses({ items = [] }: Partial<NonNullable<Told['result']>>, itemIds: readonly string[]) {
  return itemIds.map((id) => items.find(({ itemId }) => itemId === id)?.status);
}

function counted(words: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  return counts;
}

/** Every transfer had ended before the first completion left (States, 1). */
function expectInOrder({ sent }: Wiretap, files: number): void {
  const first = sent.findIndex(({ what }) => what === 'complete');
  const transfers = sent.slice(0, first).filter(({ what }) => what !== 'admission');
  expect(transfers.length).toBe(files);
  expect(sent.slice(first).filter(({ what }) => what !== 'complete')).toEqual([]);
}

const nextOf = { succeeded: undefined, partial: 'edit_set', failed: null, rolled_back: null } as const;

/** Every way of the two kinds at least by its end, and each open state once. */
const first = lives.filter(({ meanwhile }, at) => meanwhile === null || at % 7 === 1);

describe('a submission, as it is told', () => {
  it.each(share(first, lives).map((life) => [life.name, life] as const))('%s', async (_, life) => {
    let completed = () => {};
    const completing = new Promise<void>((resolve) => {
      completed = resolve;
    });
    let spoil = async () => {};
    const meddle: Meddle = async ({ what }, send) => {
      if (what === 'complete') await spoil();
      const outcome = await send();
      if (what === 'complete' && outcome.outcome === 'refused') studio.catalogue.pass(workingMs);
      if (what === 'complete' && outcome.outcome === 'applied') completed();
      return outcome;
    };
    const wire = wiretap(meddle, 20);
    const artist = await studio.artist({ ports: wire.ports });
    const show = plantShowOf(studio, Math.max(1, life.items.length));
    const { id, itemIds, expectedUpdatedAt, call, ...more } = await meant(life, artist, show);
    spoil = async () => {
      spoil = async () => {};
      await more.spoil();
    };
    await arrange(life, itemIds);
    const calling = call();
    if (life.meanwhile !== null) {
      await completing;
      const ask = () => told(artist.mutations.status(id, artist.within(5_000)));
      // What the service said of the completion is told once it has been recorded.
      await expect.poll(async () => (await ask()).outcome).toBe(life.meanwhile);
      const open = await ask();
      expect(open).toMatchObject({ outcome: life.meanwhile, next: { tool: 'get_mutation_status' } });
      if (life.meanwhile === 'unresolved') expect(open.next?.doNot).toContain('new clientMutationId');
      // States, 2: what was taken stays `processing`, which is no success.
      const words = life.end.map((word) => (word === 'failed' ? word : 'processing'));
      expect(statuses(open.result ?? {}, itemIds)).toEqual(words);
      expect(open.result?.counts).toEqual(counted(words));
      studio.catalogue.pass(workingMs);
    }
    const end = await calling;
    const { outcome } = life;
    expect(end.outcome).toBe(outcome);
    expect(statuses(end.result ?? {}, itemIds)).toEqual(life.end);
    expect(end.result?.counts).toEqual(counted(life.end));
    for (const { status, assetId, error } of end.result?.items ?? []) {
      expect(assetId !== undefined).toBe(status === 'succeeded');
      expect(error !== undefined).toBe(status !== 'succeeded');
    }
    expect(end.code === undefined).toBe(outcome === 'succeeded');
    const says = nextOf[outcome] ?? (life.family === 'creation' ? 'create_media_set' : 'edit_set');
    if (outcome === 'succeeded') expect(end.next).toBeUndefined();
    else expect(end.next).toMatchObject({ tool: 'new_mutation_ids', why: expect.stringContaining(says) });
    expectInOrder(wire, life.items.filter((what) => ['fits', 'refused', 'broken'].includes(what)).length);

    // It has ended: whoever asks is told the same, and nothing more is sent (States, 7).
    const { length } = wire.sent;
    const resume = { clientMutationId: id, expectedUpdatedAt };
    for (const again of [
      await call(),
      await told(artist.mutations.status(id)),
      await told(artist.mutations.resume(resume)),
    ]) {
      expect(again).toEqual(end);
    }
    expect(wire.sent.length).toBe(length);
  });
});
