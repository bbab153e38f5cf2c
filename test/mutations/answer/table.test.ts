import { expect, it } from 'vitest';
import { canonicalJson } from '../../../src/canonical-json.ts';
import type { Next } from '../../../src/errors.ts';
import type { LedgerEntry } from '../../../src/ledger/entry.ts';
import { viewEntry } from '../../../src/ledger/ledger.ts';
import { describeMutation } from '../../../src/mutations/answer/describe-mutation.ts';
import { situationOf } from '../../../src/mutations/answer/situation.ts';
import { nextIn, type Situation } from '../../../src/mutations/answer/table.ts';
import type { Mutation } from '../../../src/mutations/mutation.ts';
import * as table from '../../../src/mutations/operations/index.ts';
import { MutationError } from '../../../src/mutations/result.ts';
import { firstCheckpoint } from '../../../src/mutations/submission.ts';
import { tools } from '../../../src/tools/index.ts';
import { assetId, mutationId, written } from '../../support/written.ts';
import { type Case, casesOf } from './states.ts';

const operations = Object.values(table);
const service = { baseUrl: 'http://127.0.0.1:9/v1', embedded: true };
const declared = {
  filename: 'a.png',
  contentType: 'image/png',
  contentLength: 1_000,
  sha256: '0'.repeat(64),
};

/** The arguments of a call as the ledger keeps them: a file by what it is. */
function withDeclaredFiles(given: unknown): unknown {
  if (Array.isArray(given)) return given.map(withDeclaredFiles);
  if (typeof given !== 'object' || given === null) return given;
  const members = Object.entries(given).map(([name, value]) => [
    name,
    name === 'file' ? declared : withDeclaredFiles(value),
  ]);
  return Object.fromEntries(members);
}

function mutationOf({ name, mutation }: (typeof operations)[number]): Mutation {
  const call = written.find(({ tool }) => tool === name);
  return mutation(Object(withDeclaredFiles(call?.meant)));
}

function progressOf({ by }: Mutation): LedgerEntry['progress'] {
  const kept = { machine: 'here', keeper: 'k', admission: '{}' };
  if (by === 'submission') return firstCheckpoint(kept);
  return by === 'upload' ? { file: '/a.png' } : null;
}

function entryOf(mutation: Mutation): LedgerEntry {
  const { operation, clientMutationId, target, intent } = mutation;
  const at = '2030-01-01T00:00:00.000Z';
  return {
    service: service.baseUrl,
    user: 'default',
    subject: '1',
    connection: '0'.repeat(32),
    clientMutationId,
    operation,
    target,
    digest: '',
    intent: canonicalJson(intent),
    createdAt: at,
    updatedAt: at,
    epoch: 1,
    state: 'claimed',
    owner: null,
    doubt: false,
    outcome: null,
    receipt: null,
    error: null,
    progress: progressOf(mutation),
    lookups: 0,
    abandonedAt: null,
  };
}

interface Answer {
  readonly outcome: string | undefined;
  readonly next: Next | undefined;
  /** What stands in it beside the words of the service. */
  readonly message: string;
}

function answerTo({ view, look, scope }: Pick<Case, 'view' | 'look' | 'scope'>): Answer {
  try {
    const { outcome, next } = describeMutation({ service, scope }, view, { lookup: look });
    return { outcome, next, message: '' };
  } catch (error) {
    if (!(error instanceof MutationError)) throw error;
    const { outcome, next, message } = error;
    return { outcome, next, message };
  }
}

/** Why a call can't be made as it stands; null: it can. */
function whyNotCallable({ tool: name, arguments: args }: Next): string | null {
  if (name === undefined) return args === undefined ? null : 'has arguments and no tool';
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return `there is no ${name}`;
  // As the dispatcher sends it on.
  const parsed = tool.input.safeParse(
    args?.expectedUpdatedAt === null ? { ...args, expectedUpdatedAt: 'none' } : args,
  );
  return parsed.success ? null : parsed.error.message;
}

const makesChanges = new Set<string>(operations.map(({ name }) => name));
const nothingDone =
  /(?<!if )nothing (of (it|this) )?(was|is) (sent|changed|applied)|nothing reached|never sent|not sent/i;

/** What an answer says that is not so; null: all is. */
function whyNotTrue({ view, mutation }: Case, { outcome, next, message }: Answer): string | null {
  const { entry, live } = view;
  const words = `${message} ${next?.why ?? ''}`;
  const isUndone = outcome === 'refused' || outcome === 'not_sent';
  const mayBeApplied = outcome === 'processing' || outcome === 'unresolved';
  if (isUndone !== (view.standing === 'refused' || view.standing === 'not_sent'))
    return 'its outcome differs';
  if (!isUndone && nothingDone.test(words)) return 'it has no proof that nothing was done';
  if (mayBeApplied && next === undefined) return 'it is open, and leads nowhere';
  if (mayBeApplied && next?.doNot === undefined) return 'it is open, and warns of nothing';
  if (mayBeApplied && (makesChanges.has(next?.tool ?? '') || next?.tool === 'new_mutation_ids'))
    return 'it may have been applied, and is made anew';
  if (next?.tool === 'resume_mutation' && live) return 'a process works on it, and another is sent there';
  if (/no process works on it/.test(words) && live) return 'a process works on it';
  if (/A person gave/.test(words) !== (entry.abandonedAt !== null)) return 'a person gave it up, or did not';
  if (/kept/.test(words) && mutation.by !== 'submission') return 'nothing of it is kept';
  return null;
}

const reached = new Set<string>();

it.each([...operations.map((operation) => ({ name: operation.name, mutation: mutationOf(operation) }))])(
  '$name has a true sentence and a call in each state',
  ({ mutation }) => {
    const wrong = new Map<string, string>();
    for (const one of casesOf(entryOf(mutation), mutation)) {
      const { name, view, look, scope } = one;
      const answer = answerTo(one);
      reached.add(situationOf({ view, mutation, look, scope }).is);
      const { next } = answer;
      const why =
        (next?.why === '' ? 'it has no sentence' : null) ??
        (next === undefined ? null : whyNotCallable(next)) ??
        whyNotTrue(one, answer);
      if (why !== null) wrong.set(name, `${why}: ${JSON.stringify(answer)}`);
    }
    expect(Object.fromEntries(wrong)).toEqual({});
  },
);

/** The rows that an entry of the ledger leads to. */
const ofEntries = [
  'behind another',
  'done by another',
  'edit failed',
  'failed',
  'failed in part',
  'failed where something stands',
  'failed, with items that succeeded',
  'given up',
  'given up unsent',
  'lacks a file',
  'left',
  'left again and again',
  'made elsewhere before',
  'never told',
  'not there',
  'nothing told',
  'of an unnamed account',
  'over',
  'perhaps admitted',
  'refused',
  'refused as admitted elsewhere',
  'refused as it is now',
  'refused as not owned',
  'refused as uploaded elsewhere',
  'refused for now',
  'refused without scope',
  'refused without sign-in',
  'revision moved',
  'submission given up',
  'turned away',
  'unconfirmed',
  'unknown',
  'unsent',
  'worked on',
  'worked on for long',
] as const;

it('they reach each row of the table that is of an entry', () => {
  expect([...reached].sort()).toEqual(ofEntries);
});

type OfCalls = Exclude<Situation['is'], (typeof ofEntries)[number]>;

const one = { clientMutationId: mutationId };
const resumed = { ...one, expectedUpdatedAt: null };
/** All others, which are told where they arise. */
const ofCalls: { readonly [Is in OfCalls]: Situation<Is> } = {
  'asked by submission': { is: 'asked by submission', ...one },
  'begun before': { is: 'begun before', ...resumed },
  'being prepared': { is: 'being prepared', ...one },
  'bytes on their way': { is: 'bytes on their way', ...one },
  'call cancelled': { is: 'call cancelled', ...one },
  'called before': { is: 'called before', ...one },
  'dry run forgotten': { is: 'dry run forgotten' },
  'dry run prepared': { is: 'dry run prepared', ...one },
  'file gone': { is: 'file gone' },
  'files not kept': { is: 'files not kept' },
  'id of an open one': { is: 'id of an open one', ...one },
  'id of another': { is: 'id of another' },
  'id of another account': { is: 'id of another account' },
  'journal unreadable': { is: 'journal unreadable' },
  'neither was sent': { is: 'neither was sent', heldBy: mutationId },
  'no such submission': { is: 'no such submission', kind: 'edit' },
  'not checked': { is: 'not checked' },
  'not known anywhere': { is: 'not known anywhere' },
  'not known here': { is: 'not known here', ...one },
  'not recorded': { is: 'not recorded', ...one },
  'open alone': { is: 'open alone', ...one },
  'open among others': { is: 'open among others', ...one },
  'place taken': { is: 'place taken', ...resumed },
  'resumed with another revision': { is: 'resumed with another revision', ...resumed },
  'signed in as another': { is: 'signed in as another' },
  'submission elsewhere': { is: 'submission elsewhere', unconfirmed: false },
  'worked on elsewhere': { is: 'worked on elsewhere' },
};

it.each(Object.values(ofCalls))('$is has a sentence, and a call where one goes on', (situation) => {
  const next = nextIn(situation);
  expect([next?.why, next && whyNotCallable(next)]).toEqual([expect.stringMatching(/\w/), null]);
});

it('a call that is too long to be told is left to its caller', () => {
  const items = Array.from({ length: 60 }, (_, position) => ({
    existingAssetId: assetId,
    expectedAssetUpdatedAt: 'r',
    targetKind: 'episode',
    targetId: position + 1,
    slot: 'titlecard',
  }));
  const given = { clientMutationId: mutationId, expectedUpdatedAt: 'r1', setId: 5, items };
  const mutation = table.assignGroupingAssets.mutation(given);
  const view = viewEntry(entryOf(mutation), false);
  const { next, outcome } = answerTo({ view, look: undefined, scope: view.entry });
  expect({ next, outcome }).toEqual({
    next: { why: expect.stringContaining('caller who made it') },
    outcome: 'not_sent',
  });
});
