import type { ContactSheet } from './contact-sheet.ts';
import type { Lacking, Picture, Withheld } from './picture.ts';
import type { EncodedImage, Thumbnail } from './thumbnail.ts';

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

/**
 * The one image of an answer, and the same without a loss where that was asked for and it is a sheet. One picture by
 * itself; several as one sheet, with what is missing and what can't be shown in its place. Null where there is no
 * picture.
 * @param before how many pictures earlier answers have shown, so that the numbers go on
 */
export async function imageOfLooks(
  looks: readonly Look[],
  { before, size, png }: { readonly before: number; readonly size: number; readonly png: boolean },
): Promise<{ readonly image: EncodedImage; readonly png: Buffer | null } | null> {
  const [only] = looks;
  if (looks.length === 1 && only !== undefined && 'thumbnail' in only) {
    return { image: only.thumbnail, png: null };
  }
  if (!looks.some((look) => 'thumbnail' in look)) return null;
  const sheet = await sheetOf(looks, before, size, png);
  return { image: sheet, png: sheet.png };
}

async function sheetOf(
  looks: readonly Look[],
  before: number,
  size: number,
  png: boolean,
): Promise<ContactSheet> {
  const [{ contactSheet }, { usualShape }] = await Promise.all([
    import('./contact-sheet.ts'),
    import('./sheet-layout.ts'),
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

/** Letters of a label that one line under a picture of a sheet has room for. */
const roomOfLabel = 28;

/** Names of files as they are drawn: where one is too long, the words that all of them begin with are left out. */
function drawnNames(names: readonly string[]): string[] {
  const [first = '', ...others] = names;
  if (others.length === 0 || names.every((name) => name.length <= roomOfLabel)) return [...names];
  let shared = first.length;
  for (const other of others) while (!other.startsWith(first.slice(0, shared))) shared -= 1;
  const [words = ''] = /^.*[\s._/-]/u.exec(first.slice(0, shared)) ?? [];
  return words === '' ? [...names] : names.map((name) => `…${name.slice(words.length)}`);
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
