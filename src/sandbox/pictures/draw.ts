import sharp from 'sharp';
import { css } from './colour.ts';
import { type Hand, handOf } from './hand.ts';
import { createRandom } from './random.ts';
import { n, portrait, scene } from './scene.ts';
import type { SlotShape } from '../artwork/slots.ts';
import { shapeOf } from './slot-shapes.ts';
import { arrangeWords, type Box, sideOf, type Wording } from './words.ts';

export interface PictureRequest {
  /** A singular slot name of the interface document; any other gets a poster. */
  readonly slot: string;
  readonly title: string;
  /** What the title is part of, and its number or year after the last ` · `. */
  readonly subtitle: string | null;
  /** null: nobody's, such as a picture of the metadata. */
  readonly creator: string | null;
  readonly language: string | null;
  /** What shares its colours: a Set. */
  readonly series: string;
  /** The same requests draw the same picture; this tells one from its siblings. */
  readonly seed: string;
  readonly format: 'png' | 'jpeg' | 'webp';
}

/**
 * Draws a picture for a slot, in the slot's proportions: a scene in its creator's hand, and words that tell number,
 * title, slot, language and creator. Logos are transparent, except as JPEG.
 */
export async function drawPicture(request: PictureRequest): Promise<Buffer> {
  const { slot, creator, series, format } = request;
  const shape = shapeOf(slot);
  const { width, height, manner } = shape;
  const hand = handOf(creator ?? series, series, manner);
  const words = await arrangeWords(wordingOf(request, manner), shape, hand);
  const bounds = words?.bounds ?? null;
  const markup = manner === 'logo' ? plate(hand, bounds) : ground(request, shape, hand, bounds);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${markup}</svg>`;
  const drawn = sharp(Buffer.from(svg)).composite([...(words?.pieces ?? [])]);
  if (manner !== 'logo') drawn.removeAlpha();
  else if (format === 'jpeg') drawn.flatten({ background: css(hand.palette.ground) });
  switch (format) {
    case 'png':
      return drawn.png({ compressionLevel: 6 }).toBuffer();
    case 'webp':
      return drawn.webp({ quality: 84, effort: 2 }).toBuffer();
    case 'jpeg':
      return drawn.jpeg({ quality: 88, chromaSubsampling: '4:4:4' }).toBuffer();
  }
}

function wordingOf(request: PictureRequest, manner: SlotShape['manner']): Wording {
  const { slot, title, subtitle, language, creator } = request;
  const parts = subtitle?.split(' · ') ?? [];
  const mark = parts.pop() ?? '';
  const credit = (words: readonly string[]) =>
    [...words, language?.toUpperCase(), creator].filter((part) => part != null).join(' · ');
  if (manner === 'icon') return { mark: '', title: initials(title), credit: credit([]) };
  return { mark, title, credit: credit([...parts, slot]) };
}

/** The first characters of the first two words. */
function initials(title: string): string {
  return (title.match(/(?<![\p{L}\p{N}\p{M}'’])[\p{L}\p{N}]\p{M}*/gu) ?? []).slice(0, 2).join('');
}

/** The picture beneath its words. */
function ground(request: PictureRequest, shape: SlotShape, hand: Hand, bounds: Box | null): string {
  const { width, height, manner } = shape;
  const { palette } = hand;
  const { rest, markup } = fieldOf(shape, hand, bounds);
  const details = createRandom(`details ${request.seed}`);
  const art =
    manner === 'portrait'
      ? portrait(shape, rest, palette, details)
      : scene(shape, rest, palette, details, createRandom(`lands ${request.series}`));
  const border = `<rect width="${width}" height="${height}" fill="none" stroke="${css(palette.ground)}" stroke-width="${n(Math.min(width, height) * 0.08)}"/>`;
  return art + markup + (hand.bordered ? border : '');
}

/** What is under the words, and the rest of the picture. At the foot, land goes on under a field that fades. */
function fieldOf(shape: SlotShape, hand: Hand, bounds: Box | null): { rest: Box; markup: string } {
  const { width, height } = shape;
  if (bounds === null) return { rest: { x: 0, y: 0, width, height }, markup: '' };
  const unit = Math.min(width, height);
  const [strength, fade] = hand.plain ? [1, 0.01] : [0.75, unit * 0.28];
  const pad = unit * 0.06;
  const side = sideOf(shape, hand);
  const after = side === 'side' ? bounds.x + bounds.width : bounds.y + bounds.height;
  const edge = side === 'foot' ? bounds.y - pad : after + pad;
  const rest = {
    side: { x: edge, y: 0, width: width - edge, height },
    head: { x: 0, y: edge, width, height: height - edge },
    foot: { x: 0, y: 0, width, height: hand.plain ? edge : (edge + height) / 2 },
  }[side];
  const [from, to] = [n(edge), n(side === 'foot' ? edge - fade : edge + fade)];
  const axis = side === 'side' ? `x1="${from}" x2="${to}"` : `x2="0" y1="${from}" y2="${to}"`;
  const colour = css(hand.palette.ground);
  const markup = `<linearGradient id="field" gradientUnits="userSpaceOnUse" ${axis}><stop stop-color="${colour}" stop-opacity="${strength}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></linearGradient>
    <rect width="${width}" height="${height}" fill="url(#field)"/>`;
  return { rest, markup };
}

/** What a logo stands on, if on anything. */
function plate({ palette, plain }: Hand, bounds: Box | null): string {
  if (!plain || bounds === null) return '';
  const pad = 26;
  return `<rect x="${n(bounds.x - pad)}" y="${n(bounds.y - pad)}" width="${n(bounds.width + pad * 2)}" height="${n(bounds.height + pad * 2)}" rx="${pad}" fill="${css(palette.ground)}"/>`;
}
