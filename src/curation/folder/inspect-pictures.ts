import { stat } from 'node:fs/promises';
import { ArtworkError } from '../../errors.ts';
import { type FileFacts, prepareFile } from '../../files/prepare.ts';
import { isFileRefused } from '../../files/refusal.ts';
import type { RootNames } from '../../files/upload-roots.ts';
import { mapLimit } from '../../wire/map-limit.ts';
import { codeOf } from '../../storage/store-error.ts';

/** What a file is by its content, or why it can't be sent. */
export type InspectedPicture = { readonly facts: FileFacts } | { readonly refused: ArtworkError };

export interface PictureInspection {
  readonly roots: RootNames;
  readonly signal: AbortSignal | undefined;
  /** Whether there is time to begin with another file. */
  hasTime(): boolean;
  progress(done: number): void;
}

/** Reading, hashing and decoding: two at a time keep a small machine busy. */
const few = 2;
const mostRemembered = 4_000;

/** By what tells one version of a file from the next; the next call goes on where one ran out of time. */
const remembered = new Map<string, InspectedPicture>();

/**
 * Reads, hashes and decodes pictures, by their paths. Where time runs out the answer lacks those that were not
 * begun; the next call finds what this one read.
 * @throws ArtworkError `upload_refused` where no folder is open, `cancelled`
 */
export async function inspectPictures(
  paths: readonly string[],
  looking: PictureInspection,
): Promise<ReadonlyMap<string, InspectedPicture>> {
  const looks = new Map<string, InspectedPicture>();
  let begun = 0;
  await mapLimit(paths, few, async (path) => {
    const version = await versionOf(path);
    const known = version === null ? undefined : remembered.get(version);
    // However late it is, each call gets a little further than the one before.
    if (known === undefined && begun >= few && !looking.hasTime()) return;
    if (known === undefined) begun += 1;
    const looked = known ?? (await lookAt(path, looking));
    looks.set(path, looked);
    if (version !== null && isOfContent(looked)) remember(version, looked);
    looking.progress(looks.size);
  });
  return looks;
}

async function lookAt(path: string, { roots, signal }: PictureInspection): Promise<InspectedPicture> {
  try {
    // What the slot asks of it is told once the slot is known.
    const { facts, bytes } = await prepareFile(path, { roots, slot: '', maxBytes: null, signal });
    await bytes.close();
    return { facts };
  } catch (error) {
    if (!(error instanceof ArtworkError) || !isAboutFile(error)) throw error;
    return { refused: error };
  }
}

/** A failure to read may be mended without a change to the file; what is no picture stays none. */
function isOfContent(looked: InspectedPicture): boolean {
  if ('facts' in looked) return true;
  const { refused } = looked;
  return (
    isFileRefused(refused, 'damaged') ||
    isFileRefused(refused, 'unknown_type') ||
    isFileRefused(refused, 'empty')
  );
}

/** Without an open folder no other file can be read either. */
function isAboutFile({ category, details }: ArtworkError): boolean {
  return (
    category === 'invalid_arguments' || (category === 'upload_refused' && details?.reason !== 'no_roots')
  );
}

/** Null where it can't be told: then it is read anew. */
async function versionOf(path: string): Promise<string | null> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [path, dev, ino, size, mtimeNs, ctimeNs].join(' ');
  } catch (error) {
    if (codeOf(error) !== null) return null;
    throw error;
  }
}

function remember(version: string, looked: InspectedPicture): void {
  remembered.set(version, looked);
  const [oldest] = remembered.keys();
  if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
}
