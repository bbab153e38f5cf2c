import { z } from 'zod';
import type { Json } from '../canonical-json.ts';

const failure = z.object({ code: z.string(), message: z.string() });

const schema = z.object({
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
  unconfirmed: z.boolean().default(false),
  /** Why it was left as it is. */
  stopped: failure.nullable(),
});

/**
 * What the ledger keeps of a submission while it is open: all that another process needs to go on. Small but
 * for the admission; numbers are places among the items with files.
 */
export type Checkpoint = Readonly<z.output<typeof schema>>;

/** The checkpoint of a submission before anything was sent. */
export function firstCheckpoint(kept: Pick<Checkpoint, 'machine' | 'keeper' | 'admission'>): Checkpoint {
  const nothing = { submissionId: null, untouched: null, mark: 0, open: [], refused: [] };
  return { ...kept, ...nothing, idle: 0, unconfirmed: false, stopped: null };
}

/**
 * The checkpoint that the ledger keeps of a submission. Null where nothing was noted yet, or by a version that
 * noted it otherwise.
 */
export function readCheckpoint(progress: Json): Checkpoint | null {
  const parsed = schema.safeParse(progress);
  return parsed.success ? parsed.data : null;
}

/** Under which name bytes are kept, also for a version that noted the rest otherwise. Null: it does not say so. */
export function readBlobOwner(progress: Json): string | null {
  const parsed = schema.pick({ keeper: true }).safeParse(progress);
  return parsed.success ? parsed.data.keeper : null;
}

/** A checkpoint as the ledger keeps it. */
export function checkpointAsJson(checkpoint: Checkpoint): Json {
  const { untouched, open, refused, stopped } = checkpoint;
  return {
    ...checkpoint,
    untouched: untouched === null ? null : [...untouched],
    open: [...open],
    refused: refused.map((one) => ({ ...one })),
    stopped: stopped === null ? null : { ...stopped },
  };
}

const noted = z.looseObject({ file: z.string() });

/** What a resume of an upload needs: where the file lies. */
export function progressOfFile(path: string): Json {
  return { file: path };
}

/** Where the file of an upload lies, as its progress in the ledger says; null where it does not. */
export function fileInProgress(progress: Json): string | null {
  const parsed = noted.safeParse(progress);
  return parsed.success ? parsed.data.file : null;
}
