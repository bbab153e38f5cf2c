import type { z } from 'zod';
import { canonicalAnswer, canonicalJson, type Json } from '../../canonical-json.ts';
import type { NeededScopes } from '../../catalogue/authorization.ts';
import { isRecord, type JsonRecord, publicationIn } from '../../catalogue/records/members.ts';
import { readReceipt, revisionOf, type Saved, serviceRevision } from '../../catalogue/records/owned.ts';
import {
  type ClientMutationId,
  clientMutationId,
  type FileRequest,
  type JsonObject,
  type JsonRequest,
  jsonObject,
  sparseFields,
} from '../../catalogue/request.ts';
import type { SubmissionKind } from '../../catalogue/submission.ts';
import { ArtworkError } from '../../errors.ts';
import type { TargetReference } from '../../model/target.ts';
import { quotedSentence } from '../../text.ts';
import type { Change, DeclaredFile, DeclaredItem, Finding, LookContext, Receipt } from '../change.ts';
import { asJson } from '../receipt.ts';
import { checkArguments, filesIn, type NamedFile, unusable, withFiles } from './arguments.ts';
import {
  compareRevisions,
  type Guard,
  guardOf,
  type RevisionSource,
  readGuarded,
  shownAmong,
  shownIn,
} from './revisions.ts';

/** What the mutation layers know of an operation, whatever its arguments: a row of the table in `index.ts`. */
export interface Operation<Name extends string = string, Args extends z.ZodObject = z.ZodObject> {
  /** Also the name of the tool that makes it. */
  readonly name: Name;
  /** The arguments of a call: the only spelling of them. */
  readonly arguments: Args;
  /** What leaves: one JSON request, one request with a file, or an admission with files behind it. */
  readonly sends: 'json' | 'file' | SubmissionKind;
  /** Whose revision the arguments of a call rest on. They may be anything. */
  readonly revision: RevisionSource;
  /** What it makes or changes, and so what its receipt identifies. */
  readonly saved: Saved;
  /** Reads the arguments of a call, before a file was opened. @throws ArtworkError `invalid_arguments` */
  called(given: object): Called;
  /** The change that the ledger kept. @throws ArtworkError `invalid_arguments` for an intent that another version kept */
  kept(id: ClientMutationId, intent: Json): Intended;
}

/** A call whose arguments are sound, and whose files were not looked at yet. */
export interface Called {
  readonly id: ClientMutationId;
  readonly files: readonly NamedFile[];
  /** The change that is meant. @param files what each of `files` is, in their order */
  meant(files: readonly DeclaredFile[]): Intended;
}

/** A change, with what only the door knows of it: what is checked, told and undone. */
export type Intended = Change & Described;

export interface Described {
  /** Where pictures are to go. */
  readonly places: readonly Placement[];
  /** What all of them belong to, where that is one thing. */
  readonly work: TargetReference | null;
  /** Revisions that it rests on, its own first. */
  readonly guards: readonly Guard[];
  /**
   * What stands there of what is changed, in the words of the arguments; empty: nothing is put aside.
   * @param record what the first guard's read shows
   */
  earlier(record: JsonRecord | null): JsonObject;
  /** The arguments, but for the guard's, of the call that puts `earlier` back; null: there is no way back. */
  undo(earlier: JsonObject): JsonObject | null;
}

/** Where a picture is to go. */
export interface Placement {
  readonly target: TargetReference;
  readonly slot: string;
}

interface Identified {
  readonly clientMutationId: ClientMutationId;
  readonly expectedUpdatedAt: string | null;
}

/** What an operation is. `Meant`: its arguments once they are parsed, with files as they are declared. */
interface Specified<Meant> {
  readonly meant: z.ZodType<Meant>;
  readonly revision: RevisionSource;
  readonly saved: Saved;
  /** The service compares the own revision by a field that the interface document shows. Left out: it does not. */
  readonly comparedOnWire?: true;
  readonly needed: NeededScopes | ((args: Meant) => NeededScopes);
  /** What it acts on, as the ledger keeps it to be shown. */
  target(args: Meant): JsonObject;
  /** What two changes can't both be. Left out: nothing. */
  keys?(args: Meant): readonly string[];
  /** Beside that of its own revision. */
  guards?(args: Meant): readonly Guard[];
  places?(args: Meant): readonly Placement[];
  work?(args: Meant): TargetReference;
  /** Of a record that is changed, what a call could put back. Left out: what an edit's `effect` means to change. */
  earlier?(args: Meant, record: JsonRecord | null): JsonObject;
  /** The call that does. Left out: there is none. */
  undo?(args: Meant, earlier: JsonObject): JsonObject | null;
}

type Noticing = Pick<LookContext, 'owned' | 'deadline'>;

/** One request. */
interface SendsOne<Meant> {
  readonly sends: 'json' | 'file';
  request(args: Meant, noticed: Json): JsonRequest | FileRequest;
  /** Of an upload, which alone has an identity on the wire. */
  file?(args: Meant): DeclaredFile;
  /** What is noticed before it is sent. Left out: nothing. */
  notice?(args: Meant, reads: Noticing): Promise<Json>;
  /** How it is found whether it was applied. */
  readonly effect: Edit<Meant> | { find(args: Meant, reads: LookContext): Promise<Finding> };
}

/** What the record shows afterwards whose revision the change rests on. */
interface Edit<Meant> {
  /** The members that are meant to have a value; one that is undefined is not meant to change. */
  fields(args: Meant, noticed: Json): Readonly<Record<string, Json | undefined>>;
  /** The record in the words of `fields`. Left out: it has them already. */
  shown?(record: JsonRecord | null): JsonRecord;
}

interface SendsSubmission<Meant> {
  readonly sends: SubmissionKind;
  request(args: Meant): JsonRequest;
  items(args: Meant): readonly DeclaredItem[];
}

type Spec<Meant> = Specified<Meant> & (SendsOne<Meant> | SendsSubmission<Meant>);

interface Named<Name extends string, Args extends z.ZodObject> {
  readonly name: Name;
  readonly arguments: Args;
  /** The arguments of a call with what has to hold between them, where that is more than they say themselves. */
  readonly called?: z.ZodType;
}

/** Closes an operation over the type of its own arguments, so that the table of all has one type. */
export function defineOperation<
  const Name extends string,
  Args extends z.ZodObject,
  Meant extends Identified,
>(spec: Spec<Meant> & Named<Name, Args>): Operation<Name, Args> {
  const { name, revision, saved, sends } = spec;
  const mean = (given: unknown) => intended(spec, checkArguments(spec.meant, given));
  return {
    name,
    arguments: spec.arguments,
    sends,
    revision,
    saved,
    called(given) {
      const args = checkArguments(spec.called ?? spec.arguments, given);
      if (!isRecord(args)) throw new TypeError('Arguments are a record.');
      if (revision(args).of === 'nothing' && args.expectedUpdatedAt !== null) {
        const message = 'must be "none" (or null): a new thing has no revision yet';
        throw unusable({ code: 'revision', message, path: ['expectedUpdatedAt'] });
      }
      const files = filesIn(args);
      const meant = (declared: readonly DeclaredFile[]) => mean(withFiles(args, declared));
      const id = checkArguments(clientMutationId, args.clientMutationId);
      return { id, files, meant };
    },
    kept: (id, intent) => mean({ ...(isRecord(intent) ? intent : {}), clientMutationId: id }),
  };
}

function intended<Meant extends Identified>(
  spec: Spec<Meant> & Named<string, z.ZodObject>,
  args: Meant,
): Intended {
  const { expectedUpdatedAt, clientMutationId: id } = args;
  const { clientMutationId: _, ...rest } = args;
  const intent = jsonObject.parse(asJson(rest));
  const own = guardOf(spec.revision(intent), expectedUpdatedAt, spec.comparedOnWire === true);
  const guards = [...(own === null ? [] : [own]), ...(spec.guards?.(args) ?? [])];
  const all = {
    operation: spec.name,
    id,
    expectedUpdatedAt,
    intent,
    target: spec.target(args),
    needed: typeof spec.needed === 'function' ? spec.needed(args) : spec.needed,
    keys: spec.keys?.(args) ?? [],
    guards,
    places: spec.places?.(args) ?? [],
    work: spec.work?.(args) ?? null,
    earlier: (record: JsonRecord | null) => spec.earlier?.(args, record) ?? earlierOf(spec, args, record),
    undo: (earlier: JsonObject) => undoOf(spec, args, earlier),
    async requireCurrent(how: 'before sending' | 'before a repetition', { owned, deadline }: LookContext) {
      const compared = guards.filter(({ onWire }) => how === 'before a repetition' || !onWire);
      await compareRevisions(compared, owned, deadline);
    },
  };
  switch (spec.sends) {
    case 'json':
    case 'file': {
      const file = spec.file?.(args) ?? null;
      const changed = file === null ? (own?.about ?? null) : null;
      const isTellable = own !== null && own.expected !== null;
      return {
        ...all,
        by: 'single',
        identity: file !== null ? 'upload' : isTellable ? 'revision' : 'none',
        request: (noticed) => spec.request(args, noticed),
        file,
        notice: async (reads) => spec.notice?.(args, reads) ?? null,
        receiptOf: (body) => findingOf(readReceipt(body, spec.saved, id, changed), 'nothing'),
        look: (reads) =>
          'find' in spec.effect
            ? spec.effect.find(args, reads)
            : lookAtRecord(own, spec.effect.fields(args, reads.noticed), spec.effect.shown, reads),
      };
    }
    case 'creation':
    case 'edit':
      return {
        ...all,
        by: 'submission',
        kind: spec.sends,
        admission: () => spec.request(args),
        items: spec.items(args),
      };
  }
}

function earlierOf<Meant>(spec: Spec<Meant>, args: Meant, record: JsonRecord | null): JsonObject {
  if (!('effect' in spec) || 'find' in spec.effect || spec.undo === undefined) return {};
  const { fields, shown = plainly } = spec.effect;
  return shownAmong(shown(record), Object.keys(sparseFields(fields(args, null))));
}

/** What stood there may be what no call can ask for: then there is no way back. */
function undoOf<Meant extends Identified>(
  spec: Spec<Meant> & Named<string, z.ZodObject>,
  args: Meant,
  earlier: JsonObject,
): JsonObject | null {
  const { clientMutationId, expectedUpdatedAt } = args;
  const undo = spec.undo?.(args, earlier) ?? null;
  return spec.arguments.safeParse({ clientMutationId, expectedUpdatedAt, ...undo }).success ? undo : null;
}

const plainly = (record: JsonRecord | null) => record ?? {};

/** Whether the record that was to be changed shows what was meant. */
async function lookAtRecord(
  own: Guard | null,
  fields: Readonly<Record<string, Json | undefined>>,
  shown: Edit<never>['shown'] = plainly,
  { owned, deadline }: Noticing,
): Promise<Finding> {
  if (own === null) throw new TypeError('What is compared with a record rests on its revision.');
  const record = await readGuarded(own, owned, deadline);
  const current = record === null ? null : revisionOf(record);
  const now = shown(record);
  const isAsMeant = Object.entries(fields).every(
    ([name, meant]) => meant === undefined || isSame(meant, shownIn(now, name)),
  );
  if (isAsMeant && (current !== own.expected || own.of === 'relationship')) return foundIn(record);
  return current === own.expected ? { found: 'as before' } : { found: 'moved', updatedAt: current };
}

/** Ids come as numbers and as text. What is not shown is not the same as anything. */
function isSame(meant: Json, shown: unknown): boolean {
  if (shown === undefined) return false;
  if (typeof meant === 'number' || typeof shown === 'number') return String(meant) === String(shown);
  return canonicalJson(meant) === canonicalAnswer(shown);
}

/** The finding that a record of the service shows the effect. */
export function foundIn(record: JsonRecord | null): Finding {
  const receipt: Receipt = {
    record: record === null ? null : asJson(record),
    savedId: null,
    updatedAt: record === null ? null : serviceRevision(revisionOf(record)),
    publicationStatus: publicationIn(record ?? {}),
    warnings: [],
  };
  return { found: 'ended', outcome: 'succeeded', receipt };
}

/** What the service's answer of success, or its own record of an upload, says. */
interface Stated extends Pick<Receipt, 'savedId' | 'updatedAt' | 'publicationStatus'> {
  readonly state: 'succeeded' | 'failed' | 'processing' | 'unknown';
  readonly record: JsonRecord;
  readonly error: { readonly code?: string | undefined; readonly message?: string | undefined } | null;
}

/** @param unknown what it means that it does not say how the change stands */
export function findingOf(stated: Stated, unknown: 'nothing' | 'working'): Finding {
  const { state, record, savedId, updatedAt, publicationStatus, error } = stated;
  const receipt = { record: asJson(record), savedId, updatedAt, publicationStatus, warnings: [] };
  switch (state) {
    case 'succeeded':
      return { found: 'ended', outcome: 'succeeded', receipt };
    case 'failed':
      return { found: 'ended', outcome: 'failed', receipt, error: processingError(error) };
    case 'processing':
      return { found: 'working', receipt };
    case 'unknown':
      return unknown === 'working' ? { found: 'working', receipt } : { found: 'nothing' };
  }
}

/** The error of what the service took and could not process. Its own words stand in marks. */
function processingError(error: Stated['error']): ArtworkError {
  const said = error?.message === undefined ? '' : `: ${quotedSentence(error.message)}`;
  return new ArtworkError('bad_response', `The service could not process it${said}.`, { ...error });
}
