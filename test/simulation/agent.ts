import { ArtworkError, type Next } from '../../src/errors.ts';
import type { CreateGroup, EditAssetMetadata, Guarded, UploadAsset } from '../../src/mutations/arguments.ts';
import { MutationError } from '../../src/mutations/mutation-error.ts';
import type { Process } from './process.ts';
import type { Scheduler } from './scheduler.ts';
import { assetId } from './service.ts';
import type { Watch } from './watch.ts';

/** A change that somebody wants, by the call that makes it. */
export type Wish =
  | { readonly tool: 'upload_asset'; readonly arguments: UploadAsset }
  | { readonly tool: 'create_group'; readonly arguments: CreateGroup }
  | { readonly tool: 'edit_asset_metadata'; readonly arguments: EditAssetMetadata };

export function wishOf(tool: Wish['tool'], index: number): Wish {
  const clientMutationId = `0a0a0a0a-0000-4000-8000-${String(index + 1).padStart(12, '0')}`;
  switch (tool) {
    case 'upload_asset': {
      const target = { slot: 'poster', targetKind: 'movie', targetId: 11 + index };
      const how = { expectedUpdatedAt: null, file: '/art/poster.png', operation: 'add' as const };
      return { tool, arguments: { clientMutationId, ...how, ...target } };
    }
    case 'create_group':
      return {
        tool,
        arguments: { clientMutationId, expectedUpdatedAt: null, kind: 'boxset', title: clientMutationId },
      };
    case 'edit_asset_metadata':
      return {
        tool,
        arguments: { clientMutationId, expectedUpdatedAt: 'r1', assetId, languageCode: clientMutationId },
      };
  }
}

/** How following `next` ended: at a result or a person, or not within so many calls. */
export type End = 'ended' | 'gave up';

export interface Following {
  readonly process: Process;
  readonly watch: Watch;
  readonly scheduler: Scheduler;
  /** Every outcome that was heard. */
  readonly heard: Set<string>;
}

/** Makes a call, then does nothing but follow `next`. */
export async function follow(
  { process, watch, scheduler, heard: outcomes }: Following,
  first: Call,
  calls: number,
): Promise<End> {
  let call: Call | null = first;
  for (let made = 0; call !== null; made += 1) {
    if (made === calls) return 'gave up';
    const heard = await make(process, call);
    const { clientMutationId, outcome, next } = heard;
    scheduler.note(
      `${process.actor.name} hears ${call.tool} ${outcome ?? 'no outcome'} -> ${next?.tool ?? 'end'}`,
    );
    outcomes.add(outcome ?? 'none');
    if (clientMutationId !== null) tell(watch, clientMutationId, outcome);
    call = next?.tool === undefined ? null : { tool: next.tool, arguments: next.arguments ?? {} };
  }
  return 'ended';
}

export interface Call {
  readonly tool: string;
  readonly arguments: object;
}

interface Heard {
  readonly clientMutationId: string | null;
  readonly outcome?: string | undefined;
  readonly next?: Next | undefined;
}

function tell(watch: Watch, mutation: string, outcome: string | undefined): void {
  switch (outcome) {
    case 'succeeded':
      watch.affirmed(mutation);
      break;
    case 'failed':
    case 'refused':
    case 'not_sent':
      watch.denied(mutation, outcome);
      break;
    default:
  }
}

/** Short, so that calls answer while their work goes on, and a look does not fill the schedule. */
const hurried = { deadlineMs: 3_000 };

async function make(process: Process, { tool, arguments: args }: Call): Promise<Heard> {
  const mutations = process.call(tool === 'resume_mutation');
  try {
    switch (tool) {
      case 'upload_asset':
        return await mutations.uploadAsset(args as UploadAsset, hurried);
      case 'create_group':
        return await mutations.createGroup(args as CreateGroup, hurried);
      case 'edit_asset_metadata':
        return await mutations.editAssetMetadata(args as EditAssetMetadata, hurried);
      case 'resume_mutation':
        return await mutations.resume(args as Guarded, hurried);
      case 'get_mutation_status':
        return await mutations.status((args as Guarded).clientMutationId, hurried);
      default:
        // Reading again, new ids, signing in: the follower's way ends there.
        return { clientMutationId: null };
    }
  } catch (error) {
    if (error instanceof MutationError) return error;
    if (error instanceof ArtworkError) return { clientMutationId: null, next: error.next };
    throw error;
  }
}
