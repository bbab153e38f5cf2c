import { ArtworkError, type ErrorFacts } from '../../errors.ts';
import { refusedFile } from '../../files/refusal.ts';
import { mapLimit } from '../../map-limit.ts';
import type { Warning } from '../finding.ts';
import type { GivenFile, InspectedFile } from '../operations/operation.ts';
import { type Caller, requireNotCancelled } from '../caller.ts';
import type { OpenedFor } from '../ports.ts';
import type { FileSource } from './upload-files.ts';

/** Reading, hashing and decoding: two at a time keep a small machine busy. */
const few = 2;

/**
 * Opens, hashes and decodes every file, and closes it again; what was planned has been decoded then. Nothing is
 * kept, claimed or sent.
 * @returns one for each of `named`, in their order
 * @throws ArtworkError `upload_refused` or `invalid_arguments` that names every file that can't be sent;
 *   `cancelled`
 */
export async function inspectFiles(
  source: FileSource,
  named: readonly GivenFile[],
  { deadline, progress }: Caller,
): Promise<readonly InspectedFile[]> {
  const maxBytes = await source.limit.known();
  let files = 0;
  let bytes = 0;
  const results = await mapLimit(named, few, async (one) => {
    requireNotCancelled(deadline);
    let before = 0;
    const tell = (done: number) => {
      bytes += done - before;
      before = done;
      progress(bytes, null, `read ${files} of ${named.length} files`);
    };
    const result = await inspectOne(source, one, { maxBytes, signal: deadline.signal, progress: tell });
    if ('refused' in result) return result;
    files += 1;
    tell(result.contentLength);
    return result;
  });
  const refused = results.filter((result): result is Refused => 'refused' in result);
  if (refused.length > 0) throw refuseFiles(refused, named.length);
  return results.filter((result): result is InspectedFile => !('refused' in result));
}

async function inspectOne(
  { files, roots }: FileSource,
  one: GivenFile,
  looking: Pick<OpenedFor, 'maxBytes' | 'signal' | 'progress'>,
): Promise<InspectedFile | Refused> {
  try {
    const { slot, frame, planned } = one;
    const known = planned?.warnings ? planned.sha256 : undefined;
    const source = await files.open(one.file, { ...looking, slot, frame, roots, known });
    await source.close();
    if (planned !== undefined && planned.sha256 !== source.sha256) throw notAsPlannedError();
    const { path, contentType, contentLength, sha256 } = source;
    const warnings = planned?.warnings ?? source.warnings;
    const filename = one.filename ?? source.filename;
    return { filename, contentType, contentLength, sha256, path, warnings };
  } catch (error) {
    if (!(error instanceof ArtworkError) || !isAboutFile(error)) throw error;
    return { one, refused: error };
  }
}

/**
 * Planned files without reading them: their bytes are compared with the plan where they are kept, which reads them
 * once less. Null where a file was not planned, can be seen to be another, or has a frame to be looked for: then all are
 * read, so that one error names every file that can't be sent.
 */
export async function findPlannedFiles(
  { files, roots }: FileSource,
  named: readonly GivenFile[],
  { deadline }: Caller,
): Promise<readonly InspectedFile[] | null> {
  if (named.some(({ planned, frame }) => !planned?.warnings || frame !== null)) return null;
  const paths = named.map(({ file }) => file);
  const found = await files.find(paths, { roots, signal: deadline.signal });
  const seen = named.flatMap(({ filename, planned }, at): InspectedFile[] => {
    const there = found[at];
    if (!planned?.warnings || planned.contentLength !== there?.contentLength) return [];
    const { name: _, warnings, ...facts } = planned;
    return [{ ...facts, warnings, filename: filename ?? planned.filename, path: there.path }];
  });
  // Why one can't be sent is told by the reading.
  return seen.length < named.length ? null : seen;
}

/** A file that can't be sent, and why. */
export interface Refused {
  readonly one: GivenFile;
  readonly refused: ArtworkError;
}

/** Without an open folder no other file can be read either. */
export function isAboutFile({ category, details }: ArtworkError): boolean {
  return (
    category === 'invalid_arguments' || (category === 'upload_refused' && details?.reason !== 'no_roots')
  );
}

/** The error of a file whose bytes are not those that were planned. */
export function notAsPlannedError(): ArtworkError {
  return refusedFile('source_changed', 'It is not what was planned: its bytes are others now.');
}

/** How many files the message itself names. */
const mostInMessage = 5;

/** One error for all of them: a caller who corrects one would only meet the next. */
export function refuseFiles(refused: readonly Refused[], of: number): ArtworkError {
  const [first] = refused;
  const planned = refused.filter(({ one }) => one.planned !== undefined);
  const others = refused.filter(({ one }) => one.planned === undefined);
  if (of === 1 && first !== undefined && planned.length === 0) {
    const { category, message, code, details, next } = first.refused;
    return new ArtworkError(category, message, { code, details, ...byArgument(refused), next });
  }
  const words = refused
    .slice(0, mostInMessage)
    .map(({ one, refused: { message } }) => `${one.planned?.name ?? one.file}: ${message}`);
  const left = refused.length - words.length;
  const where = planned.length === 0 ? 'issues' : others.length === 0 ? 'details' : 'details and issues';
  const more = left === 0 ? '' : ` And ${left} more, in ${where}.`;
  const message = `${refused.length} of ${of} files can't be sent; nothing was. ${words.join(' ')}${more}`;
  const misnamed = refused.every((one) => one.refused.category === 'invalid_arguments');
  return new ArtworkError(misnamed ? 'invalid_arguments' : 'upload_refused', message, {
    ...(planned.length === 0 ? {} : byReason(planned)),
    ...(others.length === 0 ? {} : byArgument(others)),
    // A plan that does not fit its files any more is made anew, whatever one of them lacks.
    next: others.find(({ refused: { next } }) => next !== undefined)?.refused.next,
  });
}

function byArgument(refused: readonly Refused[]): ErrorFacts {
  return {
    issues: refused.map(({ one, refused: { message, details } }) => ({
      code: reasonOf(details),
      message: message.slice(0, 300),
      path: one.at,
    })),
  };
}

/** Characters of file names; an error has to stay short enough to be shown whole. */
const mostOfNames = 6_000;

/** A plan is named by one id: its files have no place in the arguments, and are told by their names. */
function byReason(refused: readonly Refused[]): ErrorFacts {
  const files: Record<string, string[]> = {};
  let left = mostOfNames;
  let unnamed = 0;
  for (const { one, refused: error } of refused) {
    const name = one.planned?.name ?? one.file;
    left -= JSON.stringify(name).length + 1;
    if (left < 0) unnamed += 1;
    else files[reasonOf(error.details)] = [...(files[reasonOf(error.details)] ?? []), name];
  }
  return { details: { files, ...(unnamed === 0 ? {} : { unnamed }) } };
}

function reasonOf(details: ArtworkError['details']): string {
  return typeof details?.reason === 'string' ? details.reason : 'file';
}

/** How many files one warning names. */
const mostNamed = 3;

/** One warning of each kind, however many files it is about: an answer has to stay readable. */
export function gatherFileWarnings(files: readonly InspectedFile[]): readonly Warning[] {
  const kinds = new Map<string, { readonly filename: string; readonly message: string }[]>();
  for (const { filename, warnings } of files) {
    for (const { code, message } of warnings) {
      kinds.set(code, [...(kinds.get(code) ?? []), { filename, message }]);
    }
  }
  const gathered = [...kinds].map(([code, about]): Warning => {
    const named = about.slice(0, mostNamed).map(({ filename, message }) => `${filename}: ${message}`);
    return { code, message: `${named.join(' ')}${andMore(about.length, 'files')}` };
  });
  return [...gathered, ...sameBytes(files)];
}

/** Most often one file was copied over another by mistake; a service may still want both. */
function sameBytes(files: readonly InspectedFile[]): readonly Warning[] {
  const byDigest = new Map<string, string[]>();
  for (const { sha256, filename } of files) {
    byDigest.set(sha256, [...(byDigest.get(sha256) ?? []), filename]);
  }
  const repeated = [...byDigest.values()].filter((names) => names.length > 1);
  if (repeated.length === 0) return [];
  const named = repeated.slice(0, mostNamed).map((names) => names.slice(0, mostNamed).join(' and '));
  const message = `The same bytes are meant for several items: ${named.join('; ')}${andMore(repeated.length, 'pictures')}`;
  return [{ code: 'same_bytes', message }];
}

function andMore(count: number, what: string): string {
  return count > mostNamed ? ` And ${count - mostNamed} more ${what}.` : '';
}
