import type { Box, Layout } from './layout.ts';
import { beside, drawEmblem, type Lettering, type Letters, renderText } from './lettering.ts';
import { cleanTitle } from './line-breaks.ts';

/** Letters at a position: pixels from the picture's top left corner. */
interface Piece {
  readonly letters: Letters;
  readonly left: number;
  readonly top: number;
  /** The line beside the title. */
  readonly small: boolean;
}

/** A picture's words, arranged inside the layout's box. */
export interface Words {
  readonly pieces: readonly Piece[];
  /** A rule between title and subtitle. */
  readonly rule: Box | null;
  /** The box around all of them. */
  readonly bounds: Box;
}

const small: Lettering = { face: 'sans', capitals: false, tracking: 0.08 };

/** Arranges title and subtitle. Null when there are no words. */
export async function arrangeWords(
  title: string,
  subtitle: string | null,
  lettering: Lettering,
  layout: Layout,
): Promise<Words | null> {
  const { words } = layout;
  const room = { width: words.width, align: layout.align };
  const minor = await setSmall(subtitle ?? '', layout, room);
  const gap = minor === null ? 0 : layout.small * 1.1;
  const height = words.height - gap * 2 - (minor?.height ?? 0);
  const major = await setTitle(title, subtitle ?? '', layout, lettering, { ...room, height });
  const stack = [major, minor].filter((letters) => letters !== null);
  if (stack.length === 0) return null;
  if (layout.subtitle === 'above') stack.reverse();
  return stacked(stack, minor, layout, stack.length === 2 ? gap : 0);
}

interface Place {
  readonly width: number;
  readonly align: 'left' | 'centre';
}

/** The part after the last dot of a subtitle: `S01E02` in `Some Show · S01E02`. */
function lastPart(subtitle: string): string {
  return subtitle.split(' · ').at(-1) ?? subtitle;
}

const most = 60;

/** The whole line, or its last part where the rest is too long or has letters that no face has. */
async function setSmall(subtitle: string, layout: Layout, place: Place): Promise<Letters | null> {
  const room = { ...place, height: layout.small * 1.5, lines: 1, largest: layout.small };
  const whole =
    cleanTitle(subtitle, most) === cleanTitle(subtitle, subtitle.length) ? subtitle : lastPart(subtitle);
  return (await renderText(whole, most, small, room)) ?? renderText(lastPart(subtitle), most, small, room);
}

/** An emblem replaces a title that no face can show, with the showable part of the subtitle beside it. */
async function setTitle(
  title: string,
  subtitle: string,
  layout: Layout,
  lettering: Lettering,
  place: Place & { readonly height: number },
): Promise<Letters | null> {
  const { lines, largest } = layout;
  const letters = await renderText(title, layout.most, lettering, { ...place, lines, largest });
  if (letters !== null || cleanTitle(title, layout.most) === '') return letters;
  const size = Math.min(place.height, place.width, largest * 2);
  const mark = await renderText(lastPart(subtitle), 12, lettering, {
    width: place.width - size * 1.2,
    height: size * 0.5,
    lines: 1,
    largest,
    align: 'left',
  });
  const emblem = await drawEmblem(title, size);
  return mark === null ? emblem : beside(emblem, mark, Math.floor(size * 0.2));
}

function stacked(stack: readonly Letters[], minor: Letters | null, layout: Layout, gap: number): Words {
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
    const piece = { letters, left: Math.round(left), top: Math.round(y), small: letters === minor };
    y += letters.height;
    return piece;
  });
  return { pieces, rule, bounds: { x, y: top, width, height } };
}
