import { noLaterThan } from '../../deadline.ts';
import { ArtworkError, codeOf } from '../../errors.ts';
import { groupedBy } from '../../grouped-by.ts';
import { mapLimit } from '../../map-limit.ts';
import { assetIdIn } from '../../model/asset.ts';
import { sweepFolder } from '../../store/draft.ts';
import type { DownloadPorts } from './download.ts';
import { type Fetched, fetchPicture } from './fetch-picture.ts';
import type { Layout } from './layouts.ts';
import type { WrittenFile } from './manifest.ts';
import type { PlacedFile } from './place.ts';
import { enterFolder } from './root.ts';
import { type Settled, settleFile, type Writing } from './write.ts';

/** What became of one placed file. */
export interface FileOutcome {
  readonly file: PlacedFile;
  /** Below the root, with `/`; its ending is left open where the bytes have not told it. */
  readonly path: string;
  /** The type that the reader can't read, and that it was converted from, or would be as far as its path tells. */
  readonly convertedFrom: string | null;
  readonly outcome:
    | Settled
    | { readonly state: 'failed'; readonly error: ArtworkError }
    /** Not begun: the time or the disk of this call came to an end before, or too many failed in a row. */
    | { readonly state: 'pending' };
}

export interface Brought {
  readonly outcomes: readonly FileOutcome[];
  readonly diskFull: boolean;
}

/** Pictures at a time: the service states no limits, and decoding keeps a small machine busy. */
const few = 4;
/** Pictures that may fail in a row: a service that has none of them is not asked for all of a large Set. */
const mostFailures = 24;
/** With less of a call's time left no further picture is begun; so much is left for its answer, ms. */
const leastTime = 8_000;
const answerTime = 3_000;
/** Pictures that failed here, which are tried last: they hold nothing else up. */
const failedBefore = new Set<string>();

/**
 * Brings every file to where it belongs, as far as one call reaches. One that fails leaves the others as they are. A
 * picture of several files, as those beside two versions of an episode, is fetched once.
 * @throws ArtworkError `cancelled`, and what ends the whole run
 */
export async function bringFiles(
  files: readonly PlacedFile[],
  { types }: Layout,
  writing: Writing,
  { catalogue, service, deadline, progress }: DownloadPorts,
): Promise<Brought> {
  const { root, dryRun } = writing;
  const swept = new Set<string>();
  let [done, failures, diskFull] = [0, 0, false];

  const bring = async (file: PlacedFile, fetch: () => Promise<Fetched>): Promise<FileOutcome> => {
    const { folders, stem, picture } = file;
    const { path: ref, set } = picture;
    const end = likelyEnd(ref);
    let from = dryRun && end !== null && !types.some((type) => type === end) ? end : null;
    const told = (outcome: FileOutcome['outcome']): FileOutcome => {
      // Of what is to be converted only its pixels tell the ending.
      const ending = end === null || from !== null ? '' : `.${end.replace('jpeg', 'jpg')}`;
      const path = [...folders, 'name' in outcome ? outcome.name : stem + ending].join('/');
      const isNew = outcome.state !== 'left_alone' && outcome.state !== 'present';
      return { file, path, convertedFrom: isNew ? from : null, outcome };
    };
    const isOver = diskFull || failures >= mostFailures || (!dryRun && deadline.left() < leastTime);
    if (isOver) return told({ state: 'pending' });
    try {
      const folder = await enterFolder(root, folders, !dryRun);
      if (folder !== null && !dryRun && !swept.has(folder)) await sweepFolder(folder, Date.now());
      swept.add(folder ?? '');
      const isSameSource = (was: WrittenFile) =>
        was.service === service &&
        was.ref === ref &&
        (assetIdIn(ref) !== null || (set.updated !== null && was.setUpdated === set.updated));
      const content = async () => {
        const found = await fetch();
        from = found.convertedFrom;
        // A picture that arrived says something of the service; one that was there already does not.
        if (failures < mostFailures) failures = 0;
        return found;
      };
      const source = { service, ref, setUpdated: set.updated };
      const settled = await settleFile({ folder, stem, source, isSameSource, content }, writing);
      failedBefore.delete(service + ref);
      return told(settled);
    } catch (error) {
      diskFull ||= ['ENOSPC', 'EDQUOT'].includes(codeOf(error) ?? '');
      if (diskFull) return told({ state: 'pending' });
      const failure = failureOf(error);
      failedBefore.add(service + ref);
      failures += 1;
      return told({ state: 'failed', error: failure });
    }
  };

  const rank = (ref: string) => Number(failedBefore.has(service + ref));
  const pictures = [...groupedBy(files, ({ picture }) => picture.path)];
  pictures.sort(([one], [other]) => rank(one) - rank(other));
  const outcomes = await mapLimit(pictures, few, async ([ref, own]) => {
    const until = noLaterThan(deadline, deadline.left() - answerTime);
    let fetched: Promise<Fetched> | null = null;
    const fetch = () => {
      fetched ??= fetchPicture(catalogue, ref, types, until);
      return fetched;
    };
    // One after the other: whichever comes first fetches.
    return mapLimit(own, 1, async (file) => {
      const outcome = await bring(file, fetch);
      done += 1;
      await progress(done, files.length);
      return outcome;
    });
  });
  return { outcomes: outcomes.flat(), diskFull };
}

/** The failure of one file. @throws what ends the whole run: nothing that follows could be noted */
function failureOf(error: unknown): ArtworkError {
  if (error instanceof ArtworkError) {
    if (error.failure === 'cancelled' || /^(?:store|home)_/.test(error.code)) throw error;
    return error;
  }
  const code = codeOf(error);
  if (code === null) throw error;
  const message = `The file can't be written (${code}).`;
  return new ArtworkError('internal', message, { code: 'download_not_written', cause: error });
}

/** Whether a picture lies in its place, or would. */
export function isInPlace({ outcome: { state } }: FileOutcome): boolean {
  return state !== 'failed' && state !== 'pending' && state !== 'left_alone';
}

/** The type that the service's path tells, which the bytes may prove wrong. */
function likelyEnd(ref: string): string | null {
  const [, end] = /\.(png|jpe?g|webp|gif)(?:\?|$)/i.exec(ref) ?? [];
  return end?.toLowerCase().replace('jpg', 'jpeg') ?? null;
}
