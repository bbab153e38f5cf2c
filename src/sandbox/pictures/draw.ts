import sharp, { type OverlayOptions, type Sharp } from 'sharp';
import { css, rgb } from './colour.ts';
import { type Layout, layoutOf } from './layout.ts';
import { backing, inksFor, type Lettered, type Pixels, scrim, strokes } from './legibility.ts';
import { tinted } from './lettering.ts';
import { initials } from './line-breaks.ts';
import { drawLogo } from './logo.ts';
import { n } from './scenes/canvas.ts';
import { portrait } from './scenes/figures.ts';
import { shapeOf } from './slot-shapes.ts';
import { type Style, styleOf } from './style.ts';
import { arrangeWords, type Words } from './title-block.ts';

export interface PictureRequest {
  /** A singular slot name of the interface document; any other gets a poster. */
  readonly slot: string;
  /** May be empty: then the picture has no words. */
  readonly title: string;
  /** A second line, such as `S01 E03` or a creator's name. */
  readonly subtitle: string | null;
  /** The same seed draws the same picture; the part before its first `/` decides the style. */
  readonly seed: string;
  readonly format: 'png' | 'jpeg' | 'webp';
}

interface DrawnPicture {
  readonly bytes: Buffer;
  readonly contentType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** Draws a picture for a slot, in the slot's proportions. Logos are transparent, except as JPEG. */
export async function drawPicture(request: PictureRequest): Promise<DrawnPicture> {
  const { width, height, manner } = shapeOf(request.slot);
  const style = styleOf(request.seed);
  const drawn =
    manner === 'logo'
      ? sharp(await drawLogo(request.title, style, width, height), { raw: { width, height, channels: 4 } })
      : await drawScene(request, style, { width, height, manner });
  const bytes = await encoded(drawn, request.format, css(style.palette.deep)).toBuffer();
  return { bytes, contentType: `image/${request.format}`, width, height };
}

async function drawScene(
  request: PictureRequest,
  style: Style,
  shape: Parameters<typeof layoutOf>[0],
): Promise<Sharp> {
  const { width, height, manner } = shape;
  const layout = layoutOf(shape, style.turn);
  const picture = await paint(manner === 'portrait' ? portrait : style.scene, style, layout, width, height);
  const overlays: OverlayOptions[] = [];
  const title = manner === 'icon' ? initials(request.title) : request.title;
  const words = await arrangeWords(
    title,
    manner === 'icon' ? null : request.subtitle,
    style.lettering,
    layout,
  );
  if (words !== null) {
    const inks = inksFor(picture, lettered(words, style), style.palette);
    overlays.push({
      input: svg(
        width,
        height,
        scrim(inks.veil, words.bounds, layout, shape) +
          backing(inks.plate) +
          strokes(words.rule, layout, inks.title, style.palette, shape),
      ),
    });
    for (const { letters, left, top, small } of words.pieces) {
      const { pixels, width: wide, height: tall } = tinted(letters, rgb(small ? inks.small : inks.title));
      overlays.push({ input: pixels, raw: { width: wide, height: tall, channels: 4 }, left, top });
    }
  }
  return sharp(picture.data, { raw: { width, height, channels: 3 } }).composite(overlays);
}

function lettered({ pieces }: Words, { lettering }: Style): Lettered {
  const [title, small] = [false, true].map((asked) => {
    const piece = pieces.find((one) => one.small === asked);
    if (piece === undefined) return null;
    const { letters, left, top } = piece;
    return { x: left, y: top, width: letters.width, height: letters.height };
  });
  return { title: title ?? null, small: small ?? null, thin: lettering.face === 'light' };
}

async function paint(
  scene: Style['scene'],
  style: Style,
  layout: Layout,
  width: number,
  height: number,
): Promise<Pixels> {
  const { art } = layout;
  const canvas = {
    width: Math.round(art.width),
    height: Math.round(art.height),
    palette: style.palette,
    random: style.details,
  };
  const markup = `<rect width="${width}" height="${height}" fill="${css(style.palette.pale)}"/>
    <svg x="${n(art.x)}" y="${n(art.y)}" width="${canvas.width}" height="${canvas.height}">${scene(canvas)}</svg>`;
  const data = await sharp(svg(width, height, markup))
    .removeAlpha()
    .raw()
    .toBuffer();
  return { data, width, height };
}

function svg(width: number, height: number, markup: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${markup}</svg>`,
  );
}

function encoded(picture: Sharp, format: PictureRequest['format'], behind: string): Sharp {
  switch (format) {
    case 'png':
      return picture.png({ compressionLevel: 6 });
    case 'webp':
      return picture.webp({ quality: 84, effort: 2 });
    case 'jpeg':
      return picture.flatten({ background: behind }).jpeg({ quality: 88, chromaSubsampling: '4:4:4' });
  }
}
