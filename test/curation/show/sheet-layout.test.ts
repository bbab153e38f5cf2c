import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Cell, layOut, type Placed } from '../../../src/curation/show/sheet-layout.ts';

const _poster = { width: 1000, height: 1500 };
const card = { width: 1920, height: 1080 };

function rowsOf(cells: readonly Cell[]): Cell[][] {
  const rows = new Map<number, Cell[]>();
  for (const cell of cells) rows.set(cell.top, [...(rows.get(cell.top) ?? []), cell]);
  return [...rows.values()];
}

const pictures = fc.array(
  fc.record({ width: fc.integer({ min: 300, max: 4_000 }), height: fc.integer({ min: 300, max: 4_000 }) }),
  { minLength: 1, maxLength: 24 },
);

describe('layOut', () => {
  it('makes rows of one height that fill the sheet, whatever stands in them', () => {
    fc.assert(
      fc.property(pictures, fc.integer({ min: 64, max: 1_600 }), (placed, size) => {
        const { cells, width, height } = layOut(placed, size, 30);
        expect(cells).toHaveLength(placed.length);
        expect(Math.max(width, height)).toBeLessThanOrEqual(4_000);
        for (const row of rowsOf(cells)) {
          expect(new Set(row.map((cell) => cell.height)).size).toBe(1);
          row.forEach((cell, index) => {
            const end = cell.left + cell.width;
            expect(end).toBeLessThanOrEqual(width - 12);
            expect(row[index + 1]?.left ?? end + 12).toBe(end + 12);
          });
        }
        for (const [index, cell] of cells.entries()) {
          const next = cells[index + 1];
          if (next !== undefined) expect(next.top > cell.top || next.left > cell.left).toBe(true);
        }
      }),
    );
  });

  it('keeps rivals for one place in one row', () => {
    const placed: Placed[] = Array.from({ length: 12 }, (_, index) => ({
      ...card,
      rival: index === 3 || index === 4 ? 'S01E04' : `S01E${index}`,
    }));
    for (let at = 0; at < 11; at++) {
      const shifted = [...placed.slice(at), ...placed.slice(0, at)];
      const { cells } = layOut(shifted, 256, 30);
      const tops = cells.filter((_, index) => shifted[index]?.rival === 'S01E04').map(({ top }) => top);
      // Where the list was turned between the two they are no neighbours.
      if (at !== 4) expect(new Set(tops).size).toBe(1);
    }
  });
});
