import { notOwned } from '../../catalogue/authorization.ts';
import { errorTraits, isFailure, type Next } from '../../errors.ts';
import type { compareAccounts, MutationRecord, Standing } from '../../ledger/rows.ts';
import { ownCommand } from '../../own-command.ts';
import type { Intended } from '../operations/operation.ts';
import { readAgain } from '../operations/revisions.ts';
import { untoldFiles } from '../run/submission.ts';
import { askPerson, askStatus, goOnWith, makeAnew } from './next.ts';
import { type Sentence, sentenceOf } from './words.ts';

/** All that an answer about a change rests on. */
export interface Facts {
  readonly record: MutationRecord;
  readonly standing: Standing;
  /** Null: this version can't read what was meant. */
  readonly change: Intended | null;
  /** Whether the connected account is the one that it was made for. */
  readonly account: ReturnType<typeof compareAccounts>;
  /** This call has asked the service, and it told no outcome. */
  readonly hasLooked: boolean;
  /** The name of this machine, where the copies of files may be. */
  readonly machine: string;
  /** Of a submission: how many items stand how. */
  readonly counts: Readonly<Record<string, number>>;
}

/** Where a change stands for its caller. */
type Situation =
  // It has ended.
  | 'done'
  | 'done with open items'
  | 'ended otherwise'
  // Nothing was changed.
  | 'not granted'
  | 'not owned'
  | 'in the way'
  | 'may be sent'
  | 'tried often'
  | 'for good'
  // It is under way.
  | 'worked on'
  | 'interrupted'
  // Nobody knows.
  | 'not told yet'
  | 'may go again'
  | 'moved'
  | 'at a person'
  | 'given up';

/** After so many tries, and after so many looks in a row that told nothing, a person has to look. */
const most = 3;

function situationOf(facts: Facts): Situation {
  const { record, standing, counts } = facts;
  const { row } = record;
  const hasEnded = row.outcome !== null && row.outcome !== 'not_sent';
  if (row.abandonedAt !== null && !hasEnded) return 'given up';
  switch (standing) {
    case 'succeeded':
      return Object.keys(counts).every((status) => status === 'succeeded') ? 'done' : 'done with open items';
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return 'ended otherwise';
    case 'refused':
    case 'not_sent':
      return whyNothingChanged(record);
    case 'processing':
      return !row.isLive && row.idle >= most ? 'at a person' : 'worked on';
    case 'interrupted':
      return row.lookups >= most || row.error?.code === untoldFiles ? 'at a person' : 'interrupted';
    case 'unresolved':
      if (row.error?.failure === 'stale_revision') return 'moved';
      if (!row.isLive && row.lookups >= most) return 'at a person';
      return facts.hasLooked && mayGoAgain(facts) ? 'may go again' : 'not told yet';
  }
}

function whyNothingChanged({ row }: MutationRecord): Situation {
  const { failure: kept = 'cancelled', code } = row.error ?? {};
  const failure = isFailure(kept) ? kept : 'internal';
  const { passes, concerns } = errorTraits[failure];
  if (concerns === 'account') return 'not granted';
  if (failure === 'forbidden') return 'not owned';
  if (failure === 'stale_revision') return 'in the way';
  if (failure === 'conflict') return code === 'id_known_to_service' ? 'for good' : 'in the way';
  const mayPass = passes || failure === 'cancelled' || failure === 'internal';
  if (!mayPass || row.outcome === 'refused') return 'for good';
  return row.tries < most ? 'may be sent' : 'tried often';
}

/**
 * Whether `resume_mutation` may send something of what is not resolved: an upload and an admission, which have an identity
 * on the wire, and a change that was turned away and whose revision is known. Not where the service named no account
 * then or now: what it lacks proves nothing.
 */
export function mayGoAgain({
  change,
  account,
  record: { row },
}: Pick<Facts, 'change' | 'account' | 'record'>): boolean {
  if (change === null || account !== 'same') return false;
  if (change.by === 'submission' || change.identity === 'upload') return true;
  return change.identity === 'revision' && row.doubt === 'turned away';
}

/** What a caller is told of a change, and what to do next. */
export function tell(facts: Facts): { readonly says: string; readonly next: Next | undefined } {
  const { says, next } = table[situationOf(facts)];
  const told = { ...facts, ...sentenceOf(facts.record), row: facts.record.row };
  return { says: says(told), next: next?.(told) };
}

type Told = Facts & Sentence & Pick<MutationRecord, 'row'>;

interface Line {
  says(told: Told): string;
  /** Left out: it is an end. */
  next?(told: Told): Next;
}

/** The sentence and the next call of each situation. */
const table: { readonly [Each in Situation]: Line } = {
  done: { says: ({ what, done }) => `${what} ${done}.` },
  'done with open items': {
    says: ({ what, done, counts }) =>
      `${what} ${done}, but not all of its items are shown as succeeded: ${countWords(counts)}.`,
    next: () => askPerson('A person looks at these items.', notBeforePerson),
  },
  'ended otherwise': {
    says({ what, standing, counts }) {
      const words = countWords(counts);
      return `${what} ${ends[standing] ?? 'has ended'}${words === '' ? '' : `: ${words}`}.`;
    },
    next: ({ standing, change }) =>
      makeAnew(
        change?.by === 'submission' && standing === 'partial'
          ? 'What succeeded stays. Each failed item says why. Once that is corrected, a new edit_set of this Set takes the failed items alone. plan_set with this setId finds them in the corrected folder.'
          : 'Look first at what is there now. Once the cause is corrected, a change under a new id takes its place.',
      ),
  },
  'not granted': { says: nothingChanged, next: signIn },
  'not owned': { says: nothingChanged, next: () => notOwned },
  'in the way': { says: nothingChanged, next: lookThere },
  'may be sent': {
    says: nothingChanged,
    next: ({ row }) => goOnWith(row, 'Nothing reached the service. This sends it under the same id.'),
  },
  'tried often': {
    says: nothingChanged,
    next: ({ row }) => ({
      why: `A person looks at the reason first: ${row.tries} tries failed. ${sameCall}`,
    }),
  },
  'for good': {
    says: nothingChanged,
    next: () => makeAnew('The id stands for this call: a corrected one needs a new id.'),
  },
  'worked on': {
    says: ({ what }) => `${what} is being worked on.`,
    next: ({ row }) => askStatus(row.id, 'This waits for the outcome.'),
  },
  interrupted: {
    says: (told) =>
      `${told.what} was accepted by the service, but is not finished. Nothing works on it now.${elsewhere(told)}`,
    next: (told) =>
      elsewhere(told) === ''
        ? goOnWith(told.row, 'This goes on where it stopped, with the copies of its files.')
        : askPerson(`resume_mutation goes on only there.${elsewhere(told)}`),
  },
  'not told yet': {
    says: maybe,
    next: ({ row }) => askStatus(row.id, 'This asks the service, and waits for news.'),
  },
  'may go again': {
    says: maybe,
    next: ({ row }) =>
      goOnWith(row, 'The service does not show it so far. Under its first id it can not be made twice.'),
  },
  moved: {
    says: (told) =>
      `${maybe(told)} What it changes has another revision now, and does not show what was meant.`,
    next: ({ row }) =>
      askPerson(`A person looks at what is there now. ${row.error?.message ?? ''} ${offTheList(row.id)}`),
  },
  'at a person': {
    says: ({ what }) => `${what} may have been applied, and the service does not tell.`,
    next: ({ row }) => askPerson(`A person looks at the service. ${offTheList(row.id)}`),
  },
  'given up': {
    says: ({ what, standing }) =>
      `${what} was given up by a person.${standing === 'not_sent' ? '' : ' It may have been applied.'}`,
    next: () => askPerson('A person decides whether it is wanted after all.', notBeforePerson),
  },
};

const notBeforePerson = 'make it again before a person has looked';
const sameCall = 'Then make the same call again, with the same id.';

const ends: Readonly<Partial<Record<Standing, string>>> = {
  partial: 'succeeded in part',
  failed: 'failed',
  rolled_back: 'was taken back whole by the service',
};

function offTheList(id: string): string {
  return `If it is there or not wanted any more, \`${ownCommand('mutations abandon', id)}\` takes it off the list.`;
}

/** `3 succeeded, 1 failed`. */
export function countWords(counts: Facts['counts']): string {
  const each = Object.entries(counts).map(([status, count]) => `${count} ${status}`);
  return each.join(', ');
}

function nothingChanged({ what, standing }: Told): string {
  return `${what} ${standing === 'refused' ? 'was refused by the service' : 'was not sent'}.`;
}

function maybe({ what }: Told): string {
  return `${what} may have been applied: that is not known yet.`;
}

/** Where the copies of its files are; empty: here, or nowhere. */
function elsewhere({ record: { body }, machine }: Told): string {
  if (body.machine === null || body.machine === machine) return '';
  return ` The copies of its files are on the machine "${body.machine}".`;
}

function signIn({ row: { error } }: Told): Next {
  const isLacking = error?.failure === 'scope_missing';
  const lists = [error?.details?.grantedScopes, error?.details?.missingScopes];
  const scopes = [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list : [])))];
  const why = `The account's owner has to ${isLacking ? 'grant more' : 'sign in again'}. ${sameCall}`;
  return { tool: 'connect_account', arguments: isLacking ? { scopes } : {}, why };
}

/** What stands where a change was to go, or is not as it was. */
function lookThere({ change }: Told): Next {
  const [own] = change?.guards ?? [];
  if (own !== undefined) return readAgain(own);
  const [place] = change?.places ?? [];
  if (place === undefined) return makeAnew('Look first at what is there: a corrected call needs a new id.');
  const { kind, id } = place.target;
  const why = `This shows what is there. To replace an Asset of your own, use upload_asset with operation replace, its id as previousAssetId, and its updatedAt.`;
  return { tool: 'get_entity', arguments: { kind, id, include: ['assets'] }, why };
}
