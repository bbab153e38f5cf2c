import { ArtworkError, type ErrorFacts } from '../../errors.ts';
import { refusedFileError } from '../../files/refusal.ts';
import type { GivenFile } from '../operations/submission-plan.ts';

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
  return refusedFileError('source_changed', 'It is not what was planned: its bytes are others now.');
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
    next: refused.find(({ refused: { next } }) => next !== undefined)?.refused.next,
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
