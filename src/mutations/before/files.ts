import { ArtworkError, type Issue, type Next } from '../../errors.ts';
import { isAboutFile } from '../../files/refusal.ts';
import { mapLimit } from '../../map-limit.ts';
import { requireNotCancelled } from '../caller.ts';
import type { DeclaredFile, Warning } from '../change.ts';
import type { NamedFile } from '../operations/arguments.ts';
import type { MutationPorts, UploadSource } from '../ports.ts';
import type { Session } from './session.ts';

/** What a file was when the call was planned: others are not sent. */
export interface PlannedFile {
  /** For people. */
  readonly name: string;
  readonly sha256: string;
  /** What was said of it then; null: it is looked at again. */
  readonly warnings: readonly Warning[] | null;
}

/** What the files of a call were when it was planned. */
export interface PlannedFiles {
  /** One for each item with a file, in the order of the call; null: that one was not planned. */
  readonly files: readonly (PlannedFile | null)[];
  /** What makes the plan anew. */
  readonly again: Next;
  /** What the plan leaves out, to be told with the outcome. */
  readonly warnings: readonly Warning[];
}

/** Where the files of one call come from. */
export interface FileSource {
  /** Folders that the host offers, beside those of the settings. */
  readonly roots: readonly string[];
  readonly planned: PlannedFiles | null;
}

/** The one file of an upload, open. @throws ArtworkError `invalid_arguments`, `upload_refused`, `cancelled` */
export async function openUpload(
  { ports, caller }: Pick<Session, 'ports' | 'caller'>,
  { roots }: Pick<FileSource, 'roots'>,
  { file, slot }: Pick<NamedFile, 'file' | 'slot'>,
): Promise<UploadSource> {
  const { deadline, progress } = caller;
  return ports.files.open(file, { slot, roots, signal: deadline.signal, progress });
}

/** The files of a submission as they were read. */
export interface ReadFiles {
  readonly declared: readonly DeclaredFile[];
  readonly warnings: readonly Warning[];
}

/** Reading, hashing and decoding: two at a time keep a small machine busy. */
const readAtOnce = 2;

/**
 * Opens, hashes and decodes every file of a submission, and closes it again.
 * @param keeper the name under which private copies are kept meanwhile; null: none are
 * @returns one for each of `named`, in their order
 * @throws ArtworkError `upload_refused` or `invalid_arguments` that names every file that can't be sent; `cancelled`
 */
export async function readFiles(
  { ports, caller }: Session,
  { roots, planned }: FileSource,
  named: readonly NamedFile[],
  keeper: string | null,
): Promise<ReadFiles> {
  const { deadline, progress } = caller;
  const { signal } = deadline;
  const refused: Refused[] = [];
  let bytes = 0;
  let files = 0;
  const several = Math.ceil(named.length / 100);
  const read = await mapLimit([...named.entries()], readAtOnce, async ([at, one]) => {
    requireNotCancelled(deadline);
    const plan = planned?.files[at] ?? null;
    const { slot, frame } = one;
    // A frame is looked for in what is decoded.
    const known = plan?.warnings && frame === null ? plan.sha256 : undefined;
    const how = { slot, frame, roots, known, signal, progress: () => undefined };
    try {
      const source =
        keeper === null
          ? await ports.files.read(one.file, how)
          : await ports.copies.keep(keeper, one.file, how);
      if (plan !== null && plan.sha256 !== source.sha256) throw notAsPlanned();
      bytes += source.contentLength;
      files += 1;
      if (files % several === 0) progress(bytes, null, `read ${files} of ${named.length} files`);
      return { source, warnings: plan?.warnings ?? source.warnings };
    } catch (error) {
      if (!isAboutFile(error)) throw error;
      refused.push({ one, error, name: plan?.name ?? one.file });
      return null;
    }
  });
  if (refused.length > 0) throw refusedFiles(refused, named.length, planned?.again);
  if (keeper !== null) await ports.copies.sync(keeper);
  const seen = read.flatMap((one) => (one === null ? [] : [one]));
  return {
    declared: seen.map(({ source }, at) => declaredAs(source, named[at]?.filename ?? null)),
    warnings: [
      ...(planned?.warnings ?? []),
      ...gathered(seen.map(({ source, warnings }) => ({ ...source, warnings }))),
    ],
  };
}

function declaredAs(source: DeclaredFile, filename: NamedFile['filename']): DeclaredFile {
  const { contentType, contentLength, sha256 } = source;
  return { filename: filename ?? source.filename, contentType, contentLength, sha256 };
}

const day = 24 * 60 * 60_000;
/** What was never sent is not listed as open, and the same call keeps its files again: so long after it was tried. ms */
const mostUnsentMs = 7 * day;

/** Frees, once a day, what no change needs: what a process left that died between keeping and claiming. */
export function createSweep({ ledger, copies, clock, log }: MutationPorts): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY;
  return async () => {
    if (clock.now() - last < day) return;
    last = clock.now();
    try {
      const opened = await ledger();
      await copies.sweep((keeper) => opened.mayNeedCopies(keeper, clock.now() - mostUnsentMs));
    } catch (error) {
      // What the ledger can't tell of may be needed.
      if (!(error instanceof ArtworkError)) throw error;
      log.warn(`Kept bytes that are not needed any more were not looked for: ${error.message}`);
    }
  };
}

interface Refused {
  readonly one: NamedFile;
  readonly error: ArtworkError;
  readonly name: string;
}

function notAsPlanned(): ArtworkError {
  const details = { reason: 'source_changed' };
  return new ArtworkError('upload_refused', 'Its bytes are not those that were planned.', { details });
}

/** How many files the message itself names. */
const mostNamed = 5;

/** One error for all of them: a caller who corrects one would only meet the next. */
function refusedFiles(refused: readonly Refused[], of: number, again: Next | undefined): ArtworkError {
  const [first] = refused;
  const issues = refused.map(
    ({ one, error }): Issue => ({
      code: typeof error.details?.reason === 'string' ? error.details.reason : 'file',
      message: error.message.slice(0, 300),
      path: one.at,
    }),
  );
  const next = again ?? refused.find(({ error }) => error.next !== undefined)?.error.next;
  if (of === 1 && first !== undefined) {
    const { failure, message, code, details } = first.error;
    return new ArtworkError(failure, message, { code, details, issues, next });
  }
  const words = refused.slice(0, mostNamed).map(({ name, error }) => `${name}: ${error.message}`);
  const more = refused.length > mostNamed ? ` ${refused.length - mostNamed} more are in issues.` : '';
  const message = `${refused.length} of ${of} files can't be sent, so nothing was sent. ${words.join(' ')}${more}`;
  const isCalledWrongly = refused.every(({ error }) => error.failure === 'invalid_arguments');
  return new ArtworkError(isCalledWrongly ? 'invalid_arguments' : 'upload_refused', message, {
    issues,
    next,
  });
}

/** How many files one warning names. */
const mostInWarning = 3;

/** One warning of each kind, however many files it is about. */
function gathered(files: readonly (DeclaredFile & { readonly warnings: readonly Warning[] })[]): Warning[] {
  const kinds = new Map<string, string[]>();
  for (const { filename, warnings } of files) {
    for (const { code, message } of warnings)
      kinds.set(code, [...(kinds.get(code) ?? []), `${filename}: ${message}`]);
  }
  return [...kinds].map(([code, about]) => {
    const more = about.length > mostInWarning ? ` And ${about.length - mostInWarning} more.` : '';
    return { code, message: `${about.slice(0, mostInWarning).join(' ')}${more}` };
  });
}
