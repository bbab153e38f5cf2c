import type { Json } from '../canonical-json.ts';
import type { NeededScopes } from '../catalogue/authorization.ts';
import type { Call } from '../catalogue/call.ts';
import type { Saved } from '../catalogue/records/owned.ts';
import { type ClientMutationId, jsonBytes, type MutationRequest } from '../catalogue/request.ts';
import type { NewEntry } from '../ledger/ledger.ts';
import type { StreamBody } from '../wire/exchange.ts';
import type { Guard } from './checks/guard.ts';
import type { Objection } from './checks/objection.ts';
import type { CheckContext } from './checks/shown-records.ts';
import type { FoundTargets } from './checks/targets.ts';
import type { Finding, Warning } from './finding.ts';
import type { Names } from './names.ts';
import type { OwnedReads } from './ports.ts';
import type { CallClock } from './session.ts';
import type { Declared } from './submission.ts';

/** What one mutation is: made from the arguments of a call, or from what the ledger kept of them. */
export interface Mutation {
  /** The name of the operation. */
  readonly operation: string;
  /** How its operation is carried out. */
  readonly strategy: 'request' | 'upload' | 'batch';
  readonly clientMutationId: ClientMutationId;
  readonly expectedUpdatedAt: string | null;
  /** What it acts on, to be shown. */
  readonly target: MutationTarget;
  /** The canonical arguments: the same call is the same intent. */
  readonly intent: { readonly [member: string]: Json };
  /** What has to be granted to send it. */
  readonly needed: NeededScopes;
  /** What is read and compared just before it is sent. */
  readonly guards: readonly Guard[];
  /** How its outcome is found out: by the service's own record of the id, or from the resource itself. */
  readonly looksBy: 'lookup' | 'read_back';
  /** What its receipt identifies. */
  readonly saved: Saved;
  /** The places that it fills, where two mutations can't both be right (a Set's target and slot). */
  readonly places: readonly MutationPlace[];
  /** Which bytes an upload puts where; null for everything else. */
  readonly bytes: PlacedBytes | null;
  /** What follows the request, which then is an admission; left out: nothing does. */
  readonly declared?: Declared | undefined;
  /** @throws ArtworkError `invalid_arguments` for a revision that the service could not compare */
  request(): MutationRequest;
  /** The arguments of the call that makes it, in full. Null: they can't be told from what is known. */
  again(progress: Json): Readonly<Record<string, unknown>> | null;
  /**
   * What stands against it as things are: told before anything is claimed, by a dry run too, and where the service
   * answers with a conflict. Rejections are ArtworkErrors.
   */
  check?(seen: CheckContext): Promise<readonly Objection[]>;
  /** What has to be known before it is sent, so that `find` can tell it apart afterwards. */
  prepare?(owned: OwnedReads, call: Call): Promise<Json>;
  /** What the service shows of it now. Rejections are ArtworkErrors. */
  find(look: LookupContext): Promise<Finding>;
  /** What the service shows of something that it has just said to have created. */
  confirm?(look: LookupContext, savedId: string): Promise<Finding>;
  /** How far public reads show by now what was saved; null: not known. Left out: its receipt has told all of it. */
  publication?(look: Pick<LookupContext, 'owned' | 'call'>): Promise<string | null>;
}

/** What a mutation acts on. The ledger keeps it, and lists show it. */
interface MutationTarget {
  /** Of what exists already. */
  readonly id?: number | string;
  /** What people call it. */
  readonly title?: string;
  /** What people call it once the mutation is done, where that is another name. */
  readonly newTitle?: string;
  readonly [member: string]: Json | undefined;
}

export interface LookupContext {
  readonly owned: OwnedReads;
  /** What was noted before it was sent. */
  readonly progress: Json;
  /** What people call its targets, as far as that is known. */
  readonly names?: Names | undefined;
  readonly call: Call;
}

/** A mutation with the bytes that it sends. */
export interface Outgoing {
  readonly mutation: Mutation;
  /** A new body, for one request. */
  body(signal: AbortSignal): Buffer | StreamBody;
  /** What a resume needs beside the intent, such as where the file lies. */
  readonly progress: Json;
  /** Just before it is claimed: what is to be there by then. Answers what a resume needs. */
  prepare?(time: CallClock): Promise<Json>;
  /** The arguments of the call at hand, where what is kept of it does not hold them all. */
  readonly given?: Readonly<Record<string, unknown>> | undefined;
  /** What was found out of its targets before. */
  readonly targets?: FoundTargets | undefined;
  /** Pointed out before it is sent. */
  readonly warnings: readonly Warning[];
  /** What people call its targets, as far as that is known; left out: nothing of it was read yet. */
  readonly names?: Names | undefined;
  close(): Promise<void>;
}

/** The entry of a mutation as a claim makes it: a process that finds it after a crash has no other source. */
export function newEntryOf({ mutation, progress, names }: Outgoing): NewEntry {
  const { clientMutationId, operation, target, intent } = mutation;
  return { clientMutationId, operation, target, names, intent, progress };
}

/** A mutation of one JSON request, with its bytes. */
export function jsonOutgoing(mutation: Mutation): Outgoing {
  return {
    mutation,
    body() {
      const request = mutation.request();
      if (request.body.kind !== 'json') throw new TypeError(`${mutation.operation} sends a file.`);
      return jsonBytes({ ...request, body: request.body });
    },
    progress: null,
    warnings: [],
    close: async () => {},
  };
}

interface PlaceTarget {
  readonly kind: string;
  readonly id: number | string;
}

/** A place that two mutations can't both fill. */
export type MutationPlace =
  /** A slot of a target in a Set; null: the target is left out, and any of the Set's may be meant. */
  | { readonly in: 'set'; readonly setId: number; readonly target: PlaceTarget | null; readonly slot: string }
  | { readonly in: 'set metadata'; readonly setId: number }
  | { readonly in: 'group'; readonly groupId: number | string; readonly slot: string }
  /** An Asset, which is replaced or edited once. */
  | { readonly in: 'asset'; readonly assetId: string }
  /**
   * A Set that is being made has no id yet: a second one for the same work with the same pictures is the same,
   * whatever its title. `pictures`: their digest.
   */
  | { readonly in: 'new set'; readonly work: PlaceTarget; readonly pictures: string };

/**
 * A place in one line, to be compared. The ledger's index keeps it: a change of it needs a migration that lists
 * every entry anew.
 */
export function writePlace(place: MutationPlace): string {
  switch (place.in) {
    case 'set': {
      const target = place.target === null ? '' : `/${place.target.kind} ${place.target.id}`;
      return `set ${place.setId}${target}/${place.slot}`;
    }
    case 'set metadata':
      return `set ${place.setId} metadata`;
    case 'group':
      return `group ${place.groupId}/${place.slot}`;
    case 'asset':
      return `asset ${place.assetId}`;
    case 'new set':
      return `${writeWork(place.work)}/${place.pictures}`;
  }
}

/** A place with its target left out; null where it names none. */
export function placeWithoutTarget(place: MutationPlace): MutationPlace | null {
  return place.in === 'set' && place.target !== null ? { ...place, target: null } : null;
}

/** Whether two mutations would fill the same place: one that leaves the target out may mean any of the Set's. */
export function isSamePlace(one: MutationPlace, other: MutationPlace): boolean {
  const [first, second] = [writePlace(one), writePlace(other)];
  return first === second || shortOf(one) === second || first === shortOf(other);
}

/** The work that a new Set is for; null where none of the places is one. */
export function workOfNewSet(places: readonly MutationPlace[]): string | null {
  const place = places.find((one) => one.in === 'new set');
  return place === undefined ? null : writeWork(place.work);
}

function shortOf(place: MutationPlace): string | null {
  const short = placeWithoutTarget(place);
  return short === null ? null : writePlace(short);
}

function writeWork({ kind, id }: PlaceTarget): string {
  return `new set of ${kind} ${id}`;
}

/** What an upload puts where. */
export interface PlacedBytes {
  readonly clientMutationId: string;
  readonly sha256: string;
  readonly slot: string;
  /** A `targetKind` and `targetId`, or the Set or group that the upload goes to. */
  readonly target: { readonly kind: string; readonly id: number | string };
}

/**
 * Uploads, among those that are known, of the same bytes to the same target and slot under another id: most
 * often a repetition by mistake. The caller hands in those of the same service and subject that may have
 * been applied; what this ledger does not hold, such as another machine's, is not found.
 */
export function sameBytesBefore<Known extends PlacedBytes>(
  upload: PlacedBytes,
  known: readonly Known[],
): Known[] {
  return known.filter(
    (other) =>
      other.clientMutationId !== upload.clientMutationId &&
      other.sha256 === upload.sha256 &&
      other.slot === upload.slot &&
      other.target.kind === upload.target.kind &&
      String(other.target.id) === String(upload.target.id),
  );
}
