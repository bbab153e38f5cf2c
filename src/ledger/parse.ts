import { z } from 'zod';
import type { Json } from '../canonical-json.ts';
import { storeError } from '../store/errors.ts';
import { numberIn, numberOrNull, type SqlRow, textIn, textOrNull } from '../store/sql.ts';
import { jsonOf } from '../text.ts';
import type { LeaseJudge } from './lease.ts';
import {
  doubts,
  itemStates,
  type KeptError,
  keptError,
  type MutationBody,
  type MutationItem,
  type MutationRow,
  mutationStates,
  settledOutcomes,
} from './rows.ts';

/*
 * Rows of the tables as the ledger tells them. The store is on a disk, so each is looked at: what this program can't have
 * written is `store_unreadable`, and quotes nothing.
 */

const outcomes = z.enum(settledOutcomes).nullable();
const names = z.record(z.string(), z.string());
const mutationId = z.uuid().toLowerCase().brand<'ClientMutationId'>();

export function parseRow(row: SqlRow, judge: LeaseJudge): MutationRow {
  const holder = textOrNull(row, 'holder');
  const beat = numberIn(row, 'beat');
  return {
    service: textIn(row, 'service'),
    user: textIn(row, 'person'),
    id: checked(mutationId, textIn(row, 'id')),
    operation: textIn(row, 'operation'),
    digest: textIn(row, 'digest'),
    expectedUpdatedAt: textOrNull(row, 'expected_updated_at'),
    subject: textOrNull(row, 'subject'),
    connection: textIn(row, 'connection'),
    state: memberOf(mutationStates, numberIn(row, 'state')),
    doubt: memberOf(doubts, numberIn(row, 'doubt')),
    epoch: numberIn(row, 'epoch'),
    holder,
    beat,
    isLive: judge.isLive(holder, beat),
    submission: textOrNull(row, 'submission'),
    lookups: numberIn(row, 'lookups'),
    idle: numberIn(row, 'idle'),
    tries: numberIn(row, 'tries'),
    outcome: checked(outcomes, textOrNull(row, 'outcome')),
    receipt: jsonIn(textOrNull(row, 'receipt')),
    error: errorIn(row),
    abandonedAt: numberOrNull(row, 'abandoned'),
    createdAt: numberIn(row, 'created_at'),
    changedAt: numberIn(row, 'changed_at'),
    settledSeq: numberOrNull(row, 'settled_seq'),
  };
}

export function parseBody(row: SqlRow): MutationBody {
  return {
    intent: textIn(row, 'intent'),
    target: jsonIn(textIn(row, 'target')),
    names: checked(names, jsonIn(textIn(row, 'names'))),
    earlier: jsonIn(textIn(row, 'earlier')),
    noticed: jsonIn(textIn(row, 'noticed')),
    admission: textOrNull(row, 'admission'),
    file: jsonIn(textIn(row, 'file')),
    machine: textOrNull(row, 'machine'),
    keeper: textOrNull(row, 'keeper'),
  };
}

export function parseItem(row: SqlRow): MutationItem {
  return {
    item: textIn(row, 'item'),
    place: jsonIn(textIn(row, 'place')),
    digest: textOrNull(row, 'digest'),
    length: numberOrNull(row, 'length'),
    state: memberOf(itemStates, numberIn(row, 'state')),
    untouched: textOrNull(row, 'untouched'),
    error: errorIn(row),
  };
}

function errorIn(row: SqlRow): KeptError | null {
  const text = textOrNull(row, 'error');
  return text === null ? null : checked(keptError, jsonIn(text));
}

function memberOf<const Name>(list: readonly Name[], place: number): Name {
  const name = list[place];
  if (name === undefined) throw damaged();
  return name;
}

/** What was parsed from JSON is nothing else. */
const json = z.custom<Json>((value) => value !== undefined);

function jsonIn(text: string | null): Json {
  return text === null ? null : checked(json, jsonOf(text));
}

function checked<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw damaged();
  return parsed.data;
}

function damaged() {
  return storeError(
    'store_unreadable',
    'An entry of the ledger is damaged. Restore the whole data folder, or the database, from a backup.',
  );
}
