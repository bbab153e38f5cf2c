import { z } from 'zod';
import { notOwned } from '../../catalogue/authorization.ts';
import type { Next } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import type { EntryView } from '../../ledger/ledger.ts';
import { correctedCall, nextLookAtOccupant, readObjections } from '../checks/objection.ts';
import type { Mutation } from '../mutation.ts';
import { readCheckpoint } from '../submission.ts';
import { ownCommand } from '../../own-command.ts';
import { isAnswered } from '../run/note.ts';

/** After so many looks that told nothing, a person has to look. */
const mostLookups = 3;
/** After so many tries that did not reach the service, or were turned away, a person has to look. */
const mostTries = 3;

/** What to do about an outcome that is not known. `looked`: this answer comes from a lookup that told nothing. */
export function nextAfterUnresolved(
  { entry }: EntryView,
  mutation: Mutation | null,
  looked: { readonly final: boolean } | null,
): Next {
  const { clientMutationId, lookups, abandonedAt } = entry;
  if (abandonedAt !== null) {
    return {
      why: 'A person gave this mutation up, and its id stays what it is. A person looks at the service; if it is not there and still wanted, it is made anew under a new id.',
      doNot: 'make it anew before a person has looked',
    };
  }
  const moved = nextAfterMovedRevision(entry);
  if (moved !== null) return moved;
  if (looked?.final === true || lookups >= mostLookups) {
    return {
      why: 'Whether this was applied can not be told from here. A person has to look at it on the service: if it is not there, make it anew under a new id; if it is, abandon this one.',
      doNot: 'repeat it before a person has looked',
    };
  }
  if (looked === null || mutation === null) {
    return nextStatus(
      clientMutationId,
      'It may or may not have been applied: this asks the service, and waits for news.',
    );
  }
  if (isAnswered(entry.progress)) {
    return nextResume(
      mutation,
      'The service turned the request away, and shows nothing of it. This looks once more, and sends the same under the same identity if nothing was applied.',
    );
  }
  if (mayGoOn(mutation, entry, 'resume')) {
    return nextResume(
      mutation,
      'The service still has no record of it. This looks once more, then sends the same bytes under the same identity, which the service applies once.',
    );
  }
  return nextStatus(clientMutationId, 'Nothing could be told yet: this asks the service once more.');
}

/**
 * Whether a run that was left can go on where a look alone tells nothing more. A request that was answered with a 401 or
 * 429 can: once a look shows that it was not applied it is sent again, also by the same call. An upload can, which the
 * document promises to apply once, and a submission can.
 */
export function mayGoOn(mutation: Mutation, { progress }: LedgerEntry, by: 'call' | 'resume'): boolean {
  if (mutation.by === 'submission') return by === 'resume';
  const hasBytes = mutation.again(progress) !== null;
  return hasBytes && (isAnswered(progress) || (mutation.by === 'upload' && by === 'resume'));
}

/** What to do about a mutation that the service has accepted and works on. */
export function nextWhileProcessing({ entry, live }: EntryView): Next {
  const { clientMutationId, lookups } = entry;
  if (!live && lookups >= mostLookups) {
    return {
      why: 'The service has it and has not finished it for a long time: ask again later with get_mutation_status, or let a person look at the service.',
      doNot: mayHaveBeenApplied,
    };
  }
  return nextStatus(clientMutationId, 'It is being worked on: this waits for the outcome.');
}

/**
 * What to do about a mutation that changed nothing. `category`: why, where the call knows more than the ledger,
 * such as why the connection could not be renewed after a 401.
 */
export function nextAfterNothingChanged(
  { entry, standing }: EntryView,
  mutation: Mutation | null,
  category: string | undefined = entry.error?.category,
): Next | undefined {
  const { clientMutationId, error, epoch } = entry;
  if (entry.abandonedAt !== null) {
    return {
      why: 'A person gave this mutation up before anything of it was sent, so its id is never sent: if it is wanted after all, a person decides on a new one.',
    };
  }
  const again = mutation?.again(entry.progress) ?? null;
  const repeat = (why: string): Next => {
    if (epoch >= mostTries) {
      return { why: `${why} It was tried ${epoch} times: a person should look at the reason first.` };
    }
    if (mutation?.by === 'submission' && readCheckpoint(entry.progress) !== null) {
      const { doNot: _, ...next } = nextResume(mutation, `${why} Its files are kept.`);
      return next;
    }
    return again === null || mutation === null
      ? { why: `${why} Only the caller who made it knows all of its arguments.` }
      : { tool: mutation.operation, arguments: again, why };
  };
  const heldBy = error?.details?.heldBy;
  if (standing === 'not_sent' && typeof heldBy === 'string') {
    const { outcome } = error?.details ?? {};
    if (outcome === 'succeeded' || outcome === 'partial') return nextStatusOfDone(heldBy);
    return nextStatus(
      heldBy,
      'The other one was there first, and this tells what became of it. Whether this one is wanted beside it only a person decides.',
    );
  }
  // Also what a process had claimed that died without recording an end.
  if (standing === 'not_sent') {
    return repeat('Nothing reached the service, so the same call may be made again with the same id.');
  }
  switch (category) {
    case 'network':
    case 'service_unavailable':
      return repeat(
        'The connection could not be renewed just now, and is still good: make the same call again, with the same id.',
      );
    case 'rate_limited':
      return repeat(
        'The service asks for patience: make the same call again, with the same id, after the wait.',
      );
    case 'reconnect_required':
    case 'not_connected':
      return signInFirst;
    case 'scope_missing':
      return {
        tool: 'connect_account',
        arguments: { scopes: scopesIn(entry) },
        why: 'The account’s owner has to grant more; then the same call may be made again with the same id.',
      };
    case 'forbidden':
      if (error?.status === 401) {
        return {
          why: 'Only the person who set this server up can mend what the message says; then the same call may be made again with the same id.',
        };
      }
      return notOwned;
    case 'stale_revision':
    case 'conflict':
      if (isTaken(entry)) return whatIsThere(entry) ?? anotherId;
      return afterStanding(entry, mutation, again) ?? mutation?.guards[0]?.again ?? newId(clientMutationId);
    default:
      return error?.status === 401 ? signInFirst : newId(clientMutationId);
  }
}

/** What changes the Asset that it conflicted with; null where there was none. */
function afterStanding(
  { clientMutationId, error }: LedgerEntry,
  mutation: Mutation | null,
  again: Readonly<Record<string, unknown>> | null,
): Next | null {
  const there = readObjections(error?.details);
  if (mutation === null || there.length === 0) return null;
  const wrong = { tool: mutation.operation, arguments: again, clientMutationId, idIsTaken: true };
  return correctedCall(wrong, there) ?? nextLookAtOccupant(there);
}

/** Whether the service knows the id for something that this ledger did not send. */
function isTaken({ error }: LedgerEntry): boolean {
  return error?.details?.earlierUpload !== undefined || error?.details?.earlierSubmission !== undefined;
}

/** The look at the submission that the id belongs to; null for an upload, which this id alone names. */
function whatIsThere({ error }: LedgerEntry): Next | null {
  const earlier = earlierSubmission.safeParse(error?.details?.earlierSubmission);
  if (!earlier.success) return null;
  return {
    tool: 'get_mutation_status',
    arguments: earlier.data,
    why: 'It tells what was made under this id before. Where that is what is wanted, nothing is left to do; another change needs an id of its own.',
    doNot: 'make it again under a new id before a person has looked at what is there',
  };
}

const earlierSubmission = z.object({ submissionId: z.string(), kind: z.enum(['creation', 'edit']) });

const anotherId: Next = {
  tool: 'new_mutation_ids',
  arguments: { count: 1 },
  why: 'The id stands for what the message names. If that is not what is wanted, this change needs an id of its own: look first at what is there.',
  doNot: 'take what is there for the outcome of this call: whether it is the same is not shown',
};

const signInFirst: Next = {
  tool: 'connect_account',
  arguments: {},
  why: 'The account’s owner has to sign in; then the same call may be made again with the same id.',
};

function newId(clientMutationId: string): Next {
  return {
    tool: 'new_mutation_ids',
    arguments: { count: 1 },
    why: `The service refused this for good: ${clientMutationId} stands for it, and a corrected call needs a new id.`,
  };
}

function scopesIn({ error }: LedgerEntry): unknown[] {
  const lists = [error?.details?.grantedScopes, error?.details?.missingScopes];
  return [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list : [])))];
}

export const mayHaveBeenApplied =
  'use a new clientMutationId for it, change its arguments, or upload a second time: it may have been applied';

/** What was perhaps sent from elsewhere is applied once only under the id and with the arguments of its first call. */
export const firstIdentity = 'use a new clientMutationId for it, or change its arguments';

/** To ask what became of a mutation. */
export function nextStatus(clientMutationId: string, why: string): Next {
  return {
    tool: 'get_mutation_status',
    arguments: { clientMutationId },
    why,
    doNot: mayHaveBeenApplied,
  };
}

/** What became of a change that is known to have been made, so that the same is not made once more by mistake. */
export function nextStatusOfDone(clientMutationId: string): Next {
  return {
    tool: 'get_mutation_status',
    arguments: { clientMutationId },
    why: 'This tells what the other call has made. Whether a second one is wanted beside it only a person decides.',
    doNot:
      'make it a second time, under this id or another, before a person has said that a second one is wanted',
  };
}

interface Resumed {
  readonly clientMutationId: string;
  readonly expectedUpdatedAt: string | null;
}

/** To go on with a mutation under its first identity. */
export function nextResume({ clientMutationId, expectedUpdatedAt }: Resumed, why: string): Next {
  return {
    tool: 'resume_mutation',
    // Some hosts can't send a null that is required.
    arguments: { clientMutationId, expectedUpdatedAt: expectedUpdatedAt ?? 'none' },
    why,
    doNot: mayHaveBeenApplied,
  };
}

/** What a person does about an unknown outcome where the revision has moved; null where it has not. */
export function nextAfterMovedRevision({ error }: Pick<LedgerEntry, 'error'>): Next | null {
  return error?.category === 'stale_revision' ? nextForMovedRevision(error.message) : null;
}

/** What a person decides where the revision has moved since an unknown outcome. */
export function nextForMovedRevision(message: string): Next {
  return {
    why: `${message} Whether the first request was applied is not known, and what it acts on has changed since, so it is not repeated. A person looks at the service: if it is there, or no longer wanted, \`${ownCommand('mutations abandon')}\` ends this one; if it is still wanted, it is then made anew under a new id, with the present revision.`,
    doNot: mayHaveBeenApplied,
  };
}
