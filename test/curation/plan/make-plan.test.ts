import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countsOf } from '../../../src/curation/plan/after-plan.ts';
import { matchedIn, rowsOf } from '../../../src/curation/plan/page.ts';
import { itemsOf, type Plan } from '../../../src/curation/plan/plan.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { fillFolder, paint } from '../folders.ts';
import { episodeId, type Planner, planIn, showOf, startPlanner } from './planner.ts';

let planner: Planner;
beforeEach(async () => {
  planner = await startPlanner();
});
afterEach(() => planner.leave());

const show = { kind: 'show', id: 7 } as const;
const catalogue = showOf(7, 'Puddles', { 0: 2, 1: 3, 2: 3 });

const statuses = ({ entries }: Plan) =>
  Object.fromEntries(entries.flatMap((entry) => ('path' in entry ? [[entry.path, entry.status]] : [])));
const rowsShown = (plan: Plan) => {
  const { open, matched } = rowsOf(plan);
  return [...open, ...matched];
};
const sent = (plan: Plan) => itemsOf(plan).map(({ path: file, place }) => [file, place.target.id]);

describe('a plan', () => {
  it('is made without a season that can’t be read, says so, and takes no file for it', async () => {
    await fillFolder(planner.folder, {
      'Puddles S01E01.png': { colour: 1 },
      'Puddles S02E01.png': { colour: 2 },
    });
    const { 'season 701': _, ...rest } = catalogue;
    const plan = planIn(await planner.make(rest, show));
    expect(plan.unread).toContain('Season 1');
    expect(statuses(plan)).toMatchObject({
      'Puddles S01E01.png': 'unmatched',
      'Puddles S02E01.png': 'matched',
    });
  });

  it('puts every file into exactly one list, and sends in the order of the catalogue', async () => {
    await fillFolder(planner.folder, {
      'Puddles S02E01.png': { colour: 1 },
      'Puddles S01E03.png': { colour: 2 },
      'Puddles S01E01.png': { colour: 3 },
      'Puddles S01E01 again.png': { colour: 4 },
      'Puddles S00E02.png': { colour: 5 },
      'Puddles S07E01.png': { colour: 6 },
      'Something else S01E02.png': { colour: 7 },
      'poster.png': { colour: 8, width: 680, height: 1020 },
      'notes.txt': 'x',
    });
    const plan = planIn(await planner.make(catalogue, show));
    expect(statuses(plan)).toMatchObject({
      'Puddles S02E01.png': 'matched',
      'Puddles S07E01.png': 'unmatched',
      'Something else S01E02.png': 'unmatched',
      'poster.png': 'matched',
    });
    const counts = countsOf(plan);
    expect(counts.files).toBe(9);
    expect(counts.matched + counts.ambiguous + counts.unmatched + counts.ignored).toBe(9);
    expect(sent(plan).filter(([file]) => !String(file).includes('S01E01'))).toEqual([
      ['poster.png', 7],
      ['Puddles S00E02.png', episodeId(7, 0, 2)],
      ['Puddles S01E03.png', episodeId(7, 1, 3)],
      ['Puddles S02E01.png', episodeId(7, 2, 1)],
    ]);
  });

  it('asks about several files for one place, once for all of them', async () => {
    const bytes = await paint({ colour: 9 });
    await fillFolder(planner.folder, {
      'S01E01.png': bytes,
      'Puddles - S01E01.png': bytes,
      'S01E02.png': { colour: 10 },
      'Puddles - S01E02.png': { colour: 11 },
      'S01E03.png': bytes,
    });
    const plan = planIn(await planner.make(catalogue, show, { slot: 'titlecard' }));
    const asked = plan.entries.flatMap((entry) => (entry.status === 'ambiguous' ? [entry] : []));
    expect(asked.map(({ why }) => why.code)).toEqual(Array(4).fill('several_files'));
    const [first] = asked.filter((entry) => entry.path === 'S01E01.png');
    const [rival] = asked.filter((entry) => entry.path === 'Puddles - S01E01.png');
    expect(first?.ask).toBe(rival?.ask);
    const asks = rowsShown(plan).flatMap(({ ask }) => ask ?? []);
    expect(asks).toHaveLength(2);
    expect(sent(plan)).toEqual([['S01E03.png', episodeId(7, 1, 3)]]);
  });

  it('tells copies to the byte, and pictures under odd endings, and says once what is alike of several', async () => {
    const bytes = await paint({ colour: 30 });
    await fillFolder(planner.folder, {
      'Puddles S01E01.png': bytes,
      'Puddles S01E01 preview.png': bytes,
      'S01E02.jpg_large': { colour: 31 },
      S01E03: { colour: 32 },
      Makefile: 'all:',
      'Puddles [AU] S02E01.png': { colour: 33 },
      'Puddles [AU] S02E02.png': { colour: 34 },
      'Ponds S01E01.png': { colour: 35 },
      'Ponds S01E02.png': { colour: 36 },
    });
    const plan = planIn(await planner.make(catalogue, show));
    const whys = Object.fromEntries(
      plan.entries.flatMap((entry) => ('why' in entry ? [[entry.path, entry.why.code]] : [])),
    );
    expect(whys).toMatchObject({
      'Puddles S01E01 preview.png': 'same_bytes',
      'S01E02.jpg_large': 'no_ending',
      S01E03: 'no_ending',
      Makefile: 'junk',
      'Puddles [AU] S02E01.png': 'short_name',
      'Ponds S01E01.png': 'other_work',
    });
    expect(sent(plan)).toEqual([['Puddles S01E01.png', episodeId(7, 1, 1)]]);
    expect(countsOf(plan)).toMatchObject({ files: 9, ambiguous: 3, ignored: 1 });
    const entries = rowsShown(plan);
    const together = entries.filter(({ count, status }) => count === 2 && status !== 'missing');
    expect(together).toMatchObject([
      { status: 'ambiguous', count: 2, which: ['Puddles [AU] S02E01.png', 'Puddles [AU] S02E02.png'] },
      { status: 'unmatched', count: 2, which: ['Ponds S01E01.png', 'Ponds S01E02.png'] },
      { status: 'unmatched', count: 2, which: ['S01E02.jpg_large', 'S01E03'] },
    ]);
  });

  it('lists the places that the slots of the folder leave empty, and no others', async () => {
    await fillFolder(planner.folder, { 'S01E01.png': { colour: 18 } });
    const missing = (plan: Plan) =>
      plan.entries.flatMap((entry) => (entry.status === 'missing' ? [entry.place.target.id] : []));
    const plan = planIn(await planner.make(catalogue, show));
    expect(missing(plan)).toEqual([
      episodeId(7, 0, 1),
      episodeId(7, 0, 2),
      episodeId(7, 1, 2),
      episodeId(7, 1, 3),
      episodeId(7, 2, 1),
      episodeId(7, 2, 2),
      episodeId(7, 2, 3),
    ]);
    const rowsOfMissing = rowsShown(plan).filter(({ status }) => status === 'missing');
    expect(rowsOfMissing).toEqual([
      {
        status: 'missing',
        kind: 'episode',
        slot: 'titlecard',
        count: 7,
        which: ['S00E01–E02', 'S01E02–E03', 'S02E01–E03'],
      },
    ]);
    expect(matchedIn(plan)).toEqual([
      { kind: 'episode', season: 1, slot: 'titlecard', count: 1, which: ['S01E01'], missing: 2 },
    ]);
    const posters = planIn(await planner.make(catalogue, show, { slot: 'poster' }));
    expect(missing(posters)).toEqual([7, 700, 701, 702]);
    const long = planIn(await planner.make(showOf(7, 'Puddles', { 1: 3_000 }), show));
    expect(countsOf(long)).toMatchObject({ missing: 2_999 });
    const rows = rowsShown(long).filter(({ status }) => status === 'missing');
    expect(rows.reduce((sum, { count = 0 }) => sum + Number(count), 0)).toBe(2_999);
    expect(JSON.stringify(rows).length).toBeLessThan(1_000);
  });

  it('goes on with the next call where the time was not enough, also past what is no picture', async () => {
    const broken = (await paint({ colour: 20 })).subarray(0, 200);
    await fillFolder(planner.folder, {
      ...Object.fromEntries([1, 2, 3].map((at) => [`S01E0${at}.png`, { colour: 20 + at }])),
      'S02E01.png': 'a text',
      'S02E02.png': broken,
      'S02E03.png': Buffer.alloc(0),
    });
    // Never time for more than what each call does in any case.
    const late = deadlineIn(1);
    const done: number[] = [];
    for (;;) {
      const made = await planner.make(catalogue, show, { deadline: late });
      if ('plan' in made) {
        expect(itemsOf(made.plan)).toHaveLength(3);
        expect(countsOf(made.plan)).toMatchObject({ matched: 6, problems: 3 });
        break;
      }
      expect(made.reading.of).toBe(6);
      expect(made.reading.done).toBeGreaterThan(done.at(-1) ?? 0);
      done.push(made.reading.done);
    }
    expect(done.length).toBeGreaterThan(0);
  });
});
