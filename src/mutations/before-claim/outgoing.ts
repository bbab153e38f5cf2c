import type { StreamBody } from '../../wire/stream-body.ts';
import { jsonBytes } from '../../catalogue/requests/request.ts';
import type { Json } from '../../canonical-json.ts';
import type { NewEntry } from '../../ledger/ledger.ts';
import type { CallClock } from '../call-clock.ts';
import type { Mutation } from '../mutation.ts';
import type { Names } from '../names.ts';
import type { FoundTargets } from '../checks/targets.ts';
import type { Warning } from '../evidence.ts';

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

/** What a claim holds of it from the first moment: a process that finds it after a crash has no other source. */
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
