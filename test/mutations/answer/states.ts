import { isRecord } from '../../../src/catalogue/records/members.ts';
import type { Json } from '../../../src/canonical-json.ts';
import type { AccountScope, KeptError, LedgerEntry } from '../../../src/ledger/entry.ts';
import { type EntryView, viewEntry } from '../../../src/ledger/ledger.ts';
import type { Observations } from '../../../src/mutations/answer/describe-mutation.ts';
import { type StoredReceipt, storeReceipt } from '../../../src/mutations/finding.ts';
import type { Mutation } from '../../../src/mutations/mutation.ts';

/** What the ledger can hold of a mutation, beside what it was to do. */
interface State {
  readonly name: string;
  readonly entry: Partial<LedgerEntry>;
}

const other = '7d4a5c0e-90a3-4d6c-8a43-0f4f8a1c2b01';
const asset = '2f1d7f0a-3c5b-4b1e-9d0c-6a7b8c9d0e01';

function error(category: string, status?: number, details?: Record<string, Json>): KeptError {
  const message = `As it was told: ${category}.`;
  return {
    category,
    code: category,
    message,
    ...(status ? { status } : {}),
    ...(details ? { details } : {}),
  };
}

const occupant = { assetId: asset, updatedAt: 'r2' };
const unnamed = { standing: [occupant] };
const edited = { assetId: asset, expectedUpdatedAt: 'r2' };
/** What stands in the way of an operation, with what to give to change that one. */
const named: Readonly<Record<string, Record<string, Json>>> = {
  upload_asset: { give: { operation: 'replace', previousAssetId: asset, expectedUpdatedAt: 'r2' } },
  edit_asset_metadata: { give: edited },
  select_preview_frame: { give: edited },
  assign_grouping_assets: { at: 'items.0', give: { existingAssetId: asset, expectedAssetUpdatedAt: 'r2' } },
};
const admitted = { submissionId: 's1', kind: 'creation', outcome: 'processing' };

const refusalsOf = ({ operation }: Mutation): readonly KeptError[] => [
  error('reconnect_required', 401),
  error('rate_limited', 429),
  error('scope_missing', 403, { missingScopes: ['sets:write'], grantedScopes: ['openid'] }),
  error('forbidden', 403),
  error('not_found', 404),
  error('stale_revision', 409),
  error('conflict', 409),
  error('conflict', 409, { standing: [{ ...occupant, ...named[operation] }] }),
  error('conflict', 409, { earlierUpload: { outcome: 'succeeded', assetId: null } }),
  error('conflict', undefined, { earlierSubmission: admitted }),
  error('conflict', undefined, { earlierSubmission: { ...admitted, submissionId: null } }),
  error('upload_refused', 413),
  error('invalid_arguments', 422),
  error('bad_response', 418),
];

const unsent: readonly (KeptError | null)[] = [
  null,
  error('network'),
  error('not_connected'),
  error('stale_revision'),
  error('conflict', undefined, { heldBy: other, outcome: 'processing' }),
  error('conflict', undefined, { heldBy: other, outcome: 'succeeded' }),
];

/** Why it may be open; the last one only of a submission. */
const openErrors: readonly (KeptError | null)[] = [
  null,
  error('network'),
  error('stale_revision', 409),
  error('conflict', undefined, { earlierSubmission: admitted }),
];

/** What its journal may hold, by how it is sent. */
function journals(mutation: Mutation, progress: Json): readonly (readonly [string, Json])[] {
  const noted = isRecord(progress) ? progress : {};
  if (mutation.by !== 'submission')
    return [
      ['not answered', progress],
      ['answered with 401', { ...noted, answered: 401 }],
      ['answered, and one before was lost', { ...noted, answered: 429, lost: true }],
    ];
  const begun = { submissionId: 's1', ...noted, untouched: null, mark: 1, open: [0], refused: [], idle: 0 };
  const stopped = { code: 'stopped', message: 'It was stopped.' };
  return [
    ['not admitted so far', { ...noted, submissionId: null, mark: 0, open: [], stopped: null, idle: 0 }],
    ['admitted', begun],
    ['stopped', { ...begun, stopped, idle: 1 }],
    ['stopped again and again', { ...begun, stopped, idle: 3 }],
    ['not confirmed', { ...begun, unconfirmed: true }],
    ['without a file that is refused', { ...begun, stopped, refused: [{ ...stopped, item: 0 }] }],
  ];
}

const kept: StoredReceipt = {
  receipt: { submissionId: 's1' },
  updatedAt: 'r9',
  publicationStatus: null,
  evidence: { by: 'lookup', certainty: 'certain', says: 'It was read.' },
  warnings: [],
};
const receipt = storeReceipt(kept);
const succeeded = { itemId: other, status: 'succeeded', assetId: asset, error: null };
const contradicted = storeReceipt({ ...kept, items: [succeeded] });

const settled = (outcome: LedgerEntry['outcome'], why: KeptError | null): Partial<LedgerEntry> => ({
  state: 'settled',
  outcome,
  error: why,
  ...(outcome === 'refused' || outcome === 'not_sent' ? {} : { receipt }),
});

function nameOf(words: string, why: KeptError | null): string {
  if (why === null) return words;
  const { category, status, details } = why;
  return [words, category, status, ...Object.keys(details ?? {})]
    .filter((word) => word !== undefined)
    .join(' ');
}

/** Every state in which the ledger can leave a mutation. */
function statesOf(mutation: Mutation, progress: Json): readonly State[] {
  const failed = [null, error('bad_response'), error('conflict', 409, unnamed)];
  const ends = [
    { name: 'succeeded', entry: settled('succeeded', null) },
    ...(['partial', 'failed', 'rolled_back'] as const).flatMap((outcome) =>
      failed.map((why) => ({ name: nameOf(outcome, why), entry: settled(outcome, why) })),
    ),
    ...(['partial', 'failed', 'rolled_back'] as const).map((outcome) => ({
      name: `${outcome}, with an item that succeeded`,
      entry: { ...settled(outcome, error('bad_response')), receipt: contradicted },
    })),
    ...refusalsOf(mutation).map((why) => ({ name: nameOf('refused', why), entry: settled('refused', why) })),
    ...unsent.flatMap((why) =>
      [1, 3].map((epoch) => ({
        name: nameOf(`not_sent, try ${epoch}`, why),
        entry: { ...settled('not_sent', why), epoch },
      })),
    ),
  ];
  const errors = openErrors.slice(0, mutation.by === 'submission' ? 4 : 3);
  const open = (['claimed', 'sending', 'processing', 'unresolved'] as const).flatMap((state) =>
    (state === 'unresolved' ? [true] : [false, true]).flatMap((doubt) =>
      errors.flatMap((why) =>
        journals(mutation, progress).flatMap(([words, kept]) =>
          [0, 3].map((lookups) => ({
            name: nameOf(`${state}${doubt ? ' in doubt' : ''}, ${words}, ${lookups} looks`, why),
            entry: { state, doubt, error: why, progress: kept, lookups },
          })),
        ),
      ),
    ),
  );
  const givenUp = open.map(({ name, entry }) => ({
    name: `${name}, given up`,
    entry: { ...entry, abandonedAt: '2030-01-01T00:00:00.000Z' },
  }));
  return [...ends, ...open, ...givenUp];
}

const says = 'It was asked.';
const looks: readonly Observations['lookup'][] = [
  undefined,
  { evidence: { by: 'lookup', certainty: 'unknown', says }, final: false, working: false },
  { evidence: { by: 'lookup', certainty: 'unknown', says }, final: true, working: false },
  { evidence: { by: 'lookup', certainty: 'certain', says }, final: false, working: true },
  { evidence: { by: 'lookup', certainty: 'unknown', says }, final: false, working: true },
];

/** A mutation as it can stand. */
export interface Case {
  readonly name: string;
  readonly mutation: Mutation;
  readonly view: EntryView;
  /** What a call has seen of it. */
  readonly look: Observations['lookup'];
  /** Of the call. */
  readonly scope: AccountScope;
}

/** Every state of a mutation, with and without a process that works on it, of a named account or none, after every look. */
export function* casesOf(entry: LedgerEntry, mutation: Mutation): Generator<Case> {
  for (const state of statesOf(mutation, entry.progress)) {
    const view = viewEntry({ ...entry, ...state.entry }, false);
    const isOpen = view.standing === 'processing' || view.standing === 'unresolved';
    const isOver = view.entry.state === 'settled' || view.entry.abandonedAt !== null;
    const name = `${mutation.operation}, ${state.name}`;
    const scope = entry;
    for (const look of isOpen && !isOver ? looks : looks.slice(0, 1)) {
      yield { name, mutation, view, look, scope };
      if (isOver) continue;
      const unnamed = { ...view.entry, subject: null, connection: 'f'.repeat(32) };
      yield { name: `${name}, unnamed`, mutation, view: viewEntry(unnamed, false), look, scope };
    }
    if (!isOver && view.entry.state !== 'unresolved') {
      const live = viewEntry(view.entry, true);
      yield { name: `${name}, live`, mutation, view: live, look: undefined, scope };
    }
  }
}
