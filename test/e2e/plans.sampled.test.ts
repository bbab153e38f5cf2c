import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillFolder, paint } from '../curation/folders.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { describeJourney, follow } from '../support/follower.ts';
import { answerOf, findWexmoor, outcome, planned, said, title, type Wexmoor } from '../support/plans.ts';
import { isSlowRun } from '../support/share.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { marked } from '../support/unique-pictures.ts';

let household: Household;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let wexmoor: Wexmoor;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startServer(env);
  await signInThrough(server, household);
  wexmoor = await findWexmoor(server);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

async function plan(args: Record<string, unknown>) {
  return answerOf(planned, await server.call('plan_set', args));
}

/** All entries of a plan, page by page. */
async function wholePlan(args: Record<string, unknown>) {
  return restOf(await plan(args), args);
}

async function restOf(first: z.output<typeof planned>, args: Record<string, unknown>) {
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
  if (isSlowRun())
    it('plans a folder of title cards, and its Set is made of it', async () => {
      expect(wexmoor.episodes).toHaveLength(62);
      const { args } = await messyFolder('messy');
      const { entries, counts, planId, next, view, folder } = await wholePlan(args);
      expect(counts).toEqual({
        files: 68,
        matched: 61,
        ambiguous: 1,
        unmatched: 3,
        ignored: 3,
        missing: 1,
        problems: 2,
        warnings: 3,
        toSend: 59,
        notSent: 3,
      });
      for (const said of [
        '59 files. The Set will not be whole: 1 place has no file, 3 files can',
        '(3: unusual_ratio 1, same_bytes 2)',
        'ambiguous files (1)',
      ]) {
        expect(next.why).toContain(said);
      }
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
      expect(dry).toMatchObject({ outcome: 'dry_run', next: { why: expect.any(String) } });
      // Nothing of a Set can be deleted: what is only followed never makes one.
      expect(dry).not.toHaveProperty('next.tool');
      const call = { ...next.arguments, dryRun: false, titleBase: 'Cards of every door' };
      const created = answerOf(outcome, await server.call('create_media_set', call));
      expect(created).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 59 } });
      // What was said of the pictures when they were planned is said with the outcome.
      expect(created.warnings?.map(({ code }) => code).sort()).toEqual([
        'left_out',
        'same_bytes',
        'unusual_ratio',
      ]);
      expect(next.arguments?.planId).toBe(planId);

      // The person says that the card which was ambiguous is the better one.
      expect(third?.ask).toContain(`in the place of “Season 2/${title} - S02E05.png`);
      const [candidate] = third?.candidates ?? [];
      const { targetKind, targetId, slot } = candidate ?? {};
      const setId = created.receipt?.setId ?? 0;
      const assetId = (await assetsOf(setId)).get(`${targetKind} ${targetId} ${slot}`);
      const read = await server.call('get_owned', { type: 'asset', id: assetId });
      const { updatedAt } = answerOf(z.looseObject({ updatedAt: z.string() }), read);
      const item = { targetKind, targetId, slot, file: path.join(folder, third?.file ?? '') };
      const replaced = await server.call('edit_set', {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: created.updatedAt,
        setId,
        setKind: 'media_set',
        items: [
          {
            ...item,
            operation: 'replace',
            expectedPreviousAssetId: assetId,
            expectedAssetUpdatedAt: updatedAt,
          },
        ],
      });
      expect(answerOf(outcome, replaced)).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 1 } });
    });

  it('leads to a person where nothing of a folder can be sent', async () => {
    const folder = path.join(pictures.path, 'nothing');
    await fillFolder(folder, {
      'S01E01.txt': 'x',
      'Another Show - S01E01.png': { colour: 1 },
      'S01E02.png': 'x',
    });
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId };
    const { planId, next, counts } = await plan(args);
    expect(counts).toMatchObject({ files: 3, ignored: 1, unmatched: 1, problems: 1, toSend: 0 });
    expect(planId).toBeNull();
    expect(next).not.toHaveProperty('tool');
    const empty = path.join(pictures.path, 'empty');
    await fillFolder(empty, { 'notes.txt': 'x' });
    const none = await plan({ ...args, folder: empty });
    expect(none.next).toEqual({ why: expect.stringContaining('holds no pictures') });
  });

  it('says why it does not read what it may not, and finds no plan of somebody else', async () => {
    const folder = path.join(pictures.path, 'other');
    await fillFolder(folder, { 'S01E01.png': { colour: 1 } });
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId };
    const { planId, next } = await plan(args);
    const { home } = household;
    const outside = errorOf(await server.call('plan_set', { ...args, folder: home }));
    expect(outside.error).toMatchObject({ category: 'upload_refused', details: { reason: 'outside_roots' } });
    const gone = errorOf(await server.call('plan_set', { ...args, folder: `${args.folder} not` }));
    expect(gone.error).toMatchObject({ details: { reason: 'missing' } });
    for (const misspelt of ['othr', 'Other', pathToFileURL(path.join(pictures.path, 'o ther')).href]) {
      const asked = misspelt.startsWith('file:') ? misspelt : path.join(pictures.path, misspelt);
      const near = errorOf(await server.call('plan_set', { ...args, folder: asked }));
      expect(near.error.message).toMatch(/, but "other"\. Folders that are open: /);
      expect(near.error.message).toContain(pictures.path);
      expect(near.next).toMatchObject({ tool: 'plan_set', arguments: args });
    }
    const unlike = errorOf(await server.call('plan_set', { ...args, folder: `${pictures.path}/zzzz/deep` }));
    expect(unlike.error.details).toMatchObject({ folders: expect.arrayContaining(['other']) });
    expect(unlike.next).not.toHaveProperty('tool');
    // Of a path like this each level would be looked for anew: no call has the time for that.
    const deep = errorOf(
      await server.call('plan_set', { ...args, folder: `${pictures.path}${'/d'.repeat(1_500)}` }),
    );
    expect(deep.error).toMatchObject({ details: { reason: 'missing' } });
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

  if (isSlowRun())
    it('plans the edit of a Set, and replaces only what changed', async () => {
      const { args, folder } = await messyFolder('edited');
      // Another test has just made a Set of the same files, which is no second time what it made.
      await fillFolder(folder, { [`Season 1/${title} - S01E01.png`]: { colour: 100 } });
      const { next } = await plan(args);
      const created = answerOf(
        outcome,
        await server.call('create_media_set', {
          ...next.arguments,
          dryRun: false,
          titleBase: 'To be edited',
        }),
      );
      const setId = created.receipt?.setId ?? 0;
      const before = await assetsOf(setId);
      await fillFolder(folder, {
        [`Season 1/${title} - S01E01.png`]: { colour: 101 },
        [`Season 5/${title} - S05E12.png`]: { colour: 102 },
        [`Season 3/${title} - S03E02.png`]: { colour: 103 },
        [`Season 4/${title} - S04E13.png`]: { colour: 104 },
      });

      const edit = await wholePlan({ ...args, setId });
      expect(edit.counts).toMatchObject({ add: 2, replace: 2, unchanged: 57, toSend: 4, missing: 0 });
      expect(edit).toMatchObject({ set: { id: setId, updatedAt: created.updatedAt } });
      const replaced = edit.entries.filter(({ operation }) => operation === 'replace');
      expect(replaced.map(({ file }) => file?.slice(-10))).toEqual(['S01E01.png', 'S05E12.png']);
      expect(edit.next.tool).toBe('edit_set');
      const dry = answerOf(outcome, await server.call('edit_set', edit.next.arguments));
      expect(dry).toMatchObject({ outcome: 'dry_run' });
      const edited = answerOf(
        outcome,
        await server.call('edit_set', { ...edit.next.arguments, dryRun: false }),
      );
      expect(edited).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 4 } });

      const after = await assetsOf(setId);
      const gone = [...before].filter(([place, id]) => after.get(place) !== id).map(([place]) => place);
      expect(gone.sort()).toEqual(
        replaced.map(({ target, slot }) => `${target?.kind} ${target?.id} ${slot}`).sort(),
      );
      expect(after.size).toBe(before.size + 2);
      const again = await plan({ ...args, setId });
      expect(again).toMatchObject({ counts: { unchanged: 61, toSend: 0, ambiguous: 1 } });
      expect(again.next.tool).toBeUndefined();
    });

  it('sends no file that is not what was planned', async () => {
    const cards = wexmoor.episodes.slice(0, 5).map(({ code }, at) => [`${code}.png`, { colour: 120 + at }]);
    const folder = path.join(pictures.path, 'changed');
    await fillFolder(folder, Object.fromEntries(cards));
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId, slot: 'titlecard' };
    const { next } = await plan(args);
    const call = { ...next.arguments, dryRun: false, titleBase: 'Never as planned' };

    const [changed, shortened, deleted] = ['S01E01.png', 'S01E02.png', 'S01E03.png'];
    const whole = await paint({ colour: 121 });
    await fillFolder(folder, { 'S01E01.png': { colour: 130 }, 'S01E02.png': whole.subarray(0, 500) });
    await rm(path.join(folder, 'S01E03.png'));
    const refused = errorOf(await server.call('create_media_set', call));
    expect(refused).toMatchObject({
      error: { category: 'upload_refused' },
      outcome: 'not_sent',
      next: { tool: 'plan_set', arguments: args },
    });
    const { files } = z
      .object({ files: z.record(z.string(), z.array(z.string())) })
      .parse(refused.error.details);
    expect(Object.values(files).flat().sort()).toEqual([changed, shortened, deleted]);
    const listed = await server.call('list_mutations', { limit: 200 });
    expect(JSON.stringify(listed.structuredContent)).not.toContain(String(next.arguments?.clientMutationId));
  });

  it('is one intent with the explicit arguments, and answers what is known whatever the files became', async () => {
    const folder = path.join(pictures.path, 'known');
    const [one, two] = wexmoor.episodes;
    await fillFolder(folder, { 'S01E02.png': { colour: 141 }, 'S01E01.png': { colour: 140 } });
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId };
    const { next } = await plan(args);
    const call = { ...next.arguments, dryRun: false, titleBase: 'Known afterwards' };
    const created = answerOf(outcome, await server.call('create_media_set', call));
    expect(created).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 } });

    const { planId: _, ...explicit } = next.arguments ?? {};
    const card = { targetKind: 'episode', slot: 'titlecard' };
    const declaredFiles = [
      { ...card, file: path.join(folder, 'S01E01.png'), targetId: one?.id },
      { ...card, file: path.join(folder, 'S01E02.png'), targetId: two?.id },
    ];
    const same = { ...explicit, dryRun: false, titleBase: 'Known afterwards', declaredFiles };
    expect(answerOf(outcome, await server.call('create_media_set', same))).toEqual(created);

    await fillFolder(folder, { 'S01E01.png': { colour: 150 } });
    await rm(path.join(folder, 'S01E02.png'));
    expect(answerOf(outcome, await server.call('create_media_set', call))).toEqual(created);
    const other = errorOf(await server.call('create_media_set', { ...call, titleBase: 'Another' }));
    expect(other.error).toMatchObject({ category: 'mutation_id_reused' });
  });

  it('takes the answers of the person beside the plan, for a new Set and for its edit', async () => {
    const folder = path.join(pictures.path, 'answered');
    const [one, two, three, four] = wexmoor.episodes;
    await fillFolder(folder, {
      'S01E01.png': { colour: 200 },
      'S01E02.png': { colour: 201 },
      'S01E02 (alternative).png': { colour: 202 },
      'inner/the last one.png': { colour: 203 },
      'S01E03.png': { colour: 204 },
    });
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId, slot: 'titlecard' };
    const first = await plan({ ...args, limit: 2 });
    const { next, data, counts } = first;
    expect(counts).toMatchObject({ toSend: 3, ambiguous: 1, unmatched: 1 });
    // Nothing but the id says which show it is.
    expect(next.why).toContain('that 3 files are of this work (see work)');
    expect(first.work).toMatchObject({ kind: 'show', id: wexmoor.showId });
    const [asked] = data;
    const { label: _, ...place }: Record<string, unknown> = asked?.candidates?.[0] ?? {};
    expect(place).toEqual({ targetKind: 'episode', targetId: two?.id, slot: 'titlecard' });
    // Each page of a plan is followed by the same mutation.
    const second = await plan({ ...args, limit: 2, cursor: first.nextCursor });
    expect(second.next).toEqual(next);
    expect((await plan(args)).next.arguments).not.toEqual(next.arguments);

    const answers = [
      { file: asked?.file, ...place },
      { file: 'inner/the last one.png', targetKind: 'episode', targetId: four?.id, slot: 'titlecard' },
    ];
    const meant = { ...next.arguments, titleBase: 'As the person said' };
    const call = { ...meant, declaredFiles: answers };
    const dry = answerOf(outcome, await server.call('create_media_set', call));
    expect(dry).toMatchObject({ outcome: 'dry_run' });
    const [better, last] = answers;
    const wrong = errorOf(
      await server.call('create_media_set', {
        ...call,
        declaredFiles: [better, { ...last, targetId: 1 }],
      }),
    );
    expect(wrong.error).toMatchObject({ issues: [{ path: ['declaredFiles', '1', 'targetId'] }] });
    const less = await server.call('create_media_set', { ...call, leaveOut: ['S01E03.png'] });
    expect(answerOf(outcome, less)).toMatchObject({ outcome: 'dry_run', target: { files: 3 } });
    const created = answerOf(outcome, await server.call('create_media_set', { ...call, dryRun: false }));
    expect(created).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 4 } });
    // Sets of the same show were made before it.
    const earlier = created.warnings?.filter(({ code }) => code === 'earlier_set');
    expect(earlier).toHaveLength(1);
    // What the plan had for a place that another file was named for is named.
    const message = `S01E02.png is left out, since ${String(asked?.file)} takes its place.`;
    for (const { warnings } of [dry, created]) {
      expect(warnings?.filter(({ code }) => code === 'displaced')).toEqual([{ code: 'displaced', message }]);
    }
    const again = await plan(args);
    expect(again.made?.[0]).toMatchObject({ title: 'As the person said', outcome: 'succeeded' });
    expect(again.next.why).toContain('then plan again with its setId');
    const card = { targetKind: 'episode', slot: 'titlecard' };
    const { planId: __, ...explicit }: Record<string, unknown> = meant;
    const declaredFiles = [
      { ...card, file: path.join(folder, 'S01E02 (alternative).png'), targetId: two?.id },
      { ...card, file: path.join(folder, 'inner/the last one.png'), targetId: four?.id },
      { ...card, file: path.join(folder, 'S01E01.png'), targetId: one?.id },
      { ...card, file: path.join(folder, 'S01E03.png'), targetId: three?.id },
    ];
    const same = { ...explicit, declaredFiles, dryRun: false };
    expect(answerOf(outcome, await server.call('create_media_set', same))).toEqual(created);

    await fillFolder(folder, { 'S01E01 (new).png': { colour: 205 } });
    const setId = created.receipt?.setId ?? 0;
    const edit = await plan({ ...args, setId });
    const [newer] = edit.data.filter(({ file }) => file === 'S01E01 (new).png');
    const { label: ___, ...replacing }: Record<string, unknown> = newer?.candidates?.[0] ?? {};
    expect(replacing).toMatchObject({ operation: 'replace', targetId: one?.id });
    const items = [{ file: newer?.file, ...replacing }];
    const change = { ...edit.next.arguments, planId: edit.planId, items, dryRun: false };
    await fillFolder(folder, { 'S01E01 (new).png': { colour: 206 } });
    const changed = errorOf(await server.call('edit_set', change));
    expect(changed).toMatchObject({
      error: {
        category: 'upload_refused',
        details: { files: { source_changed: ['S01E01 (new).png'] } },
      },
      next: { tool: 'plan_set', arguments: { ...args, setId } },
    });
    await fillFolder(folder, { 'S01E01 (new).png': { colour: 205 } });
    const edited = answerOf(outcome, await server.call('edit_set', change));
    expect(edited).toMatchObject({ outcome: 'succeeded' });
    const held = await assetsOf(setId);
    expect(held.get(`episode ${one?.id} titlecard`)).not.toBe(replacing.expectedPreviousAssetId);
  });

  it('leads to a new plan where the Set is not what was planned any more', async () => {
    const folder = path.join(pictures.path, 'overtaken');
    await fillFolder(folder, { 'S01E01.png': { colour: 210 }, 'S01E02.png': { colour: 211 } });
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId };
    const { next } = await plan(args);
    const made = await server.call('create_media_set', { ...next.arguments, dryRun: false });
    const setId = answerOf(outcome, made).receipt?.setId ?? 0;
    await fillFolder(folder, { 'S01E01.png': { colour: 212 }, 'S01E02.png': { colour: 213 } });
    const [early, late] = [await plan({ ...args, setId }), await plan({ ...args, setId })];
    answerOf(outcome, await server.call('edit_set', { ...late.next.arguments, dryRun: false }));

    const anew = { tool: 'plan_set', arguments: { ...args, setId } };
    for (const dryRun of [true, false]) {
      const stale = errorOf(await server.call('edit_set', { ...early.next.arguments, dryRun }));
      expect(stale).toMatchObject({
        error: { category: 'stale_revision' },
        outcome: 'not_sent',
        clientMutationId: early.next.arguments?.clientMutationId,
        next: anew,
      });
    }
    // With the Set's new revision it is the Assets that are others.
    const { data } = answerOf(
      z.looseObject({ data: z.looseObject({ updatedAt: z.string() }) }),
      await server.call('get_owned', { type: 'set', id: setId }),
    );
    const hasty = { ...early.next.arguments, dryRun: false, expectedUpdatedAt: data.updatedAt };
    const gone = errorOf(await server.call('edit_set', hasty));
    expect(gone).toMatchObject({ next: anew });
    // A revision that nobody has seen is no matter of the plan.
    await fillFolder(folder, { 'S01E03.png': { colour: 214 } });
    const fresh = await plan({ ...args, setId });
    const wrong = { ...fresh.next.arguments, expectedUpdatedAt: 'another' };
    expect(errorOf(await server.call('edit_set', wrong)).next).toMatchObject({ tool: 'get_owned' });
  });

  it('takes a plan for what it was made for, and nothing else', async () => {
    const folder = path.join(pictures.path, 'mistaken');
    await fillFolder(folder, { 'S01E01.png': { colour: 160 } });
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId };
    const { next, planId } = await plan(args);
    const made = await server.call('create_media_set', { ...next.arguments, dryRun: false });
    const setId = answerOf(outcome, made).receipt?.setId ?? 0;
    await fillFolder(folder, { 'S01E01.png': { colour: 161 } });
    const edit = await plan({ ...args, setId });
    const refusal = async (tool: string, changes: Record<string, unknown>) => {
      const base = tool === 'edit_set' ? edit.next.arguments : next.arguments;
      const { error } = errorOf(await server.call(tool, { ...base, ...changes }));
      expect(error.category).toBe('invalid_arguments');
      return error.message;
    };
    expect(await refusal('edit_set', { planId })).toContain('create_media_set');
    expect(await refusal('create_media_set', { planId: edit.planId })).toContain('edit_set');
    expect(await refusal('create_media_set', { entryTargetId: 7 })).toContain(String(wexmoor.showId));
    expect(await refusal('edit_set', { setId: setId + 1 })).toContain(String(setId));
    const unknown = { ...card(folder), file: 'S09E09.png' };
    expect(await refusal('create_media_set', { declaredFiles: [unknown] })).toContain('S09E09.png');
    expect(await refusal('create_media_set', { planId: undefined })).toContain('planId');
    expect(await refusal('create_media_set', { leaveOut: ['S01E01.png'] })).toContain('leaveOut');
    const alone = { planId: undefined, declaredFiles: [card(folder)], leaveOut: ['S01E01.png'] };
    expect(await refusal('create_media_set', alone)).toContain('planId');
    expect(await refusal('edit_set', { planId: undefined })).toContain('change nothing');
  });

  if (isSlowRun())
    it('pages through the plan as it was made, and leads to its end by next alone', async () => {
      const { folder, args } = await messyFolder('paged');
      const first = await plan({ ...args, limit: 20 });
      await rm(folder, { recursive: true });
      const { entries } = await restOf(first, { ...args, limit: 33 });
      expect(entries.map(({ file }) => file)).toHaveLength(
        new Set(entries.map((each) => JSON.stringify(each))).size,
      );
      expect(entries).toHaveLength(67);
      const foreign = errorOf(
        await server.call('plan_set', { ...args, slot: 'poster', cursor: first.nextCursor }),
      );
      expect(foreign).toMatchObject({ error: { category: 'invalid_arguments' }, next: { tool: 'plan_set' } });

      await messyFolder('paged');
      const journey = await follow(server, { tool: 'plan_set', arguments: args });
      expect(describeJourney(journey)).toMatch(/create_media_set: dry_run => person$/);
      await rm(path.join(folder, 'Season 1', `${title} - S01E01.png`));
      const planId = first.planId ?? '';
      const late = { ...first.next.arguments, planId, dryRun: false };
      const mended = await follow(server, { tool: 'create_media_set', arguments: late });
      expect(describeJourney(mended)).toMatch(/upload_refused.* > plan_set: > create_media_set: dry_run/);
    });

  it('shows its pictures by their names, with as much of their folders as tells them apart', async () => {
    const folder = path.join(pictures.path, 'looked at');
    await fillFolder(folder, {
      'poster.png': { colour: 181, width: 680, height: 1020 },
      'Season 2/poster.png': { colour: 182, width: 680, height: 1020 },
      'Season 2/S02E01.png': { colour: 183 },
    });
    const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId };
    const { view, planId } = await plan(args);
    const labels = async (call: unknown) => {
      const { data } = answerOf(
        z.looseObject({ data: z.array(z.looseObject({ label: z.string(), error: said.optional() })) }),
        await server.call('view_artwork', z.record(z.string(), z.unknown()).parse(call)),
      );
      return data.map(({ label, error }) => error?.code ?? label);
    };
    const shown = ['poster.png', 'Season 2/poster.png', 'S02E01.png'];
    expect((await labels(view[0]?.arguments)).sort()).toEqual([...shown].sort());
    const uris = ['poster.png', 'Season 2/poster.png'].map((file) => ({
      file: pathToFileURL(path.join(folder, file)).href,
    }));
    expect(await labels({ items: uris })).toEqual(['looked at/poster.png', 'Season 2/poster.png']);
    const items = [{ file: '../poster.png' }, { file: 'Season 2/S02E01.png' }];
    expect(await labels({ planId, items })).toEqual(['invalid_arguments', 'S02E01.png']);
  });

  it('warns of a picture with nothing on it, as an upload of it does', async () => {
    const folder = path.join(pictures.path, 'nothing on it');
    const size = { width: 1280, height: 720, background: '#204060' };
    await fillFolder(folder, {
      'S02E01.png': await sharp({ create: { ...size, channels: 3 } })
        .png()
        .toBuffer(),
      'S02E02.png': await marked(size).png().toBuffer(),
    });
    const { data } = await plan({ folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId });
    const warned = data.flatMap(({ file, warnings = [] }) =>
      warnings.map(({ code, message }) => ({ file, code, message })),
    );
    const message =
      'The picture is blank: it has one colour, or none, all over. Look at it before it is sent.';
    expect(warned).toEqual([{ file: 'S02E01.png', code: 'blank', message }]);
    const place = { targetKind: 'show', targetId: wexmoor.showId, slot: 'backdrop', operation: 'add' };
    const guard = { clientMutationId: randomUUID(), expectedUpdatedAt: 'none', dryRun: true };
    const file = path.join(folder, 'S02E01.png');
    const upload = await server.call('upload_asset', { ...guard, ...place, file });
    expect(upload.structuredContent).toMatchObject({
      warnings: expect.arrayContaining([{ code: 'blank', message }]),
      next: { why: expect.stringContaining('is a picture with nothing on it meant?') },
    });
  });

  it('is there for who may only read, and needs no sign-in', async () => {
    const folder = path.join(pictures.path, 'read only');
    await fillFolder(folder, { 'S01E01.png': { colour: 170 } });
    const reader = await startServer({
      ...env,
      ARTWORK_USER: 'reader',
      ARTWORK_READ_ONLY: '1',
      ARTWORK_TOOLSETS: 'curate',
    });
    try {
      const args = { folder, entryTargetKind: 'show', entryTargetId: wexmoor.showId };
      const { counts, next, view } = answerOf(planned, await reader.call('plan_set', args));
      expect(view).toEqual([]);
      expect(counts).toMatchObject({ matched: 1, toSend: 1 });
      expect(next.tool).toBeUndefined();
      expect(next.why).toContain('ARTWORK_READ_ONLY');
      const edit = errorOf(await reader.call('plan_set', { ...args, setId: 1 }));
      expect(edit.error).toMatchObject({ category: 'not_connected' });
    } finally {
      await reader.stop();
    }
  });
});

const card = (folder: string) => ({
  file: path.join(folder, 'S01E01.png'),
  targetKind: 'episode',
  targetId: wexmoor.episodes[0]?.id,
  slot: 'titlecard',
});

const heldBySet = z.looseObject({
  data: z.looseObject({
    assets: z.array(
      z.looseObject({
        id: z.string(),
        slot: z.string(),
        target: z.looseObject({ kind: z.string(), id: z.int() }),
      }),
    ),
  }),
  nextCursor: z.string().nullable(),
});

/** The Asset in each place of a Set of one's own. */
async function assetsOf(setId: number): Promise<Map<string, string>> {
  const held = new Map<string, string>();
  const args = { type: 'set', id: setId, limit: 200 };
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await server.call('get_owned', cursor === undefined ? args : { ...args, cursor });
    const { data, nextCursor } = answerOf(heldBySet, page);
    for (const { id, slot, target } of data.assets) held.set(`${target.kind} ${target.id} ${slot}`, id);
    cursor = nextCursor;
  }
  return held;
}
