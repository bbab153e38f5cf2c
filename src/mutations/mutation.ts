import type { Call } from '../catalogue/request-time.ts';
import type { Saved } from '../catalogue/receipt.ts';
import type { ClientMutationId } from '../catalogue/requests/fields.ts';
import type { MutationRequest } from '../catalogue/requests/request.ts';
import type { NeededScopes } from '../catalogue/scopes.ts';
import type { Json } from '../canonical-json.ts';
import type { Objection } from './checks/objection.ts';
import type { CheckContext } from './checks/occupant.ts';
import type { PlacedBytes } from './checks/same-bytes.ts';
import type { Names } from './names.ts';
import type { MutationPlace } from './places.ts';
import type { OwnedReads } from './ports.ts';
import type { Declared } from './declared.ts';
import type { Finding } from './finding.ts';
import type { Guard } from './checks/guard.ts';

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
export interface MutationTarget {
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
