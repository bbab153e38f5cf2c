import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillFolder, paint } from '../curation/folders.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';

const title = 'The Sixty-Two Doors of Wexmoor';

let household: Household;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let wexmoor: Wexmoor;

interface Wexmoor {
  readonly showId: number;
  /** In the catalogue's order. */
  readonly episodes: readonly { readonly id: number; readonly code: string }[];
}

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startServer(env);
  await signInThrough(server, household);
  wexmoor = await findWexmoor();
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const indexPage = z.object({
  data: z.array(
    z.looseObject({
      id: z.int(),
      seasonNumber: z.int(),
      episodeNumber: z.int(),
      show: z.looseObject({ id: z.int(), title: z.string() }),
    }),
  ),
  nextCursor: z.string().nullable(),
});

async function findWexmoor(): Promise<Wexmoor> {
  const found: z.output<typeof indexPage>['data'] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const args: Record<string, unknown> = cursor === undefined ? { limit: 200 } : { limit: 200, cursor };
    const page = indexPage.parse((await server.call('list_episodes', args)).structuredContent);
    found.push(...page.data.filter(({ show }) => show.title === title));
    cursor = page.nextCursor;
  }
  const pad = (number: number) => String(number).padStart(2, '0');
  const episodes = found
    .map(({ id, seasonNumber, episodeNumber }) => ({
      id,
      code: `S${pad(seasonNumber)}E${pad(episodeNumber)}`,
    }))
    .sort((one, other) => (one.code < other.code ? -1 : 1));
  return { showId: found[0]?.show.id ?? 0, episodes };
}

const said = z.object({ code: z.string(), message: z.string() });
const entry = z.looseObject({
  status: z.enum(['matched', 'ambiguous', 'unmatched', 'ignored', 'missing']),
  file: z.string().optional(),
  target: z.object({ kind: z.string(), id: z.int(), label: z.string() }).optional(),
  slot: z.string().optional(),
  operation: z.string().optional(),
  ask: z.string().optional(),
  why: z.string().optional(),
  problem: said.optional(),
  warnings: z.array(said).optional(),
});
const nextCall = z.object({
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
  why: z.string(),
});
const viewCall = z.looseObject({
  tool: z.literal('view_artwork'),
  arguments: z.object({ items: z.array(z.object({ path: z.string() })).max(24) }),
});
const planned = z.looseObject({
  planId: z.uuid().nullable(),
  counts: z.record(z.string(), z.int()),
  data: z.array(entry),
  nextCursor: z.string().nullable(),
  view: z.array(viewCall),
  next: nextCall,
});

function answerOf<Schema extends z.ZodType>(schema: Schema, result: CallToolResult): z.output<Schema> {
  const [text] = result.content;
  if (result.isError === true || text?.type !== 'text') throw new Error(JSON.stringify(result.content));
  expect(text.text.length).toBeLessThan(40_000);
  return schema.parse(result.structuredContent);
}

async function plan(args: Record<string, unknown>) {
  return answerOf(planned, await server.call('plan_set', args));
}

/** All entries of a plan, page by page. */
async function wholePlan(args: Record<string, unknown>) {
  const first = await plan(args);
  const entries = [...first.data];
  for (let { nextCursor: cursor } = first; cursor !== null; ) {
    const page = await plan({ ...args, cursor });
    expect(page.counts).toEqual(first.counts);
    expect(page.planId).toBe(first.planId);
    entries.push(...page.data);
    cursor = page.nextCursor;
  }
  return { ...first, entries };
}

const outcome = z.looseObject({
  outcome: z.string(),
  clientMutationId: z.string(),
  updatedAt: z.string().optional(),
  counts: z.record(z.string(), z.int()).optional(),
  receipt: z.looseObject({ setId: z.int() }).optional(),
  requests: z.array(z.looseObject({ path: z.string(), body: z.unknown() })).optional(),
  warnings: z.array(said).optional(),
});

/** A folder as people have them: 62 cards and what lies beside them. */
async function messyFolder(name: string) {
  const folder = path.join(pictures.path, name);
  const cards = wexmoor.episodes.map(({ code }, at) => {
    const season = Number(code.slice(1, 3));
    return [`Season ${season}/${title} - ${code}.png`, { colour: at + 1 }] as const;
  });
  const broken = (await paint({ colour: 99 })).subarray(0, 900);
  await fillFolder(folder, {
    ...Object.fromEntries(cards),
    '.DS_Store': 'x',
    'Season 1/Thumbs.db': 'x',
    'notes.txt': 'to do',
    'Mossbottom Manor - S01E01.png': { colour: 80 },
    [`${title} - S09E01.png`]: { colour: 81 },
    [`Specials/${title} - S00E01.png`]: { colour: 82 },
    [`Season 4/${title} - S04E02.png`]: { colour: 38 },
    // A second card for one episode, and odd ones in the place of three others.
    [`Season 2/${title} - S02E05 (alternative).png`]: { colour: 83 },
    [`Season 3/${title} - S03E01.png`]: { colour: 84, height: 750 },
    [`Season 3/${title} - S03E02.png`]: broken,
    [`Season 3/${title} - S03E03.jpg`]: 'this is a text',
  });
  await rm(path.join(folder, `Season 3/${title} - S03E03.png`));
  await rm(path.join(folder, `Season 4/${title} - S04E13.png`));
  return { folder, args: { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId } };
}

describe('plan_set', () => {
  it('plans a folder of title cards, and its Set is made of it', async () => {
    expect(wexmoor.episodes).toHaveLength(62);
    const { args } = await messyFolder('messy');
    const { entries, counts, planId, next, view } = await wholePlan(args);
    expect(counts).toEqual({
      files: 68,
      matched: 61,
      ambiguous: 1,
      unmatched: 3,
      ignored: 3,
      missing: 1,
      problems: 2,
      warnings: 3,
      sent: 59,
    });
    const [first, second, third] = entries;
    expect([first?.problem?.code, second?.problem?.code].sort()).toEqual(['damaged', 'unknown_type']);
    expect(third).toMatchObject({ status: 'ambiguous' });
    expect(third?.ask).toContain('S02E05');
    const warned = entries.filter(({ warnings }) => warnings !== undefined);
    expect(warned.map(({ warnings }) => warnings?.[0]?.code)).toEqual([
      'unusual_ratio',
      'same_bytes',
      'same_bytes',
    ]);
    expect(entries.find(({ status }) => status === 'missing')?.target?.label).toContain('S04E13');

    const shown = await server.call('view_artwork', view[0]?.arguments);
    expect(shown.content.some(({ type }) => type === 'image')).toBe(true);

    const dry = answerOf(outcome, await server.call(next.tool ?? '', next.arguments));
    expect(dry).toMatchObject({ outcome: 'dry_run' });
    const call = { ...next.arguments, dryRun: false, titleBase: 'Cards of every door' };
    const created = answerOf(outcome, await server.call('create_media_set', call));
    expect(created).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 59 } });
    expect(created.warnings?.map(({ code }) => code)).toContain('left_out');
    expect(next.arguments?.planId).toBe(planId);
  });

  it('says why it does not read what it may not, and finds no plan of somebody else', async () => {
    const { args } = await messyFolder('other');
    const { planId, next } = await plan(args);
    const { home } = household;
    const outside = errorOf(await server.call('plan_set', { ...args, folder: home }));
    expect(outside.error).toMatchObject({ category: 'upload_refused', details: { reason: 'outside_roots' } });
    const gone = errorOf(await server.call('plan_set', { ...args, folder: `${args.folder} not` }));
    expect(gone.error).toMatchObject({ details: { reason: 'missing' } });
    const nothing = errorOf(await server.call('plan_set', { ...args, entryTargetId: 5 }));
    expect(nothing.error).toMatchObject({ category: 'not_found' });

    const other = await startServer({ ...env, ARTWORK_USER: 'somebody-else' });
    try {
      const refused = errorOf(await other.call('create_media_set', { ...next.arguments, planId }));
      expect(refused.error).toMatchObject({ category: 'not_found', code: 'plan_not_found' });
    } finally {
      await other.stop();
    }
  });
});
