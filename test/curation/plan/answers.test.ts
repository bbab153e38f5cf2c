import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { declaredFilesOf, plannedFilesOf, withAnswers } from '../../../src/curation/plan/items.ts';
import type { Plan } from '../../../src/curation/plan/plan.ts';
import type { NamedItem } from '../../../src/mutations/operations/find-operation.ts';
import { fillFolder } from '../folders.ts';
import { episodeId, type Planner, planIn, showOf, startPlanner } from './planner.ts';

const show = showOf(7, 'Puddles', { 1: 3 });

let planner: Planner;
let plan: Plan;
beforeEach(async () => {
  planner = await startPlanner();
  await fillFolder(planner.folder, {
    'S01E01.png': { colour: 1 },
    'S01E02.png': { colour: 2 },
    'S01E02 (alternative).png': { colour: 3 },
    'one more.png': { colour: 4 },
    'b/two\u202elines.png': { colour: 5 },
    'b/twolines.png': { colour: 6 },
  });
  plan = planIn(await planner.make(show, { kind: 'show', id: 7 }, { slot: 'titlecard' }));
});
afterEach(() => planner.leave());

const to = (number: number) => ({
  targetKind: 'episode',
  targetId: episodeId(7, 1, number),
  slot: 'titlecard',
});

const together = (...given: NamedItem[]) => answered(given);

async function answered(given: NamedItem[], leaveOut: string[] = []) {
  const found = await planner.store().find(plan.parts[0] ?? '');
  const all = withAnswers(plan, declaredFilesOf(found), plannedFilesOf(found), {
    given,
    list: 'declaredFiles',
    leaveOut,
  });
  const { items, files } = all;
  const shown = items.map(({ file, targetId }) => [path.relative(planner.folder, file), targetId % 100]);
  return { shown, files: files.map((file) => file?.name ?? null), answered: [...all.answered] };
}

describe('answers beside a plan', () => {
  it('come before what the plan sends, and take the place of what it says of a place or a file', async () => {
    expect((await together()).shown).toEqual([
      ['S01E01.png', 1],
      ['S01E02.png', 2],
    ]);
    const other = await together({ file: 'S01E02 (alternative).png', ...to(2) });
    expect(other).toEqual({
      shown: [
        ['S01E02 (alternative).png', 2],
        ['S01E01.png', 1],
      ],
      files: ['S01E02 (alternative).png', 'S01E01.png'],
      answered: ['S01E02 (alternative).png', 'S01E02.png'],
    });
    // A file that is said to be for something else is for nothing else.
    expect((await together({ file: 'S01E02.png', ...to(3) })).shown).toEqual([
      ['S01E02.png', 3],
      ['S01E01.png', 1],
    ]);
  });

  it('name a file as the plan shows it, by its path, or by its URI', async () => {
    const absolute = path.join(planner.folder, 'S01E02 (alternative).png');
    const { files, shown } = await together({ file: pathToFileURL(absolute).href, ...to(2) });
    expect(shown).toContainEqual(['S01E02 (alternative).png', 2]);
    expect(files).toContain('S01E02 (alternative).png');
    const foreign = path.join(path.dirname(planner.folder), 'S01E03.png');
    // What the plan has not looked at is bound to nothing.
    expect((await together({ file: foreign, ...to(3) })).files).toEqual([null, 'S01E01.png', 'S01E02.png']);
    expect((await together({ file: 'one more.png', ...to(3) })).files.at(0)).toBeNull();
  });

  it('leave out what the person does not want', async () => {
    const { shown, files, answered: settled } = await answered([], ['S01E02.png', 'one more.png']);
    expect(shown).toEqual([['S01E01.png', 1]]);
    expect(files).toEqual(['S01E01.png']);
    expect(settled.sort()).toEqual(['S01E02.png', 'one more.png']);
    for (const name of ['S01E09.png', path.join(planner.folder, 'S01E09.png')]) {
      await expect(answered([], [name])).rejects.toMatchObject({ issues: [{ path: ['leaveOut', '0'] }] });
    }
  });

  it('are refused where no file or several are shown so', async () => {
    for (const file of ['S01E09.png', '../pictures/S01E01.png', 'b/twolines.png', '']) {
      const refused = together({ file: 'one more.png', ...to(3) }, { file, ...to(2) });
      await expect(refused).rejects.toMatchObject({
        category: 'invalid_arguments',
        issues: [{ path: ['declaredFiles', '1', 'file'] }],
      });
    }
  });
});
