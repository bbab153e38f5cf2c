import { z } from 'zod';
import { isRecord, type JsonRecord, textAt } from '../../catalogue/records/members.ts';
import { serviceRevision } from '../../catalogue/records/owned.ts';
import { clientMutationId, sha256, uploadFile, uploadFilename } from '../../catalogue/request.ts';
import { type Issue, invalidArguments } from '../../errors.ts';
import type { DeclaredFile } from '../change.ts';

/** "none" is null: some hosts can't send a null that is required. Everything behind this knows null alone. */
const expectedUpdatedAt = z
  .string()
  .min(1)
  .nullable()
  .transform((revision) => (revision === 'none' ? null : revision));

/** What the arguments of every operation begin with. */
export const guardedArguments = { clientMutationId, expectedUpdatedAt };

/** The arguments of an operation: the guard and its own, and nothing else. */
export function defineArguments<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...guardedArguments, ...shape });
}

/** The arguments as they are meant. @throws ArtworkError `invalid_arguments` that names what can't be */
export function checkArguments<Schema extends z.ZodType>(schema: Schema, given: unknown): z.output<Schema> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw unusable(
    ...parsed.error.issues.map(({ code, message, path }) => ({
      code,
      message: message.endsWith('received undefined') ? 'is missing' : message,
      path: path.map(String),
    })),
  );
}

export function unusable(...issues: readonly Issue[]) {
  return invalidArguments("These arguments can't be used", issues);
}

/** Of the revision that a body carries which the interface document shows. @throws ArtworkError `invalid_arguments` */
export function requireServiceRevision(
  revision: string | null,
  at: readonly string[] = ['expectedUpdatedAt'],
) {
  const known = revision === null ? null : serviceRevision(revision);
  if (known !== null) return known;
  const message = 'is not a revision of the service, which is all that it can compare';
  throw unusable({ code: 'revision', message, path: at });
}

/** Of the revision in a body that is only assumed: one that only we know is left out. */
export function revisionToSend(revision: string | null) {
  return revision === null ? undefined : (serviceRevision(revision) ?? undefined);
}

/** A file as it is announced, and the digest of the bytes that are meant: what an intent knows of it. */
export const declaredFile = z.strictObject({ ...uploadFile.shape, sha256 });

/** A file as a call names it. */
export interface NamedFile {
  /** An absolute path or a `file:` URI. */
  readonly file: string;
  readonly slot: string;
  /** What it is to be announced as; null: its own name, as far as a header can carry it. */
  readonly filename: DeclaredFile['filename'] | null;
  /** The frame of it that is to be chosen, from 0; null: none is. */
  readonly frame: number | null;
  /** Where it stands in the arguments. */
  readonly at: readonly string[];
}

/** The files that the arguments of a call name: its own, or those of one of its lists. */
export function filesIn(args: JsonRecord): NamedFile[] {
  const files: NamedFile[] = [];
  eachFile(args, (item, file, at) => {
    const filename = uploadFilename.safeParse(item.filename).data ?? null;
    const frame = typeof item.selectedSourceFrame === 'number' ? item.selectedSourceFrame : null;
    files.push({ file, slot: textAt(item, 'slot') ?? '', filename, frame, at: [...at, 'file'] });
    return item;
  });
  return files;
}

/** The arguments with each file by what it is, not by where it lies. */
export function withFiles(args: JsonRecord, files: readonly DeclaredFile[]): JsonRecord {
  const queue = files.values();
  return eachFile(args, ({ filename: _, ...item }) => {
    const { value } = queue.next();
    if (value === undefined) return { ...item, file: null };
    const { filename, contentType, contentLength, sha256 } = value;
    return { ...item, file: { filename, contentType, contentLength, sha256 } };
  });
}

/** Puts something else in the place of everything that names a file, in the order of the arguments. */
function eachFile(
  args: JsonRecord,
  replace: (item: JsonRecord, file: string, at: readonly string[]) => JsonRecord,
): JsonRecord {
  const replaced = (item: JsonRecord, at: readonly string[]) =>
    typeof item.file === 'string' ? replace(item, item.file, at) : item;
  const members = Object.entries(replaced(args, [])).map(([name, value]) => {
    if (!Array.isArray(value)) return [name, value];
    const list: unknown[] = value;
    return [name, list.map((item, at) => (isRecord(item) ? replaced(item, [name, String(at)]) : item))];
  });
  return Object.fromEntries(members);
}
