import { ArtworkError, type Next } from '../../src/errors.ts';
import type { MutationCall, Mutations } from '../../src/mutations/mutations.ts';
import type { Arguments, Guarded } from '../../src/mutations/operations/find-operation.ts';
import { type ItemReport, MutationError, type Outcome } from '../../src/mutations/result.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import { assetId, replacedId } from './service.ts';
import type { Watch } from './watch.ts';

/** A change that somebody wants, by the call that makes it. */
export type Wish =
  | { readonly tool: 'upload_asset'; readonly arguments: Arguments<'upload_asset'> }
  | { readonly tool: 'create_group'; readonly arguments: Arguments<'create_group'> }
  | { readonly tool: 'edit_asset_metadata'; readonly arguments: Arguments<'edit_asset_metadata'> };

export type WishKind = 'upload' | 'replacement' | 'create_group' | 'edit_asset_metadata';

export function wishOf(kind: WishKind, index: number): Wish {
  const clientMutationId = `0a0a0a0a-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
  const target = { slot: 'poster', targetKind: 'movie', targetId: 11 + index };
  const file = '/art/poster.png';
  switch (kind) {
    case 'upload': {
      const how = { expectedUpdatedAt: null, file, operation: 'add' as const };
      return { tool: 'upload_asset', arguments: { clientMutationId, ...how, ...target } };
    }
    case 'replacement': {
      const previousAssetId = replacedId(index);
      const how = { expectedUpdatedAt: 'r1', file, operation: 'replace' as const, previousAssetId };
      return { tool: 'upload_asset', arguments: { clientMutationId, ...how, ...target } };
    }
    case 'create_group':
      return {
        tool: kind,
        arguments: { clientMutationId, expectedUpdatedAt: null, kind: 'boxset', title: clientMutationId },
      };
    case 'edit_asset_metadata':
      return {
        tool: kind,
        arguments: { clientMutationId, expectedUpdatedAt: 'r1', assetId, languageCode: clientMutationId },
      };
  }
}

/** What an answer says of a mutation. */
export interface Heard {
  readonly clientMutationId: string | null;
  readonly outcome?: Outcome | undefined;
  readonly items?: readonly ItemReport[] | undefined;
  readonly next?: Next | undefined;
  /** Of a result that is none whole. */
  readonly error?: { readonly code: string; readonly message: string } | undefined;
}

/** How following `next` ended: at a result or a person, or not within so many calls. */
export interface End {
  readonly end: 'ended' | 'gave up';
  /** The last answer. */
  readonly last: Heard | null;
}

export interface Following {
  readonly process: {
    readonly actor: Actor;
    /** Whether the call may send again what nobody knows the fate of. */
    call(mayRepeat: boolean): Mutations;
  };
  readonly scheduler: Scheduler;
  /** `began`: at which step the call was made. */
  tells(heard: Heard, began: number): void;
  /** For how long a call is waited for, and when it is given up. */
  patience(): MutationCall;
  /** Every outcome that was heard. */
  readonly heard: Set<string>;
}

/** Makes a call, then does nothing but follow `next`. */
export async function follow(following: Following, first: Call, calls: number): Promise<End> {
  const { process, scheduler, heard: outcomes } = following;
  let last: Heard | null = null;
  let call: Call | null = first;
  for (let made = 0; call !== null; made += 1) {
    if (made === calls) return { end: 'gave up', last };
    const began = scheduler.steps;
    const heard = await make(process.call(call.tool === 'resume_mutation'), call, following.patience());
    const { outcome, next } = heard;
    scheduler.note(
      `${process.actor.name} hears ${call.tool} ${outcome ?? 'no outcome'} -> ${next?.tool ?? 'end'}`,
    );
    outcomes.add(outcome ?? 'none');
    if (heard !== elsewhere) {
      last = heard;
      following.tells(heard, began);
    }
    call = next?.tool === undefined ? null : { tool: next.tool, arguments: next.arguments ?? {} };
  }
  return { end: 'ended', last };
}

export interface Call {
  readonly tool: string;
  readonly arguments: object;
}

/** Reading again, new ids, signing in: a follower's way ends there. */
const elsewhere: Heard = { clientMutationId: null };

/** What the watch of single mutations is to know of an answer. */
export function tell(watch: Watch, { clientMutationId, outcome }: Heard): void {
  if (clientMutationId === null) return;
  switch (outcome) {
    case 'succeeded':
      watch.affirmed(clientMutationId);
      break;
    case 'failed':
    case 'refused':
    case 'not_sent':
      watch.denied(clientMutationId, outcome);
      break;
    default:
  }
}

async function make(
  mutations: Mutations,
  { tool, arguments: args }: Call,
  call: MutationCall,
): Promise<Heard> {
  try {
    switch (tool) {
      case 'upload_asset':
      case 'create_group':
      case 'edit_asset_metadata':
      case 'create_media_set':
      case 'edit_set':
        return await mutations.perform(tool, args as Arguments<typeof tool>, call);
      case 'resume_mutation':
        return await mutations.resume(args as Guarded, call);
      case 'get_mutation_status':
        return await mutations.status((args as Guarded).clientMutationId, call);
      default:
        return elsewhere;
    }
  } catch (error) {
    if (error instanceof MutationError) return error;
    if (error instanceof ArtworkError) return { clientMutationId: null, next: error.next };
    throw error;
  }
}
