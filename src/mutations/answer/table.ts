import { notOwned } from '../../catalogue/authorization.ts';
import type { SubmissionKind } from '../../catalogue/submission.ts';
import type { Next } from '../../errors.ts';
import type { LedgerEntry } from '../../ledger/entry.ts';
import { ownCommand } from '../../own-command.ts';
import { longestCall } from '../before/objection.ts';
import type { Mutation } from '../mutation.ts';
import { readCheckpoint } from '../submission.ts';

/** After so many tries, looks or runs in a row that brought nothing new, a person has to look. */
export const most = 3;

const perhapsApplied =
  'use a new clientMutationId for it, change its arguments, or upload a second time: it may have been applied';
/** What was perhaps sent from elsewhere is applied once only under the id and with the arguments of its first call. */
const firstIdentity = 'use a new clientMutationId for it, or change its arguments';
const ended = 'repeat or resume this one: it has ended';
const notYet = 'make it anew before a person has looked';
const sameCallAgain = 'then the same call may be made again with the same id.';
const abandon = `\`${ownCommand('mutations abandon')}\``;

/** Situation → what a caller reads. `situationOf` tells that of an entry; the others are told where they arise. */
const table = {
  // The service has ended it.
  over: () => undefined,
  'failed in part': newId(
    'What succeeded stays, under its Asset ids. Each failed item says why: once that is mended, a new edit_set of this Set, under a new id, takes the failed items alone (plan_set of the mended folder with this setId finds them).',
    ended,
  ),
  failed: newId(
    ({ anew }: { readonly anew: string }) =>
      `No item of it is shown as succeeded. Once what failed is mended, a new ${anew} under a new id takes its place.`,
    ended,
  ),
  'edit failed': newId(
    'No item of it is shown as succeeded; a new title or description may have been saved all the same: get_owned of the Set shows what stands there, and its present revision. Once what failed is mended, a new edit_set with that revision, under a new id, takes its place.',
    ended,
  ),
  'failed, with items that succeeded': person(
    ({ outcome, succeeded }: { readonly outcome: string; readonly succeeded: number }) =>
      `The service calls it ${outcome}, and yet shows ${succeeded} of its items as succeeded. A person looks at what is there before anything is made anew.`,
    notYet,
  ),
  'failed where something stands': asFound,

  // Nothing of it was sent.
  unsent: again('Nothing reached the service, so the same call may be made again with the same id.'),
  'given up unsent': person(
    'A person gave this mutation up before anything of it was sent, so its id is never sent: if it is wanted after all, a person decides on a new one.',
  ),
  'behind another': status(
    'The other one was there first, and this tells what became of it. Whether this one is wanted beside it only a person decides.',
  ),
  'done by another': status(
    'This tells what the other call has made. Whether a second one is wanted beside it only a person decides.',
    'make it a second time, under this id or another, before a person has said that a second one is wanted',
  ),
  'neither was sent': person(
    ({ heldBy }: { readonly heldBy: string }) =>
      `Neither this one nor ${heldBy} was sent. Which of them is wanted only a person decides; ${sameCallAgain}`,
  ),

  // The service refused it.
  refused: newId(
    ({ clientMutationId }: Identified) =>
      `The service refused this for good: ${clientMutationId} stands for it, and a corrected call needs a new id.`,
  ),
  'refused for now': again(
    'The service asks for patience: make the same call again, with the same id, after the wait.',
  ),
  'refused without sign-in': row(
    () => ({ tool: 'connect_account', arguments: {} }),
    `The account’s owner has to sign in; ${sameCallAgain}`,
  ),
  'refused without scope': row(
    ({ scopes }: { readonly scopes: readonly unknown[] }) => ({
      tool: 'connect_account',
      arguments: { scopes },
    }),
    `The account’s owner has to grant more; ${sameCallAgain}`,
  ),
  'refused as not owned': () => notOwned,
  'refused as it is now': asFound,
  'refused as uploaded elsewhere': newId(
    'The id stands for what the message names. If that is not what is wanted, this change needs an id of its own: look first at what is there.',
    'take what is there for the outcome of this call: whether it is the same is not shown',
  ),
  'refused as admitted elsewhere': row(
    ({ asked }: { readonly asked: Readonly<Record<string, unknown>> }) => ({
      tool: 'get_mutation_status',
      arguments: asked,
    }),
    'It tells what was made under this id before. Where that is what is wanted, nothing is left to do; another change needs an id of its own.',
    'make it again under a new id before a person has looked at what is there',
  ),

  // It is open: it may have been applied.
  'worked on': status('It is being worked on: this waits for the outcome.'),
  'worked on for long': person(
    'The service has it and has not finished it for a long time: ask again later with get_mutation_status, or let a person look at the service.',
    perhapsApplied,
  ),
  unconfirmed: status(
    'The service could not confirm the result itself, and may still be at work on it: this asks again, and waits for its word.',
  ),
  unknown: status('It may or may not have been applied: this asks the service, and waits for news.'),
  'nothing told': status('Nothing could be told yet: this asks the service once more.'),
  'never told': person(
    'Whether this was applied can not be told from here. A person has to look at it on the service: if it is not there, make it anew under a new id; if it is, abandon this one.',
    'repeat it before a person has looked',
  ),
  'turned away': resume(
    'The service turned the request away, and shows nothing of it. This looks once more, and sends the same under the same identity if nothing was applied.',
  ),
  'not there': resume(
    'The service still has no record of it. This looks once more, then sends the same bytes under the same identity, which the service applies once.',
  ),
  'revision moved': person(
    ({ message }: { readonly message: string }) =>
      `${message} Whether the first request was applied is not known, and what it acts on has changed since, so it is not repeated. A person looks at the service: if it is there, or no longer wanted, ${abandon} ends this one; if it is still wanted, it is then made anew under a new id, with the present revision.`,
    perhapsApplied,
  ),
  'given up': person(
    'A person gave this mutation up, and its id stays what it is. A person looks at the service; if it is not there and still wanted, it is made anew under a new id.',
    notYet,
  ),

  // The same, of a submission.
  'perhaps admitted': status('Whether it was admitted is not known: this asks again.'),
  left: resume(
    ({ stopped }: Stopped) =>
      `It is not finished, and no process works on it: this sends what is still lacking.${whatStopped(stopped)}`,
  ),
  'left again and again': person(
    ({ stopped }: Stopped) =>
      `Several tries brought nothing new. A person has to look at what stops it, or at the service; then resume_mutation goes on, or ${abandon} frees the kept bytes.${whatStopped(stopped)}`,
    perhapsApplied,
  ),
  'lacks a file': person(
    ({ filename }: { readonly filename: string }) =>
      `A person decides: the service has to let the item of ${filename} go, after which resume_mutation goes on; or the submission is given up with ${abandon}, and made anew without that file, under a new id.`,
    perhapsApplied,
  ),
  'of an unnamed account': person(
    `It was sent for an account that the service did not name, or the service does not name the one that is signed in now, so nothing more is sent for it. A person looks at the service: if nothing of it is there and it is still wanted, it is made anew under a new id; ${abandon} frees the kept bytes.`,
    perhapsApplied,
  ),
  'made elsewhere before': person(
    ({ message }: { readonly message: string }) =>
      `${message} A person looks at what is there; then ${abandon} frees the kept bytes.`,
    perhapsApplied,
  ),
  'submission given up': person(
    'A person gave this submission up, and its kept bytes with it. The service may go on with what it has: a person looks there; what is still wanted then is made anew under a new id.',
    notYet,
  ),

  // The call at hand does not tell how it stands.
  'called before': status('An earlier call under this id was made: this tells what became of it.'),
  'call cancelled': status('This tells what became of it.'),
  'being prepared': status('It is being prepared: this waits for what follows.'),
  'dry run prepared': status('This waits for what the dry run shows.', null),
  'dry run forgotten': person(
    'Make the same call again with dryRun, under the same id: its answer begins at the first item.',
  ),
  'not recorded': status('Once that is mended, this finds out what became of it.'),
  'not checked': person(
    'Nothing was sent or claimed. Once the service can be read again, the same call may be made with the same id; a person should see to that.',
  ),
  'journal unreadable': person(
    'A person restores the whole data folder from a backup; then resume_mutation goes on with it.',
  ),
  'file gone': person('A person has to put the original file back; then resume_mutation goes on with it.'),
  'files not kept': person('Make the same call again, with the same id and the same files.'),
  'signed in as another': person(
    'A person signed in to another account: only they know for which one this was meant.',
  ),
  'resumed with another revision': resume('With the revision of the first call it goes on.', null),
  'open among others': status(
    'It asks the service what became of one of them, and says how it goes on; then ask for the others in the same way.',
  ),
  'open alone': status('It asks the service what became of this one, and says how it goes on.'),
  'begun before': resume('This goes on with it, from its kept files, where it stopped.'),

  // Another mutation is in the way: this one was not claimed.
  'place taken': resume(
    'This brings the other one to its end; then look at the place again before changing it.',
    'use yet another id for the same place',
  ),
  'bytes on their way': status('This finds out what became of the first one.'),
  'id of an open one': status('What it stands for is not settled yet: this finds out what became of it.'),
  'id of another': newId(
    'Another change needs an id of its own; repeat an id only with exactly the arguments of its first call.',
  ),
  'id of another account': person(
    'A person signs in to that account again to look at it or go on with it. A change for this account needs an id of its own (new_mutation_ids).',
  ),

  // This ledger does not know it.
  'not known here': status(
    'It may be an upload of another machine: this asks the service for it. Where the service knows none either, and the call was made here, the same call with the same id begins it again.',
    firstIdentity,
  ),
  // The ledger notes an id before anything leaves under it, so it does not know a call that was stopped while its files
  // were read or kept.
  'not known anywhere': person(
    "As far back as this machine's ledger goes, nothing was sent under this id from here: a call that was interrupted while its files were still being read or kept sent nothing, and leaves nothing to resume. Where the call was made here, make the same call again, with the same id and exactly the same arguments: an upload, a Set creation or a Set edit is applied only once under one id, even if it was sent from elsewhere meanwhile. Where it may have been made on another machine, for another account, or before the data folder of this one was lost, a person asks there first: a Set creation or edit is found by the submissionId of its receipt (get_mutation_status with submissionId and kind), and any other change that is no upload is only seen by looking at what it would have made.",
    firstIdentity,
  ),
  'worked on elsewhere': person(
    "The service has not finished this upload. It is not in this machine's ledger: ask again later with the same id, or where it was made.",
    perhapsApplied,
  ),
  'asked by submission': status(
    "It is in this machine's ledger under this id: this tells how to go on with it.",
  ),
  'submission elsewhere': person(
    ({ unconfirmed }: { readonly unconfirmed: boolean }) =>
      `${unconfirmed ? 'The service could not confirm the result itself, and may still be at work.' : 'The service has not finished it.'} It is not in this machine's ledger, so this machine can't resume it: ask again later with the same submissionId and kind, or resume it on the machine that began it.`,
    perhapsApplied,
  ),
  'no such submission': person(
    ({ kind }: { readonly kind: SubmissionKind }) =>
      `A submissionId stands in the receipt that the service gave for it. It is asked for with the kind that it was made as: if this was no ${kind}, ask with kind "${kind === 'creation' ? 'edit' : 'creation'}". If it was admitted for another account, that account has to be connected.`,
  ),
};

type Table = typeof table;
type Name = keyof Table;
type AboutOf<Is extends Name> = Table[Is] extends (about: infer About) => unknown ? About : never;
/** Undefined where nothing is left to do. */
type NextOf<Is extends Name> = ReturnType<Table[Is]>;

/** A situation with what its row takes its words and its call from. Without a row there is none. */
export type Situation<Is extends Name = Name> = {
  readonly [One in Is]: { readonly is: One } & AboutOf<One>;
}[Is];

const rows: { readonly [Is in Name]: (about: Situation<Is>) => NextOf<Is> } = table;

/** What a caller reads in a situation. */
export function nextIn<Is extends Name>(situation: Situation<Is>): NextOf<Is> {
  return rows[situation.is](situation);
}

interface Identified {
  readonly clientMutationId: string;
}

interface Resumable extends Identified {
  /** That of the first call. */
  readonly expectedUpdatedAt: string | null;
}

interface Stopped {
  /** Why it was left; null: nothing stopped it. */
  readonly stopped: string | null;
}

/** Of what surely nothing was applied. */
interface Repeatable {
  readonly entry: LedgerEntry;
  readonly mutation: Mutation | null;
}

/** What a caller reads in a situation: a sentence, the call that can be made as it stands, and the tempting mistake. */
type Row<About> = (about: About) => Next;
type Call = Pick<Next, 'tool' | 'arguments'>;
type Words<About> = string | ((about: About) => string);

function row<About>(call: (about: About) => Call, says: Words<About>, doNot?: string | null): Row<About> {
  return (about) => {
    const why = typeof says === 'string' ? says : says(about);
    return { ...call(about), why, ...(doNot ? { doNot } : {}) };
  };
}

/** No call goes on with it. */
function person<About = unknown>(says: Words<About>, doNot?: string): Row<About> {
  return row(() => ({}), says, doNot);
}

function askStatus({ clientMutationId }: Identified): Call {
  return { tool: 'get_mutation_status', arguments: { clientMutationId } };
}

function status<About extends Identified = Identified>(says: string, doNot: string | null = perhapsApplied) {
  return row<About>(askStatus, says, doNot);
}

function goOn({ clientMutationId, expectedUpdatedAt }: Resumable): Call {
  // Some hosts can't send a null that is required.
  const args = { clientMutationId, expectedUpdatedAt: expectedUpdatedAt ?? 'none' };
  return { tool: 'resume_mutation', arguments: args };
}

/** Under its first identity. */
function resume<About = unknown>(says: Words<About & Resumable>, doNot: string | null = perhapsApplied) {
  return row<About & Resumable>(goOn, says, doNot);
}

/** Another change takes its place, under an id of its own. */
function newId<About = unknown>(says: Words<About>, doNot?: string): Row<About> {
  return row(() => ({ tool: 'new_mutation_ids', arguments: { count: 1 } }), says, doNot);
}

/** The same call may be made again, under the same id. */
function again(says: string): Row<Repeatable> {
  return ({ entry: { epoch, progress }, mutation }) => {
    if (epoch >= most)
      return { why: `${says} It was tried ${epoch} times: a person should look at the reason first.` };
    if (mutation?.by === 'submission' && readCheckpoint(progress) !== null)
      return { ...goOn(mutation), why: `${says} Its files are kept.` };
    const args = mutation?.again(progress) ?? null;
    if (mutation === null || args === null || JSON.stringify(args).length > longestCall)
      return { why: `${says} The caller who made it knows its arguments, which are not told here.` };
    return { tool: mutation.operation, arguments: args, why: says };
  };
}

/** What the call at hand has found out leads on better. */
function asFound({ next }: { readonly next: Next }): Next {
  return next;
}

function whatStopped(stopped: string | null): string {
  return stopped === null ? '' : ` What stopped it: ${stopped}`;
}
