import { stat } from 'node:fs/promises';
import { cleanText } from '../../text.ts';
import { mapLimit } from '../../wire/map-limit.ts';
import { codeOf } from '../../storage/store-error.ts';
import type { InspectedPicture } from '../folder/inspect-pictures.ts';
import type { FileEntry } from './entries.ts';

type Looks = ReadonlyMap<string, InspectedPicture>;

const few = 8;

/**
 * Of the files that match nothing, those that may be the same as one that was looked at: they have as many bytes.
 * @param absolute where a file of the folder lies
 */
export async function likelyCopies(
  entries: readonly FileEntry[],
  looks: Looks,
  absolute: (inner: string) => string,
): Promise<string[]> {
  const sizes = new Set([...looks.values()].flatMap((looked) => lengthOf(looked)));
  const found = await mapLimit(entries, few, async ({ status, path }) => {
    if (status !== 'unmatched') return [];
    const size = await sizeOf(absolute(path));
    return size !== null && sizes.has(size) ? [path] : [];
  });
  return found.flat();
}

/** Says of a file that matches nothing which one it is the same as: it need not be asked about. */
export function tellCopies(entries: readonly FileEntry[], looks: Looks): FileEntry[] {
  const digestOf = (path: string) => {
    const looked = looks.get(path);
    return looked !== undefined && 'facts' in looked ? looked.facts.sha256 : null;
  };
  const known = new Map<string, string>();
  for (const { status, path } of entries) {
    const digest = status === 'matched' || status === 'ambiguous' ? digestOf(path) : null;
    if (digest !== null && !known.has(digest)) known.set(digest, path);
  }
  return entries.map((entry) => {
    const original = entry.status === 'unmatched' ? known.get(digestOf(entry.path) ?? '') : undefined;
    if (entry.status !== 'unmatched' || original === undefined) return entry;
    const message = `${entry.why.message} It is the same to the byte as ${cleanText(original)}.`;
    return { ...entry, why: { ...entry.why, message } };
  });
}

function lengthOf(looked: InspectedPicture): number[] {
  return 'facts' in looked ? [looked.facts.contentLength] : [];
}

/** Null where it can't be told: then nothing is said of it. */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}
