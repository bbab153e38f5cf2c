import path from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import { planned } from '../../support/plans.ts';
import { messyFiles, writeMessyFolder } from './messy-folder.ts';
import type { Scene } from './scene.ts';
import type { Counting } from './tally.ts';

const ids = z.object({ ids: z.array(z.uuid()) });
const owned = z.looseObject({ updatedAt: z.string(), data: z.looseObject({}) });
const ownedAssets = z.object({ data: z.looseObject({ assets: z.array(z.looseObject({ id: z.string() })) }) });
const outcome = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  counts: z.record(z.string(), z.int()).optional(),
  id: z.looseObject({ kind: z.string(), id: z.union([z.int(), z.string()]).nullable() }).optional(),
  receipt: z.looseObject({}).optional(),
  next: z
    .looseObject({ tool: z.string().optional(), arguments: z.record(z.string(), z.unknown()).optional() })
    .optional(),
});
const looked = z.object({ data: z.array(z.looseObject({ error: z.unknown().optional() })) });

type Outcome = z.output<typeof outcome>;
type Entry = z.output<typeof planned>['data'][number];

/** Calls, and follows `next` until it is settled. */
async function settle(host: Counting, tool: string, args: Record<string, unknown>): Promise<Outcome> {
  let told = outcome.parse(await host.answer(tool, args));
  while (told.outcome === 'processing' || told.outcome === 'unresolved') {
    expect(told.next).toBeDefined();
    told = outcome.parse(await host.answer(told.next?.tool ?? '', told.next?.arguments));
  }
  return told;
}

/** The id of what it has made. */
export function madeId(told: unknown): string | number {
  const { id, receipt = {} } = outcome.parse(told);
  return id?.id ?? z.union([z.int(), z.string()]).parse(receipt.assetId ?? receipt.setId ?? receipt.id);
}

async function newIds(host: Counting, count: number): Promise<readonly string[]> {
  return ids.parse(await host.answer('new_mutation_ids', { count })).ids;
}

async function revision(host: Counting, type: string, id: unknown): Promise<string> {
  return owned.parse(await host.answer('get_owned', { type, id })).updatedAt;
}

/** `1x03 titlecard`, `season 2 poster` or `show logo`, as a person would say it. */
function placeOf({ target, slot }: Pick<Entry, 'target' | 'slot'>): string | null {
  if (target === undefined) return null;
  const [, season, episode] = /^(?:S(\d+)(?:E(\d+))?|Specials)/.exec(target.label) ?? [];
  if (episode !== undefined) return `${Number(season)}x${episode} ${slot}`;
  return target.kind === 'season' ? `season ${Number(season ?? 0)} ${slot}` : `${target.kind} ${slot}`;
}

/** Plans a folder of 44 files, answers what is asked, and makes a Set of it. Answers the Set's id. */
export async function makeMessySet({
  hosts: { connected: host },
  folder: root,
  show,
}: Scene): Promise<number> {
  const folder = path.join(root, 'Sherlock');
  await writeMessyFolder(folder);
  const args = { folder, entryTargetKind: 'show', entryTargetId: show.showId };
  const plan = planned.parse(await host.answer('plan_set', args));
  const entries = new Map<string, Entry>();
  let whole: Entry[] = plan.data;
  for (let { nextCursor: cursor } = plan; cursor !== null; ) {
    const page = planned.parse(await host.answer('plan_set', { ...args, cursor }));
    whole = [...whole, ...page.data];
    cursor = page.nextCursor;
  }
  for (const entry of whole) if (entry.file !== undefined) entries.set(entry.file, entry);
  expect(plan.counts).toMatchObject({ files: messyFiles.length, ignored: 5, problems: 1 });
  for (const { tool, arguments: shown } of plan.view) await host.answer(tool, shown);

  const declaredFiles: unknown[] = [];
  let sent = 0;
  for (const { name, meant } of messyFiles) {
    const entry = entries.get(name);
    if (meant === null) {
      expect([name, entry?.status === 'matched' && entry.problem === undefined]).toEqual([name, false]);
      continue;
    }
    sent += 1;
    if (meant.clear) {
      expect([name, entry?.status, entry && placeOf(entry)]).toEqual([name, 'matched', meant.place]);
      continue;
    }
    const candidate = entry?.candidates?.find(
      ({ targetKind: kind, targetId: id, label, slot }) =>
        placeOf({ target: { kind, id, label }, slot }) === meant.place,
    );
    expect([name, entry?.status, candidate !== undefined]).toEqual([name, 'ambiguous', true]);
    const { label: _, ...place } = candidate ?? { label: '' };
    declaredFiles.push({ file: name, ...place });
  }

  const { tool = '', arguments: proposed = {} } = plan.next;
  expect(await settle(host, tool, { ...proposed, declaredFiles })).toMatchObject({ outcome: 'dry_run' });
  const { dryRun: _, ...real } = proposed;
  const answers = { declaredFiles, titleBase: 'Sherlock, one card each', finalised: true };
  const made = await settle(host, tool, { ...real, ...answers });
  expect(made).toMatchObject({ outcome: 'succeeded', counts: { succeeded: sent } });
  const setId = Number(madeId(made));
  const { data } = ownedAssets.parse(await host.answer('get_owned', { type: 'set', id: setId, limit: 200 }));
  expect(data.assets).toHaveLength(sent);
  return setId;
}

/** A Boxset of two Sets, with a poster and a description. */
export async function makeBoxset(
  { hosts: { connected: host }, poster }: Scene,
  setIds: readonly number[],
): Promise<void> {
  const [first, second, third] = await newIds(host, 3);
  const create = {
    clientMutationId: first,
    expectedUpdatedAt: 'none',
    kind: 'boxset',
    title: 'Baker Street',
  };
  expect(await settle(host, 'create_group', { ...create, setIds, dryRun: true })).toMatchObject({
    outcome: 'dry_run',
  });
  const made = await settle(host, 'create_group', { ...create, setIds });
  const groupId = madeId(made);
  const upload = {
    clientMutationId: second,
    expectedUpdatedAt: await revision(host, 'group', groupId),
    file: await poster(),
    operation: 'add',
    slot: 'poster',
    groupId,
  };
  const uploaded = await settle(host, 'upload_asset', upload);
  const described = {
    clientMutationId: third,
    expectedUpdatedAt: await revision(host, 'group', groupId),
    groupId,
    description: 'All of it, in one box.',
  };
  expect(await settle(host, 'edit_group', described)).toMatchObject({ outcome: 'succeeded' });
  const { data } = owned.parse(await host.answer('get_owned', { type: 'group', id: groupId }));
  expect(data).toMatchObject({
    description: 'All of it, in one box.',
    poster: { id: madeId(uploaded) },
    sets: setIds.map((id) => ({ id })),
  });
  await host.answer('view_artwork', { items: [{ assetId: madeId(uploaded) }] });
}

/** A Talent Set of one's own, with a portrait that was uploaded before, and a look at it. */
export async function makeTalentSet({ hosts: { connected: host }, personId, poster }: Scene): Promise<void> {
  await host.answer('get_entity', { kind: 'person', id: personId });
  const [first, second, third] = await newIds(host, 3);
  const made = await settle(host, 'create_grouping_set', {
    clientMutationId: first,
    expectedUpdatedAt: 'none',
    setKind: 'talent_set',
    titleBase: 'Portraits',
    entryTargetKind: 'person',
    entryTargetId: personId,
    languageCode: 'en',
  });
  const setId = madeId(made);
  const place = { targetKind: 'person', targetId: personId, slot: 'poster' };
  const uploaded = await settle(host, 'upload_asset', {
    clientMutationId: second,
    expectedUpdatedAt: 'none',
    file: await poster(),
    operation: 'add',
    ...place,
  });
  const assetId = madeId(uploaded);
  const asset = { existingAssetId: assetId, expectedAssetUpdatedAt: await revision(host, 'asset', assetId) };
  const assigned = await settle(host, 'assign_grouping_assets', {
    clientMutationId: third,
    expectedUpdatedAt: await revision(host, 'set', setId),
    setId,
    items: [{ ...asset, ...place }],
  });
  expect(assigned).toMatchObject({ outcome: 'succeeded' });
  const { data } = ownedAssets.parse(await host.answer('get_owned', { type: 'set', id: setId }));
  expect(data.assets.map(({ id }) => id)).toEqual([assetId]);
  // Once public reads have caught up.
  const items = [{ assetId }, { kind: 'talent_set', id: setId }];
  await expect.poll(async () => failures(await host.answer('view_artwork', { items }))).toEqual([]);
}

function failures(view: unknown): readonly unknown[] {
  return looked.parse(view).data.flatMap(({ error }) => (error === undefined ? [] : [error]));
}
