import { notOwned } from '../../catalogue/authorization.ts';
import type { Next } from '../../errors.ts';
import type { compareAccounts, MutationRecord, Standing } from '../../ledger/rows.ts';
import { ownCommand } from '../../own-command.ts';
import type { Intended } from '../operations/operation.ts';
import { readAgain } from '../operations/revisions.ts';
import { askPerson, askStatus, goOnWith, makeAnew } from './next.ts';
import { type Sentence, sentenceOf } from './words.ts';

/** After so many looks in a row that told nothing, a person has to look. */
const mostLooks = 3;

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

/** Where a change stands for its caller: each leads to one sentence and one next call. */
export type Situation =
  | 'done'
  | 'done with open items'
  | 'ended otherwise'
  | 'unsent'
  | 'refused'
  | 'worked on'
  | 'interrupted'
  | 'given up'
  | 'not told yet'
  | 'may go again'
  | 'moved'
  | 'at a person';

/** The situation of a change that the ledger knows. */
export function situationOf(facts: Facts): Situation {
  const { record, standing, counts } = facts;
  const { row } = record;
  const isGivenUp = row.abandonedAt !== null;
  const isLong = !row.isLive && row.lookups >= mostLooks;
  switch (standing) {
    case 'succeeded':
      return Object.keys(counts).every((status) => status === 'succeeded') ? 'done' : 'done with open items';
    case 'partial':
    case 'failed':
    case 'rolled_back':
      return 'ended otherwise';
    case 'not_sent':
      return isGivenUp ? 'given up' : 'unsent';
    case 'refused':
      return 'refused';
    case 'processing':
      if (isGivenUp) return 'given up';
      return !row.isLive && row.idle >= mostLooks ? 'at a person' : 'worked on';
    case 'interrupted':
      if (isGivenUp) return 'given up';
      return isLong ? 'at a person' : 'interrupted';
    case 'unresolved':
      if (isGivenUp) return 'given up';
      if (row.error?.failure === 'stale_revision') return 'moved';
      if (isLong) return 'at a person';
      return facts.hasLooked && mayGoAgain(facts) ? 'may go again' : 'not told yet';
  }
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

interface Told {
  readonly says: string;
  readonly next?: Next | undefined;
}

/** The sentence and the next call of each situation. */
const table: { readonly [Each in Situation]: (facts: Facts, sentence: Sentence) => Told } = {
  done: (_, { what, done }) => ({ says: `${what} ${done}.` }),
  'done with open items': ({ counts }, { what, done }) => ({
    says: `${what} ${done}, says the service, and yet not all of its items are shown as succeeded: ${countWords(counts)}.`,
    next: askPerson('A person looks at the items that are not shown as succeeded.', anewAfterPerson),
  }),
  'ended otherwise': ({ standing, counts, change }, { what }) => ({
    says: `${what} ${endWords[standing] ?? 'has ended'}${hasAny(counts) ? `: ${countWords(counts)}` : ''}.`,
    next: makeAnew(
      change?.by === 'submission' && standing === 'partial'
        ? 'What succeeded stays, under its Asset ids. Each failed item says why: once that is mended, a new edit_set of this Set takes the failed items alone (plan_set of the mended folder with this setId finds them).'
        : 'Once what failed is mended, a new change under a new id takes its place; look first at what is there now.',
    ),
  }),
  unsent: (facts, { what }) => ({ says: `${what} was not sent.`, next: afterNo(facts) }),
  refused: (facts, { what }) => ({ says: `${what} was refused by the service.`, next: afterNo(facts) }),
  'worked on': ({ record: { row } }, { what }) => ({
    says: `${what} is being worked on.`,
    next: askStatus(row.id, 'This waits for the outcome.'),
  }),
  interrupted: ({ record: { row, body }, machine }, { what }) => {
    const says = `${what} was accepted by the service and is not finished, and no process works on it.`;
    if (body.machine === null || body.machine === machine)
      return { says, next: goOnWith(row, 'This goes on where it stopped, with the copies of its files.') };
    const where = `The copies of its files are on the machine "${body.machine}"`;
    return { says: `${says} ${where}.`, next: askPerson(`${where}: resume_mutation goes on there.`) };
  },
  'given up': ({ standing }, { what }) => ({
    says: `${what} was given up by a person.${standing === 'not_sent' ? '' : ' Whether it was applied is not known.'}`,
    next: askPerson('A person decides whether it is wanted after all.', anewAfterPerson),
  }),
  'not told yet': ({ record: { row } }, { what }) => ({
    says: `Whether ${lower(what)} reached the service is not known yet.`,
    next: askStatus(row.id, 'It may have been applied. This asks the service, and waits for news.'),
  }),
  'may go again': ({ record: { row } }, { what }) => ({
    says: `Whether ${lower(what)} reached the service is not known yet.`,
    next: goOnWith(
      row,
      'The service does not show what became of it so far. This goes on with it under its first id, which can not make it twice.',
    ),
  }),
  moved: ({ record: { row } }, { what }) => ({
    says: `Whether ${lower(what)} was applied is not known: what it changes has another revision now, and not what was meant.`,
    next: askPerson(
      `A person looks at what is there now. ${row.error?.message ?? ''} If it is settled, \`${ownCommand('mutations abandon', row.id)}\` takes it off the list.`,
    ),
  }),
  'at a person': ({ record: { row } }, { what }) => ({
    says: `Whether ${lower(what)} was applied is not known, and the service does not tell.`,
    next: askPerson(
      `A person looks at the service. If it is there or not wanted any more, \`${ownCommand('mutations abandon', row.id)}\` takes it off the list.`,
    ),
  }),
};

const anewAfterPerson = 'make it anew before a person has looked';

/** What a caller is told of a change, and what to do next. */
export function tell(facts: Facts): Told {
  return table[situationOf(facts)](facts, sentenceOf(facts.record));
}

const endWords: Readonly<Partial<Record<Standing, string>>> = {
  partial: 'succeeded in part',
  failed: 'failed',
  rolled_back: 'was taken back whole by the service',
};

function hasAny(counts: Facts['counts']): boolean {
  return Object.keys(counts).length > 0;
}

/** `3 succeeded, 1 failed`. */
export function countWords(counts: Facts['counts']): string {
  return Object.entries(counts)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ');
}

function lower(what: string): string {
  return what.charAt(0).toLowerCase() + what.slice(1);
}

/** Nothing was changed: what helps then, by why. */
function afterNo(facts: Facts): Next {
  const { row } = facts.record;
  const { failure, code, details = {} } = row.error ?? { failure: 'cancelled', code: 'process_ended' };
  const then = 'then the same call may be made again with the same id.';
  switch (failure) {
    case 'scope_missing': {
      const lists = [details.grantedScopes, details.missingScopes];
      const scopes = [...new Set(lists.flatMap((list) => (Array.isArray(list) ? list : [])))];
      const why = `The account's owner has to grant more; ${then}`;
      return { tool: 'connect_account', arguments: { scopes }, why };
    }
    case 'not_connected':
    case 'reconnect_required':
      return {
        tool: 'connect_account',
        arguments: {},
        why: `The account's owner has to sign in again; ${then}`,
      };
    case 'forbidden':
      return notOwned;
    case 'stale_revision':
      return lookAtWhatIsThere(facts);
    case 'conflict':
      return code === 'id_known_to_service'
        ? makeAnew('The id stands for that upload.')
        : lookAtWhatIsThere(facts);
    case 'network':
    case 'service_unavailable':
    case 'rate_limited':
    case 'bad_response':
    case 'cancelled':
    case 'internal':
      if (row.outcome === 'refused') break;
      // Each claim of it was one try.
      return row.epoch < mostLooks
        ? goOnWith(row, 'Nothing reached the service: this sends it under the same id.')
        : { why: `It was tried ${row.epoch} times: a person looks at the reason first; ${then}` };
    default:
      break;
  }
  return makeAnew('The id stands for this call: a corrected one needs a new id.');
}

/** What stands where a change was to go, or is not as it was. */
function lookAtWhatIsThere({ change }: Facts): Next {
  const [own] = change?.guards ?? [];
  if (own !== undefined) return readAgain(own);
  const [place] = change?.places ?? [];
  if (place === undefined) return makeAnew('Look first at what is there; a corrected call needs a new id.');
  const { kind, id } = place.target;
  const why = `It shows what stands there. An Asset of your own is replaced by upload_asset with operation replace, its id as previousAssetId and its updatedAt (get_owned).`;
  return { tool: 'get_entity', arguments: { kind, id, include: ['assets'] }, why };
}
