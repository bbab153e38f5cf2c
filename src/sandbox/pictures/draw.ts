import sharp, { type Sharp } from 'sharp';
import { isSlot, slots } from '../model.ts';
import { css, type Hand, handOf } from './palette.ts';
import { type Box, n, portrait, scene } from './scene.ts';
import { setWords } from './words.ts';

/** A picture of the catalogue's own. */
export interface Drawing {
  /** A slot of `model.ts`, which has its pixels; `profile` for a person. Any other gets a poster. */
  readonly slot: string;
  readonly title: string;
  /** A second line, such as a show's title and `S01E02`, of which the last part is set large; null: none. */
  readonly subtitle: string | null;
  /** The name of the account that made it, whose hand it shows; null: it came with the work. */
  readonly creator: string | null;
  readonly languageCode: string | null;
  readonly format: 'png' | 'jpeg' | 'webp';
  /** More than one: an animated picture, which only WebP can be. */
  readonly frames: number;
  /** The pictures of one series (a Set) share their colours and their land. */
  readonly series: string;
  /** Two pictures with different seeds differ; the same drawing is the same picture. */
  readonly seed: string;
}

function sizeOf(slot: string): { readonly width: number; readonly height: number } {
  const [width, height] = slot === 'profile' ? [600, 900] : slots[isSlot(slot) ? slot : 'poster'].drawn;
  return { width, height };
}

/** Draws a picture for a slot: a scene in its creator's hand, with words that tell what it is. */
export async function drawPicture(drawing: Drawing): Promise<Buffer> {
  const { slot, creator, series, format, frames } = drawing;
  const hand = handOf(creator ?? series, series);
  const words = await wordsOf(drawing, hand);
  const still = async (frame: number) => {
    const drawn = sharp(Buffer.from(groundOf(drawing, hand, words, frame))).composite(words.pieces);
    if (slot !== 'logo') return drawn.removeAlpha();
    return format === 'jpeg' ? drawn.flatten({ background: css(hand.ground) }) : drawn;
  };
  if (frames <= 1) return encoded(await still(0), format).toBuffer();
  const stills = Array.from({ length: frames }, async (_, frame) => (await still(frame)).png().toBuffer());
  return encoded(sharp(await Promise.all(stills), { join: { animated: true } }), format).toBuffer();
}

function encoded(picture: Sharp, format: Drawing['format']): Sharp {
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 2 });
    case 'jpeg':
      return picture.jpeg({ quality: 86, optimizeCoding: false });
    case 'webp':
      return picture.webp({ quality: 80, effort: 0, delay: 400 });
  }
}

type Words = Awaited<ReturnType<typeof setWords>>;

/** How the words of a picture stand: sizes of letters as shares of the picture's, `high` and `wide` of their box. */
const layouts = {
  foot: { wide: 1, high: 0.42, at: 1, mark: 0.062, title: 0.11, credit: 0.027 },
  // On a wide picture, words at the foot would leave a strip of the scene.
  side: { wide: 0.5, high: 1, at: 0.5, mark: 0.062, title: 0.11, credit: 0.027 },
  corner: { wide: 0.55, high: 0.26, at: 1, mark: 0, title: 0.042, credit: 0.021 },
  logo: { wide: 1, high: 1, at: 0.5, mark: 0.08, title: 0.24, credit: 0.045 },
  icon: { wide: 1, high: 1, at: 0.5, mark: 0, title: 0.46, credit: 0 },
} as const;

function layoutOf(slot: string): keyof typeof layouts {
  if (slot === 'logo' || slot === 'icon') return slot;
  if (slot === 'backdrop' || slot === 'background' || slot === 'hero') return 'corner';
  const { width, height } = sizeOf(slot);
  return width > height * 1.2 ? 'side' : 'foot';
}

function wordsOf({ slot, title, subtitle, creator, languageCode }: Drawing, hand: Hand): Promise<Words> {
  const { width, height } = sizeOf(slot);
  const place = layoutOf(slot);
  const layout = layouts[place];
  const isLogo = place === 'logo';
  const margin = Math.min(width, height) * (isLogo && !hand.isPlain ? 0.03 : 0.085);
  const high = (height - margin * 2) * layout.high;
  const box = {
    x: margin,
    y: height - margin - high,
    width: (width - margin * 2) * layout.wide,
    height: high,
  };
  const size = Math.sqrt(width * height);
  // Lettering on nothing has one colour that is seen on any.
  const [ink, accent] = isLogo && !hand.isPlain ? [hand.bright, hand.bright] : [hand.ink, hand.accent];
  const parts = subtitle?.split(' · ') ?? [];
  const mark = parts.pop() ?? '';
  const credit = [...parts, wordsFor(slot), languageCode?.toUpperCase(), creator].filter(
    (part) => part != null,
  );
  const isLatin = /^[\p{sc=Latn}\p{sc=Zyyy}]*$/u.test(title);
  const name = place === 'icon' ? initials(title) : hand.capitals && isLatin ? title.toUpperCase() : title;
  const lines: Parameters<typeof setWords>[0] = [
    { text: mark, face: 'display', colour: accent, size: size * layout.mark },
    { text: name, face: 'display', colour: ink, size: size * layout.title },
    { text: credit.join(' · '), face: 'text', colour: ink, size: size * layout.credit },
  ];
  return setWords(lines, box, isLogo || place === 'icon' || hand.isCentred, layout.at);
}

function wordsFor(slot: string): string {
  const words =
    slot === 'titlecard' ? 'title card' : slot.replace(/[A-Z]/g, (one) => ` ${one.toLowerCase()}`);
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** The first characters of the first two words. */
function initials(title: string): string {
  return (title.match(/(?<![\p{L}\p{N}\p{M}'’])[\p{L}\p{N}]\p{M}*/gu) ?? []).slice(0, 2).join('');
}

/** The picture beneath its words, as SVG. */
function groundOf(drawing: Drawing, hand: Hand, words: Words, frame: number): string {
  const size = sizeOf(drawing.slot);
  const { width, height } = size;
  const ground = css(hand.ground);
  const place = layoutOf(drawing.slot);
  const svg = (inner: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${inner}</svg>`;
  if (place === 'logo') {
    const plate = `<rect width="${width}" height="${height}" rx="${n(height * 0.1)}" fill="${ground}"/>`;
    return svg(hand.isPlain ? plate : '');
  }
  const { view, field } = dividedFor(place, size, words, hand.isPlain);
  const art =
    drawing.slot === 'profile'
      ? portrait(size, view, hand, drawing.seed)
      : scene(size, view, hand, drawing.series, drawing.seed);
  return svg(
    `${frame === 0 ? art : nearer(art, view, frame)}<linearGradient id="field" gradientUnits="userSpaceOnUse" ${field.axis}><stop stop-color="${ground}" stop-opacity="${field.strength}"/><stop offset="1" stop-color="${ground}" stop-opacity="0"/></linearGradient><rect ${field.extent} fill="url(#field)"/>`,
  );
}

/** The part of a picture that shows the scene, and the field beneath the words, plain or fading. */
function dividedFor(
  place: 'foot' | 'side' | 'corner' | 'icon',
  { width, height }: { readonly width: number; readonly height: number },
  words: Words,
  isPlain: boolean,
) {
  const unit = Math.min(width, height);
  const [edge, fade] = [words.top - unit * 0.07, unit * 0.3];
  const up = (from: number, to: number) => `x2="0" y1="${n(from)}" y2="${n(to)}"`;
  const below = (top: number) => `y="${n(top)}" width="${width}" height="${n(height - top)}"`;
  switch (place) {
    case 'foot': {
      const view = { x: 0, y: 0, width, height: isPlain ? edge : (edge + height) / 2 };
      const axis = isPlain ? up(edge + 1, edge) : up(edge + fade * 0.5, edge - fade * 0.7);
      return { view, field: { axis, strength: isPlain ? 1 : 0.86, extent: below(edge - fade * 0.7) } };
    }
    case 'side': {
      const right = words.right + unit * 0.07;
      const from = isPlain ? right : right * 0.85;
      const view = { x: from, y: 0, width: width - from, height };
      const end = isPlain ? right + 1 : right + fade;
      const extent = `width="${n(end)}" height="${height}"`;
      return {
        view,
        field: { axis: `x1="${n(from)}" x2="${n(end)}"`, strength: isPlain ? 1 : 0.86, extent },
      };
    }
    case 'corner': {
      const view = { x: width * 0.25, y: 0, width: width * 0.75, height };
      return { view, field: { axis: up(height, edge - fade), strength: 0.7, extent: below(edge - fade) } };
    }
    case 'icon':
      return {
        view: { x: 0, y: 0, width, height },
        field: { axis: up(height, 0), strength: 0.6, extent: below(0) },
      };
  }
}

/** A later frame of a picture that moves. */
function nearer(art: string, view: Box, frame: number): string {
  const [x, y] = [n(view.x + view.width / 2), n(view.y + view.height / 2)];
  return `<g transform="translate(${x} ${y}) scale(${n(1 + frame * 0.03)}) translate(-${x} -${y})">${art}</g>`;
}
