import { shapeOfSlot } from '../../model/slots.ts';

export interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** What is to be placed: its proportions, and what it should stand beside. */
export interface Placed extends Size {
  /** Rivals for one place have the same: they stay in one row where they fit. */
  readonly rival?: string | undefined;
}

/** Where one picture stands on a contact sheet; its label stands beneath it, as wide as it is. */
export interface Cell extends Size {
  readonly left: number;
  readonly top: number;
  readonly labelTop: number;
}

interface SheetLayout extends Size {
  readonly cells: readonly Cell[];
}

/** Longest side of a sheet, in pixels: models scale larger pictures down, and memory is not free. */
const longest = 4_000;
const gap = 12;
/** Width to height: about a screen's. */
const wanted = 1.35;
/** Strips and towers, width to height: beyond these a picture stands in a part of its cell. */
const [tallest, widest] = [0.4, 4.5];
/** Of the wanted row height: a row of few pictures is not blown up further. */
const highest = 1.3;

/**
 * Arranges pictures in rows that fill the sheet, in their order: of a row all are as high as the others, and each keeps
 * its proportions. The number of rows is the one that brings the sheet nearest to a screen's proportions.
 * @param size about how wide a picture is, in pixels; less where the sheet would grow too large
 */
export function layOut(pictures: readonly Placed[], size: number, labelHeight: number): SheetLayout {
  const ratios = pictures.map(ratioOf);
  const together = pictures.map(
    ({ rival }, index) => rival !== undefined && pictures[index + 1]?.rival === rival,
  );
  const sheets = pictures.map((_, index) => filled(ratios, together, index + 1, size, labelHeight));
  const best = sheets.reduce((one, other) => (other.oddity < one.oddity ? other : one));
  const excess = Math.max(best.width, best.height) / longest;
  return excess <= 1 ? best : layOut(pictures, Math.floor(size / excess) - 1, labelHeight);
}

/** Width to height, as far as a cell goes with it. */
function ratioOf({ width, height }: Size): number {
  return Math.min(widest, Math.max(tallest, width / height));
}

interface Filled extends SheetLayout {
  /** How far it is from what is wanted. */
  readonly oddity: number;
}

function filled(
  ratios: readonly number[],
  together: readonly boolean[],
  rowCount: number,
  size: number,
  labelHeight: number,
): Filled {
  const length = sum(ratios);
  // Of ordinary pictures each is about as wide as was asked for, and none much higher than that.
  const rowHeight = Math.min(size * 1.6, (size * ratios.length) / length);
  const ends = rowEnds(ratios, together, rowCount);
  const width = Math.max(
    size + 2 * gap,
    Math.round((length * rowHeight) / rowCount + gap * (ratios.length / rowCount + 1)),
  );
  const cells: Cell[] = [];
  let [top, first, uneven] = [gap, 0, 0];
  for (const end of ends) {
    const row = ratios.slice(first, end);
    const inner = width - gap * (row.length + 1);
    const fills = inner / sum(row);
    const height = Math.max(1, Math.round(Math.min(fills, rowHeight * highest)));
    uneven += Math.abs(Math.log(fills / rowHeight));
    let left = gap;
    row.forEach((ratio, index) => {
      // The last one takes what rounding has left, so that the row ends where the others do.
      const isEnd = index === row.length - 1 && height >= Math.floor(fills);
      const cell = Math.max(1, isEnd ? width - gap - left : Math.round(ratio * height));
      cells.push({ left, top, width: cell, height, labelTop: top + height + 4 });
      left += cell + gap;
    });
    top += height + 4 + labelHeight + gap;
    first = end;
  }
  const oddity = Math.abs(Math.log(width / top / wanted)) + (1.5 * uneven) / ends.length;
  return { width, height: top, cells, oddity };
}

/** Where rows end, so that all are about as long, in heights; breaking up rivals costs much. */
function rowEnds(ratios: readonly number[], together: readonly boolean[], rowCount: number): number[] {
  const wish = sum(ratios) / rowCount;
  const costs: number[][] = [[0]];
  const starts: number[][] = [[]];
  for (let row = 1; row <= rowCount; row++) {
    const cost: number[] = [];
    const start: number[] = [];
    for (let end = row; end <= ratios.length; end++) {
      for (let from = row - 1; from < end; from++) {
        const before = costs[row - 1]?.[from];
        if (before === undefined) continue;
        const broken = end < ratios.length && together[end - 1] === true ? 10 : 0;
        const total = before + (sum(ratios.slice(from, end)) / wish - 1) ** 2 + broken;
        if (total < (cost[end] ?? Number.POSITIVE_INFINITY)) {
          cost[end] = total;
          start[end] = from;
        }
      }
    }
    costs.push(cost);
    starts.push(start);
  }
  const ends: number[] = [];
  for (let row = rowCount, end = ratios.length; row > 0; row--) {
    ends.unshift(end);
    end = starts[row]?.[end] ?? 0;
  }
  return ends;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

/** Proportions of what usually stands in a slot, as numbers to be compared; where they are free, those of a logo. */
export function usualShape(slot: string): Size {
  const [width = 5, height = 2] = (shapeOfSlot(slot)?.ratios[0] ?? '5:2').split(':').map(Number);
  return { width, height };
}
