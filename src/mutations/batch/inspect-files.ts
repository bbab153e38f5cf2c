import { ArtworkError } from '../../errors.ts';
import type { CallClock } from '../call-clock.ts';
import { mapLimit } from '../../wire/map-limit.ts';
import { isAboutFile, notAsPlannedError, type Refused, refuseFiles } from './refused-files.ts';
import { gatherFileWarnings } from './warnings.ts';
import type { Warning } from '../evidence.ts';
import type { GivenFile, InspectedFile, InspectedFiles } from '../operations/submission-plan.ts';
import type { FileSource } from '../file-source.ts';

interface Inspected {
  readonly file: InspectedFile;
  readonly warnings: readonly Warning[];
}

/** Reading, hashing and decoding: two at a time keep a small machine busy. */
const few = 2;

/**
 * Opens, hashes and decodes every file, and closes it again; what was planned has been decoded then. Nothing is
 * kept, claimed or sent.
 * @throws ArtworkError `upload_refused` or `invalid_arguments` that names every file that can't be sent;
 *   `cancelled`
 */
export async function inspectFiles(
  source: FileSource,
  named: readonly GivenFile[],
  time: CallClock,
): Promise<InspectedFiles> {
  const maxBytes = await source.limit.known();
  let files = 0;
  let bytes = 0;
  const results = await mapLimit(named, few, async (one) => {
    time.check();
    const result = await inspectOne(source, one, maxBytes, time);
    if ('refused' in result) return result;
    files += 1;
    bytes += result.file.contentLength;
    time.progress(bytes, null, `read ${files} of ${named.length} files`);
    return result;
  });
  const refused = results.filter((result): result is Refused => 'refused' in result);
  if (refused.length > 0) throw refuseFiles(refused, named.length);
  const seen = results.filter((result): result is Inspected => 'file' in result);
  return {
    files: seen.map(({ file }) => file),
    warnings: gatherFileWarnings(seen.map(({ file, warnings }) => ({ ...file, warnings }))),
  };
}

async function inspectOne(
  { files, roots }: FileSource,
  one: GivenFile,
  maxBytes: number | null,
  { signal }: CallClock,
): Promise<Inspected | Refused> {
  try {
    const progress = () => {};
    const { slot, planned } = one;
    const how = {
      slot,
      roots,
      maxBytes,
      known: planned?.warnings ? planned.sha256 : undefined,
      signal,
      progress,
    };
    const source = await files.open(one.file, how);
    await source.close();
    if (planned !== undefined && planned.sha256 !== source.sha256) throw notAsPlannedError();
    const { path, contentType, contentLength, sha256 } = source;
    const warnings = planned?.warnings ?? source.warnings;
    const filename = one.filename ?? source.filename;
    return { file: { filename, contentType, contentLength, sha256, path }, warnings };
  } catch (error) {
    if (!(error instanceof ArtworkError) || !isAboutFile(error)) throw error;
    return { one, refused: error };
  }
}

/**
 * Planned files without reading them: their bytes are compared with the plan where they are kept, which reads them
 * once less. Null where a file was not planned, or can be seen to be another: then all are read, so that one error
 * names every file that can't be sent.
 */
export async function findPlannedFiles(
  { files, roots }: FileSource,
  named: readonly GivenFile[],
  time: CallClock,
): Promise<InspectedFiles | null> {
  const results = await mapLimit(named, few, async ({ file, filename, planned }) => {
    time.check();
    if (planned === undefined || planned.warnings === null) return null;
    try {
      const { path, contentLength } = await files.find(file, { roots });
      const { name: _, warnings, ...seen } = planned;
      const found = { ...seen, filename: filename ?? planned.filename, path };
      return contentLength === planned.contentLength ? { file: found, warnings } : null;
    } catch (error) {
      // Why it can't be sent is told by the reading.
      if (error instanceof ArtworkError && isAboutFile(error)) return null;
      throw error;
    }
  });
  const seen = results.filter((result) => result !== null);
  if (seen.length < named.length) return null;
  return {
    files: seen.map(({ file }) => file),
    warnings: gatherFileWarnings(seen.map(({ file, warnings }) => ({ ...file, warnings }))),
  };
}
