export interface Size {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Where one picture stands on a contact sheet; its label begins at its cell's left edge, beneath the row. */
export interface Cell extends Size {
  readonly left: number;
  readonly top: number;
  readonly labelLeft: number;
  readonly labelTop: number;
}

export interface SheetLayout extends Size {
  readonly cells: readonly Cell[];
  readonly columns: number;
  readonly cellWidth: number;
}

/** Longest side of a sheet, in pixels: models scale larger pictures down, and memory is not free. */
const longest = 4_000;
/** Pictures taller than this, in widths, are made narrower. */
const tallest = 1.6;
const gap = 12;
/** Width to height: about a screen's. */
const wanted = 1.35;

/**
 * Arranges pictures in rows of equal columns, in their order, each row as high as its highest picture. The
 * number of columns is the one that brings the sheet nearest to a screen's proportions.
 */
export function layOut(pictures: readonly Size[], cellWidth: number, labelHeight: number): SheetLayout {
  const sheets = pictures.map((_, index) => arranged(pictures, index + 1, cellWidth, labelHeight));
  const best = sheets.reduce((one, other) => (oddity(other) < oddity(one) ? other : one));
  const excess = Math.max(best.width, best.height) / longest;
  return excess <= 1 ? best : layOut(pictures, Math.floor(cellWidth / excess) - 1, labelHeight);
}

/** How far a sheet is from the wanted proportions; places left empty in its last row count a little. */
function oddity({ width, height, cells, columns }: SheetLayout): number {
  const empty = (columns - (cells.length % columns)) % columns;
  return Math.abs(Math.log(width / height / wanted)) + (0.3 * empty) / (cells.length + empty);
}

function arranged(
  pictures: readonly Size[],
  columns: number,
  cellWidth: number,
  labelHeight: number,
): SheetLayout {
  const cells: Cell[] = [];
  let top = gap;
  for (let first = 0; first < pictures.length; first += columns) {
    const row = pictures.slice(first, first + columns).map((picture) => fitted(picture, cellWidth));
    const height = Math.max(...row.map((picture) => picture.height));
    row.forEach((picture, column) => {
      const labelLeft = gap + column * (cellWidth + gap);
      const left = labelLeft + Math.floor((cellWidth - picture.width) / 2);
      cells.push({
        ...picture,
        left,
        top: top + height - picture.height,
        labelLeft,
        labelTop: top + height + 4,
      });
    });
    top += height + 4 + labelHeight + gap;
  }
  return { width: gap + columns * (cellWidth + gap), height: top, cells, columns, cellWidth };
}

function fitted({ width, height }: Size, cellWidth: number): Size {
  const scale = Math.min(1, cellWidth / width, (cellWidth * tallest) / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}
