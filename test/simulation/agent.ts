import type { Deadline } from '../../src/deadline.ts';
import { ArtworkError, type Next } from '../../src/errors.ts';
import { MutationError } from '../../src/mutations/answer/result.ts';
import type { Mutations } from '../../src/mutations/mutations.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import type { Told, Watch } from './watch.ts';
import type { Wish } from './wishes.ts';

/** What an answer says of a change. */
export interface Heard extends Told {
  readonly next?: Next | undefined;
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** How following `next` ended: at a result or a person, or not within so many calls. */
export interface End {
  readonly end: 'ended' | 'gave up';
  /** The last answer about a change. */
  readonly last: Heard | null;
}

/** One program that a host runs. */
export interface Process {
  readonly actor: Actor;
  readonly mutations: Mutations;
}

export interface Following {
  readonly process: Process;
  readonly scheduler: Scheduler;
  readonly watch: Watch;
  /** For how long a call is waited for, and when it is given up. */
  patience(): Deadline;
  /** Every outcome that was heard. */
  readonly heard: Set<string>;
}

export interface Call {
  readonly tool: string;
  readonly arguments: object;
}

export function resumeOf({ id, expectedUpdatedAt }: Wish): Call {
  return { tool: 'resume_mutation', arguments: { clientMutationId: id, expectedUpdatedAt } };
}

export function statusOf({ id }: Wish): Call {
  return { tool: 'get_mutation_status', arguments: { clientMutationId: id } };
}

/** Makes a call, then does nothing but follow `next`. */
export async function follow(following: Following, first: Call, calls: number): Promise<End> {
  const { process, scheduler, watch, heard: outcomes } = following;
  let last: Heard | null = null;
  let call: Call | null = first;
  for (let made = 0; call !== null; made += 1) {
    if (made === calls) return { end: 'gave up', last };
    const began = scheduler.steps;
    const heard = await make(following, call);
    const said = heard?.outcome ?? heard?.error?.code ?? 'nothing';
    scheduler.note(`${process.actor.name} hears ${call.tool} ${said} -> ${heard?.next?.tool ?? 'end'}`);
    outcomes.add(said);
    if (heard !== null) {
      last = heard;
      watch.told(process.actor.name, heard, began);
    }
    const next: Next | undefined = heard?.next;
    call = next?.tool === undefined ? null : { tool: next.tool, arguments: next.arguments ?? {} };
  }
  return { end: 'ended', last };
}

/** @returns null for reading again, new ids, signing in: a follower's way ends there */
async function make(following: Following, { tool, arguments: given }: Call): Promise<Heard | null> {
  const { process, watch } = following;
  const { mutations, actor } = process;
  const call = { deadline: following.patience() };
  const args = { clientMutationId: '', expectedUpdatedAt: null, ...given };
  const { clientMutationId } = args;
  try {
    switch (tool) {
      case 'upload_asset':
      case 'create_group':
      case 'edit_group':
      case 'edit_asset_metadata':
      case 'create_media_set':
      case 'edit_set':
        watch.calls(actor.name, clientMutationId, false);
        return await mutations.perform(tool, args, call);
      case 'resume_mutation':
        watch.calls(actor.name, clientMutationId, true);
        return await mutations.resume(args, call);
      case 'get_mutation_status':
        // What another ledger has made is read by the service's own id: no change of this one.
        return 'submissionId' in args ? null : await mutations.status(clientMutationId, call);
      default:
        return null;
    }
  } catch (error) {
    if (!(error instanceof ArtworkError)) {
      watch.violated(`${tool} breaks off: ${String(error)}`);
      return null;
    }
    const { code, message, next } = error;
    const about = error instanceof MutationError ? error : { clientMutationId: null, outcome: undefined };
    return {
      clientMutationId: about.clientMutationId,
      outcome: about.outcome,
      next,
      error: { code, message },
    };
  }
}
