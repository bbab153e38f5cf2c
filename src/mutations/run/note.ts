import { z } from 'zod';
import { canonicalJson, type Json } from '../../canonical-json.ts';
import { asJsonObject } from '../finding.ts';

const note = z.object({
  /** Of an upload: where its file lies. */
  file: z.string().optional(),
  /** Of an upload, if several machines share the store: which of them its file lies on. */
  machine: z.string().optional(),
  /** The service knew the id of an upload before anything was sent under it from here. */
  knownBefore: z.boolean().optional(),
  /** Of a creation: what was there of its title before; null: the service could not tell. */
  before: z.array(z.string()).nullable().optional(),
  /** The last request was answered so, and a look tells whether it was applied. Left out: it was not answered, or no look tells. */
  answered: z.literal([401, 409, 429]).optional(),
  /** An earlier request was never answered, and may still arrive. */
  lost: z.literal(true).optional(),
});

/** What the journal of a single request holds beside the state of its entry. */
export type Note = Readonly<z.output<typeof note>>;

/** What the journal holds; nothing where it can't be read. */
export function readNote(progress: Json): Note {
  const parsed = note.safeParse(progress);
  return parsed.success ? parsed.data : {};
}

/** Whether all that was sent was answered, so that nothing of it can arrive later, and no answer tells its effect. */
export function isAnswered(progress: Json): boolean {
  const { answered, lost } = readNote(progress);
  return answered !== undefined && lost !== true;
}

/** The journal with something else noted; undefined takes a member out. The same object where nothing changes. */
export function withNote(progress: Json, changes: Note): Json {
  const before = asJsonObject(readNote(progress));
  const after = asJsonObject({ ...before, ...changes });
  return canonicalJson(after) === canonicalJson(before) ? progress : after;
}
