import { drawEmblem } from './emblem.ts';
import type { Box, Layout } from './layout.ts';
import { type Lettering, type Letters, letter } from './lettering.ts';
import { clean } from './wording.ts';

/** Letters at their place: pixels from the picture's top left corner. */
export interface Piece {
  readonly letters: Letters;
  readonly left: number;
  readonly top: number;
}

/** A picture's words, arranged inside the layout's box. */
export interface Words {
  readonly pieces: readonly Piece[];
  /** A stroke between title and subtitle. */
  readonly rule: Box | null;
  /** What they cover all together. */
  readonly bounds: Box;
}

const small: Lettering = { face: 'sans', capitals: false, tracking: 0.08 };

/** Sets title and subtitle. Null when there is nothing to say. */
export async function arrange(
  title: string,
  subtitle: string | null,
  lettering: Lettering,
  layout: Layout,
): Promise<Words | null> {
  const { words } = layout;
  const room = { width: words.width, align: layout.align };
  const minor = await letter(subtitle ?? '', 60, small, {
    ...room,
    height: layout.small * 1.5,
    lines: 1,
    largest: layout.small,
  });
  const gap = minor === null ? 0 : layout.small * 1.1;
  const height = words.height - gap * 2 - (minor?.height ?? 0);
  const major = await setTitle(title, layout, lettering, { ...room, height });
  const stack = [major, minor].filter((letters) => letters !== null);
  if (stack.length === 0) return null;
  if (layout.subtitle === 'above') stack.reverse();
  return stacked(stack, layout, stack.length === 2 ? gap : 0);
}

async function setTitle(
  title: string,
  layout: Layout,
  lettering: Lettering,
  room: { width: number; height: number; align: 'left' | 'centre' },
): Promise<Letters | null> {
  const { lines, largest, most } = layout;
  const letters = await letter(title, most, lettering, { ...room, lines, largest });
  if (letters !== null || clean(title, most) === '') return letters;
  return drawEmblem(title, Math.min(room.height, room.width, largest * 2));
}

function stacked(stack: readonly Letters[], layout: Layout, gap: number): Words {
  const { words, align, anchor } = layout;
  const height = stack.reduce((sum, letters) => sum + letters.height, 0) + gap * 2;
  const spare = words.height - height;
  const top = words.y + (anchor === 'top' ? 0 : anchor === 'middle' ? spare / 2 : spare);
  const width = Math.max(...stack.map((letters) => letters.width));
  const x = align === 'left' ? words.x : words.x + (words.width - width) / 2;
  let y = top;
  let rule: Box | null = null;
  const pieces = stack.map((letters, index) => {
    if (index === 1) {
      const long = layout.small * 2.6;
      const thick = Math.max(2, layout.small * 0.14);
      const left = align === 'left' ? words.x : words.x + (words.width - long) / 2;
      rule = { x: left, y: y + gap - thick / 2, width: long, height: thick };
      y += gap * 2;
    }
    const left = align === 'left' ? words.x : words.x + (words.width - letters.width) / 2;
    const piece = { letters, left: Math.round(left), top: Math.round(y) };
    y += letters.height;
    return piece;
  });
  return { pieces, rule, bounds: { x, y: top, width, height } };
}
