import type { ContactSheet } from '../../curation/contact-sheet.ts';
import type { Thumbnail } from '../../curation/thumbnail.ts';
import type { ImageBlock } from '../../mcp/tool.ts';
import { drawnNames, type Picture } from './picture.ts';
import type { Lacking, Withheld } from './pictures.ts';

/** What items name. */
export type Found = Picture | Withheld | Lacking;

export interface ShownPicture extends Picture {
  readonly thumbnail: Thumbnail;
}

/** What became of what was found. */
export type Look = ShownPicture | Withheld | Lacking;

/** Of the error of a picture that there was no time for. */
export const lateCode = 'not_read_in_time';
/** Bytes, so that Base64 of all image blocks stays within 1 MB. */
export const imageBudget = 700_000;
/** Bytes of a sheet of the default size: some hosts hand it to the model as text. Larger ones have more. */
const sheetBudget = 250_000;
const defaultSize = 256;

export interface SheetImages {
  readonly images: readonly ImageBlock[];
  /** The sheet without a loss, where that was asked for and there is one. */
  readonly png: Buffer | null;
}

/**
 * The images of an answer. One picture by itself; several as one sheet, with what is missing and what can't be
 * shown in its place.
 */
export async function imagesOf(
  looks: readonly Look[],
  { before, size, png }: { readonly before: number; readonly size: number; readonly png: boolean },
): Promise<SheetImages> {
  const [only] = looks;
  if (looks.length === 1 && only !== undefined && 'thumbnail' in only) {
    const { bytes, contentType } = only.thumbnail;
    return { images: [{ bytes, mimeType: contentType }], png: null };
  }
  if (!looks.some((look) => 'thumbnail' in look)) return { images: [], png: null };
  const sheet = await sheetOf(looks, before, size, png);
  return { images: [{ bytes: sheet.bytes, mimeType: sheet.contentType }], png: sheet.png };
}

async function sheetOf(
  looks: readonly Look[],
  before: number,
  size: number,
  png: boolean,
): Promise<ContactSheet> {
  const [{ contactSheet }, { usualShape }] = await Promise.all([
    import('../../curation/contact-sheet.ts'),
    import('../../curation/sheet-layout.ts'),
  ]);
  const isFile = (look: Look) => 'file' in look;
  const names = drawnNames(looks.filter(isFile).map(({ label }) => label)).values();
  const items = looks.map((look, index) => {
    const label = isFile(look) ? (names.next().value ?? look.label) : look.label;
    const common = { number: before + index + 1, label };
    if ('thumbnail' in look) {
      const { thumbnail, credit, rival } = look;
      return { ...common, image: thumbnail.bytes, credit, rival };
    }
    const shape = usualShape('slot' in look ? look.slot : 'titlecard');
    return { ...common, image: null, outline: { shape, words: wordsIn(look), isGap: 'missing' in look } };
  });
  const maxBytes = Math.min(imageBudget, Math.round(sheetBudget * Math.max(1, (size / defaultSize) ** 2)));
  return contactSheet(items, { cellWidth: size, maxBytes, png });
}

function wordsIn(look: Withheld | Lacking): string {
  if ('error' in look) return look.error.code === lateCode ? 'not read in time' : 'not shown';
  return look.missing === 1 ? 'missing' : `${look.missing} missing`;
}

/** Files for one place stand side by side, at the place of the first of them. */
export function rivalsTogether(found: readonly Found[]): Found[] {
  const rivalOf = (one: Found) => ('ref' in one ? one.rival : undefined);
  return found.flatMap((one, index) => {
    const rival = rivalOf(one);
    if (rival === undefined) return [one];
    const isFirst = found.findIndex((other) => rivalOf(other) === rival) === index;
    return isFirst ? found.filter((other) => rivalOf(other) === rival) : [];
  });
}

/** What one picture of a contact sheet is, as data for a model. */
export function describeArtwork(look: Look, number: number): Record<string, unknown> {
  const { label } = look;
  if ('missing' in look) return { number, label, missing: look.missing };
  if ('error' in look) {
    const { code, category, message } = look.error;
    return { number, label, error: { code, category, message } };
  }
  const own = look.assetId === undefined ? {} : { assetId: look.assetId };
  const credit = look.credit === undefined ? {} : { credit: look.credit };
  return { number, label, ...credit, ref: look.ref, ...own, original: look.thumbnail.original };
}
