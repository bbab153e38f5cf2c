import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { document } from './document.ts';
import { type KeptTable, keptTable, merged, worse } from './table.ts';

type Cells = KeptTable[number]['cells'];

const row = (host: string, cells: Cells, version = '1.0.0') => ({ host, version, cells });
const cell = (words: string, good: number | null) => ({ words, good });

/** As it was kept: two hosts, what each can, and a cell that is neither good nor bad. */
const kept: KeptTable = [
  row('Alpha', { Pictures: cell('yes', 1), Roots: cell('no', 0), Found: cell('4 of 9', 4 / 9) }),
  row('Beta', { Pictures: cell('as base64 text', 0.5), End: cell('SIGTERM', null) }),
];

/** The kept table with other cells of Alpha. */
const played = (cells: Cells): KeptTable =>
  kept.map((one) => (one.host === 'Alpha' ? { ...one, cells: { ...one.cells, ...cells } } : one));

describe('what a run of the hosts came to, beside what was kept', () => {
  it('is not worse where it is the same, better, or only in other words', () => {
    expect(worse(kept, kept)).toEqual([]);
    expect(worse(played({ Roots: cell('yes', 1), Found: cell('9 of 9', 1) }), kept)).toEqual([]);
    expect(worse(played({ Pictures: cell('yes, twice', 1) }), kept)).toEqual([]);
    // Two parts that are counted otherwise, and come to the same.
    expect(worse(played({ Found: cell('44 of 100', 0.44) }), kept)).toEqual([]);
  });

  it('is worse by each cell that fell, with both words', () => {
    const now = played({ Pictures: cell('no', 0), Found: cell('3 of 9', 3 / 9), Roots: cell('yes', 1) });
    expect(worse(now, kept)).toEqual([
      'Alpha, Pictures: no; it was: yes',
      'Alpha, Found: 3 of 9; it was: 4 of 9',
    ]);
  });

  it('is worse where a cell that was good can’t be told any more', () => {
    expect(worse(played({ Pictures: cell('–', null) }), kept)).toEqual(['Alpha, Pictures: –; it was: yes']);
  });

  it('says nothing of a cell that was neither, of a new cell, and of a column that is not played any more', () => {
    const [alpha, beta] = kept;
    expect(worse([row('Beta', { ...beta?.cells, End: cell('left behind', 0) })], kept)).toEqual([]);
    expect(worse(played({ New: cell('no', 0) }), kept)).toEqual([]);
    expect(worse([row('Alpha', { Roots: cell('no', 0) })], kept)).toEqual([]);
    expect(worse([row('Alpha', { ...alpha?.cells }, '2.0.0')], kept)).toEqual([]);
  });

  it('says nothing of a host that was left out, and of one that is new', () => {
    expect(worse(kept.slice(0, 1), kept)).toEqual([]);
    expect(worse([], kept)).toEqual([]);
    expect(worse([row('Gamma', { Pictures: cell('no', 0) })], kept)).toEqual([]);
    expect(worse(kept, [])).toEqual([]);
  });
});

describe('a table that is kept', () => {
  const order = ['Beta', 'Alpha', 'Gamma'];

  it('has each host once, in one order: as it was played now, else as it was kept', () => {
    const now = [row('Gamma', {}), row('Alpha', { Roots: cell('yes', 1) }, '2.0.0')];
    expect(merged(now, kept, order)).toEqual([kept[1], now[1], now[0]]);
  });

  it('loses no host that was left out, only those that are not played any more', () => {
    expect(merged([], kept, order)).toEqual([kept[1], kept[0]]);
    expect(merged([], kept, ['Alpha'])).toEqual([kept[0]]);
  });

  it('is read as it was written, and refused where a cell is none', () => {
    expect(keptTable.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
    expect(keptTable.safeParse([{ host: 'Alpha', version: '1', cells: { Roots: 'yes' } }]).success).toBe(
      false,
    );
  });
});

it('the page of the hosts has every cell that is kept', async () => {
  const kept = keptTable.parse(JSON.parse(await readFile('test/hosts/kept.json', 'utf8')));
  const page = await readFile('docs/hosts.md', 'utf8');
  expect(page).toBe(document(kept));
  for (const { host, version, cells } of kept) {
    const rows = page.split('\n').filter((line) => line.startsWith(`| ${host} ${version} |`));
    const shown = rows.flatMap((row) => row.split(' | ').map((cell) => cell.replace(/ \|$/, '')));
    expect(shown).toEqual(expect.arrayContaining(Object.values(cells).map(({ words }) => words)));
  }
});
