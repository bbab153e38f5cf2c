import { z } from 'zod';
import type { SubmissionKind } from '../catalogue/submission.ts';
import { type ItemId, sha256, uploadFile } from '../catalogue/request.ts';
import { createHash } from 'node:crypto';
import type { Json } from '../canonical-json.ts';
import type { PlacedBytes } from './mutation.ts';

/** A file as it was declared, and the digest of the bytes that were meant. */
export const declaredFile = z.strictObject({ ...uploadFile.shape, sha256 });
export type DeclaredFile = z.output<typeof declaredFile>;

export interface DeclaredItem {
  readonly itemId: ItemId;
  /** Null for an item without a file. */
  readonly file: DeclaredFile | null;
  readonly targetKind: string;
  readonly targetId: number;
  readonly slot: string;
}

export interface FileItem extends DeclaredItem {
  readonly file: DeclaredFile;
}

/** What a submission was admitted with: frozen, in the order of the call. */
export interface Declared {
  readonly kind: SubmissionKind;
  readonly items: readonly DeclaredItem[];
}

/** The items that bring a file. An item's number, in what is noted of it, is its place in this list. */
export function fileItems({ items }: Declared): readonly FileItem[] {
  return items.filter((item): item is FileItem => item.file !== null);
}

/** The file of an item, and what it is for. */
export function placedBytesOf({ file, slot, targetKind: kind, targetId: id }: FileItem): PlacedBytes {
  return { filename: file.filename, sha256: file.sha256, slot, target: { kind, id } };
}

/**
 * The id of an item that was given none: UUIDv5 (RFC 9562) of the mutation's id and the item's place in the
 * call, so that the same call is the same intent.
 */
export function deriveItemId(clientMutationId: string, index: number): string {
  return deriveUuid(clientMutationId, String(index));
}

/** UUIDv5 (RFC 9562) of a name within what another UUID stands for: the same ones give the same id. */
export function deriveUuid(within: string, name: string): string {
  const namespace = Buffer.from(within.replaceAll('-', ''), 'hex');
  const digest = createHash('sha1').update(namespace).update(name).digest();
  const bytes = digest.subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const failure = z.object({ code: z.string(), message: z.string() });

const checkpointSchema = z.object({
  /** Where the bytes are kept, for people. */
  machine: z.string(),
  /** The name under which they are kept there. */
  keeper: z.string(),
  /** The admission's body, byte for byte. */
  admission: z.string(),
  /** Null until the service has said it. */
  submissionId: z.string().nullable(),
  /** The words of the items with files before anything was sent for one of them; null until they were read. */
  untouched: z.array(z.string().nullable()).nullable(),
  /** No file from this number on has ever been sent. */
  mark: z.int().nonnegative(),
  /** Those of the others that are not known to have arrived. */
  open: z.array(z.int().nonnegative()),
  /** Those that the service turned away for good. */
  refused: z.array(z.object({ ...failure.shape, item: z.int().nonnegative() })),
  /** How often it was worked on, in a row, without anything new. */
  idle: z.int().nonnegative(),
  /** Whether the service's own word for it was `unresolved` when it was last asked (States, rule 6). */
  unconfirmed: z.boolean(),
  /** Why it was left as it is. */
  stopped: failure.nullable(),
});

/**
 * What the ledger keeps of a submission while it is open: all that another process needs to go on. Small but
 * for the admission; numbers are places among the items with files.
 */
export type Checkpoint = Readonly<z.output<typeof checkpointSchema>>;

/** The checkpoint of a submission before anything was sent. */
export function firstCheckpoint(kept: Pick<Checkpoint, 'machine' | 'keeper' | 'admission'>): Checkpoint {
  const nothing = { submissionId: null, untouched: null, mark: 0, open: [], refused: [] };
  return { ...kept, ...nothing, idle: 0, unconfirmed: false, stopped: null };
}

/** The checkpoint that the ledger keeps of a submission; null where nothing was noted yet, or it can't be read. */
export function readCheckpoint(progress: Json): Checkpoint | null {
  const parsed = checkpointSchema.safeParse(progress);
  return parsed.success ? parsed.data : null;
}

/** Under which name bytes are kept, even where the rest of the checkpoint can't be read. Null: it does not say so. */
export function readBlobOwner(progress: Json): string | null {
  const parsed = checkpointSchema.pick({ keeper: true }).safeParse(progress);
  return parsed.success ? parsed.data.keeper : null;
}
