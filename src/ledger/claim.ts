import { createHash } from 'node:crypto';
import { canonicalDigest } from '../canonical-json.ts';
import { storeReplaced } from '../store/errors.ts';
import { listed, must, numberIn, type Sql, type SqlRow, type Statement, sql } from '../store/sql.ts';
import type { Claim, Lease, NewMutation, Sequence } from './ledger.ts';
import { parseBody } from './parse.ts';
import {
  type AccountScope,
  compareAccounts,
  isDeadClaim,
  type MutationId,
  type MutationRecord,
  type MutationRow,
  mayClaimAgain,
  type UserScope,
} from './rows.ts';

/** What claims and the other statements of the ledger share. */
export interface Tables {
  readonly database: Sql;
  /** The store's id, and where it is, for people. */
  readonly id: string;
  readonly place: string;
  /** The highest sequence that this process has seen. */
  seen: Sequence;
  now(): number;
  parse(row: SqlRow): MutationRow;
  row(user: UserScope, id: MutationId): Promise<MutationRow | null>;
}

/** One row of a table, by its first columns. */
export function ofChange({ service, user }: UserScope, id: MutationId): Statement {
  return sql`service = ${service} AND person = ${user} AND id = ${id}`;
}

/** Of a row named `m` and its body, named `b`. */
export const isSameRow: Statement = sql`b.service = m.service AND b.person = m.person AND b.id = m.id`;

/** Rows with their bodies: its conditions follow. */
export const records: Statement = sql`SELECT m.*, b.intent, b.target, b.names, b.earlier, b.noticed, b.admission,
  b.file, b.machine, b.keeper FROM artwork.mutation m JOIN artwork.mutation_body b ON ${isSameRow}`;

export function recordIn(tables: Tables, row: SqlRow): MutationRecord {
  return { row: tables.parse(row), body: parseBody(row) };
}

/**
 * Raises the sequence, and then runs statements of which one has to answer a row: that one's row, or undefined where it
 * answered none and nothing was changed. Lists that begin so don't interleave: on PostgreSQL the row of the sequence
 * stays locked until one is through.
 * @throws store_replaced where another store is there now, or an earlier state of this one
 */
export async function inSequence(
  tables: Tables,
  ...statements: readonly Statement[]
): Promise<SqlRow | undefined> {
  const { database, id, place, seen } = tables;
  const raising = must(
    sql`UPDATE artwork.store SET sequence = sequence + 1 WHERE id = ${id} AND sequence >= ${seen} RETURNING sequence`,
  );
  const decisive = statements.findIndex((statement) => statement.must === true);
  const [raised = [], ...results] = await database.write(raising, ...statements);
  const [sequence] = raised;
  if (sequence === undefined) throw storeReplaced(place);
  const [row] = results[decisive] ?? [];
  if (row !== undefined) tables.seen = Math.max(seen, tables.seen, numberIn(sequence, 'sequence'));
  return row;
}

export const sequenceNow: Statement = sql`(SELECT sequence FROM artwork.store)`;

/** Short, whatever is in it. */
function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

function keyList(keys: readonly string[]): Statement {
  return listed(keys.map((key) => sql`${digestOf(key)}`));
}

/** Neither settled nor abandoned, of a row named `m`. */
export const isOpen: Statement = sql`m.state < 3 AND m.abandoned IS NULL`;

/** The service has changed something by it, of a row named `m`. */
const isApplied: Statement = sql`m.outcome IN (${'succeeded'}, ${'partial'})`;

/** Other changes of the account, or of one that was not named, which have a key of `keys` and exclude this one. */
function conflicting(
  account: AccountScope,
  id: MutationId,
  keys: readonly string[],
  since: Sequence,
): Statement {
  const { service, user, subject } = account;
  const isOurs = subject === null ? sql`1 = 1` : sql`(m.subject IS NULL OR m.subject = ${subject})`;
  // CROSS: from the keys, of which there are few, to their rows; SQLite would begin with all rows of the person.
  return sql`artwork.mutation_key k CROSS JOIN artwork.mutation m
    WHERE m.service = k.service AND m.person = k.person AND m.id = k.id AND k.service = ${service} AND k.person = ${user} AND k.key IN (${keyList(keys)})
    AND k.id <> ${id} AND ${isOurs} AND ((${isOpen}) OR (m.settled_seq > ${since} AND ${isApplied}))`;
}

/** The changes that have one of the keys, dead claims among them. */
async function findConflicts(
  tables: Tables,
  account: AccountScope,
  id: MutationId,
  keys: readonly string[],
  since: Sequence,
): Promise<readonly MutationRecord[]> {
  if (keys.length === 0) return [];
  const { service, user } = account;
  const rows = await tables.database.read(
    // In no order: SQLite would go through all rows of the person for one.
    sql`${records} WHERE m.service = ${service} AND m.person = ${user} AND m.id IN
        (SELECT k.id FROM ${conflicting(account, id, keys, since)})`,
  );
  return rows.map((row) => recordIn(tables, row));
}

/** The change that stands in the way; null: none does. */
export async function findConflict(
  ...asked: Parameters<typeof findConflicts>
): Promise<MutationRecord | null> {
  return (await findConflicts(...asked)).find(({ row }) => !isDeadClaim(row)) ?? null;
}

/** As `Ledger.claim` says. @param holder the new lease's */
export async function claim(
  tables: Tables,
  account: AccountScope,
  mutation: NewMutation,
  since: Sequence,
  holder: string,
): Promise<Claim> {
  const { id, keys } = mutation;
  const digest = canonicalDigest(mutation.intent);
  const lease = (row: MutationRow): Lease => ({ ...account, id, epoch: row.epoch, holder });
  for (;;) {
    const there = await tables.row(account, id);
    if (there !== null) {
      // Of an attempt whose answer was lost.
      if (there.holder === holder) return { claim: 'leased', lease: lease(there), row: there };
      const isSame = there.digest === digest && there.operation === mutation.operation;
      if (!isSame || compareAccounts(there, account) === 'other') return { claim: 'reused', row: there };
      if (!mayClaimAgain(there) && !isDeadClaim(there)) return { claim: 'known', row: there };
    }
    const found = await findConflicts(tables, account, id, keys, since);
    const other = found.find(({ row }) => !isDeadClaim(row));
    // Another process may have finished this id meanwhile, which its conflicts don't show.
    if (other !== undefined && isSameMoment(there, await tables.row(account, id))) {
      return { claim: 'conflict', other };
    }
    if (other !== undefined) continue;
    const writing = { account, mutation, digest, holder, since, there, dead: found.map(({ row }) => row) };
    const row = await inSequence(tables, ...claimStatements(writing, tables.now()));
    if (row === undefined) continue;
    const claimed = tables.parse(row);
    return { claim: 'leased', lease: lease(claimed), row: claimed };
  }
}

function isSameMoment(one: MutationRow | null, other: MutationRow | null): boolean {
  if (one === null || other === null) return one === other;
  return one.epoch === other.epoch && one.beat === other.beat && one.state === other.state;
}

/** The row as it was judged, so that nothing is done to one that has moved since. */
export function asSeen({ epoch, beat, state }: MutationRow): Statement {
  return sql`epoch = ${epoch} AND beat = ${beat} AND state = ${stateNumbers[state]}`;
}

export const stateNumbers = { claimed: 0, sending: 1, accepted: 2, settled: 3 } as const;

interface Writing {
  readonly account: AccountScope;
  readonly mutation: NewMutation;
  readonly digest: string;
  readonly holder: string;
  readonly since: Sequence;
  readonly there: MutationRow | null;
  readonly dead: readonly MutationRow[];
}

/** One transaction: all of it, or nothing where something has moved since it was looked at. */
function claimStatements(writing: Writing, now: number): Statement[] {
  const { account, mutation, there, dead } = writing;
  const { service, user } = account;
  const { id, keys, items, intent, admission, machine, keeper } = mutation;
  const target = JSON.stringify(mutation.target);
  const names = JSON.stringify(mutation.names);
  const earlier = JSON.stringify(mutation.earlier);
  const noticed = JSON.stringify(mutation.noticed);
  const file = JSON.stringify(mutation.file);
  const keyRows = [...new Set(keys)].map((key) => sql`(${service}, ${user}, ${digestOf(key)}, ${id})`);
  const itemRows = items.map(
    ({ item, place, digest, length }, position) =>
      sql`(${service}, ${user}, ${id}, ${item}, ${position}, ${JSON.stringify(place)}, ${digest}, ${length}, 0)`,
  );
  return [
    ...dead.map(
      (row) => sql`UPDATE artwork.mutation SET state = 3, outcome = ${'not_sent'}, holder = NULL,
        settled_seq = ${sequenceNow}, changed_at = ${now}
        WHERE ${ofChange(row, row.id)} AND ${asSeen(row)} AND doubt = 0 AND abandoned IS NULL`,
    ),
    must(rowStatement(writing, now)),
    // Of what was claimed before and not sent.
    ...(there === null
      ? []
      : [
          sql`DELETE FROM artwork.mutation_body WHERE ${ofChange(account, id)}`,
          sql`DELETE FROM artwork.mutation_key WHERE ${ofChange(account, id)}`,
          sql`DELETE FROM artwork.mutation_item WHERE ${ofChange(account, id)}`,
        ]),
    sql`INSERT INTO artwork.mutation_body (service, person, id, intent, target, names, earlier, noticed, admission,
        file, machine, keeper) VALUES (${service}, ${user}, ${id}, ${intent}, ${target}, ${names}, ${earlier},
        ${noticed}, ${admission}, ${file}, ${machine}, ${keeper})`,
    ...inserting(sql`artwork.mutation_key (service, person, key, id)`, keyRows),
    ...inserting(
      sql`artwork.mutation_item (service, person, id, item, position, place, digest, length, state)`,
      itemRows,
    ),
  ];
}

function inserting(into: Statement, rows: readonly Statement[]): Statement[] {
  return rows.length === 0 ? [] : [sql`INSERT INTO ${into} VALUES ${listed(rows)}`];
}

/** Writes the row if nothing conflicts with it, and if what stood there is as it was judged. */
function rowStatement(writing: Writing, now: number): Statement {
  const { account, mutation, digest, holder, since, there } = writing;
  const { service, user, subject, connection } = account;
  const { id, operation, expectedUpdatedAt, keys } = mutation;
  const isFree =
    keys.length === 0 ? sql`1 = 1` : sql`NOT EXISTS (SELECT 1 FROM ${conflicting(account, id, keys, since)})`;
  if (there === null) {
    return sql`INSERT INTO artwork.mutation (service, person, id, operation, digest, expected_updated_at, subject,
      connection, state, doubt, epoch, holder, beat, lookups, idle, tries, created_at, changed_at)
      SELECT ${service}, ${user}, ${id}, ${operation}, ${digest}, ${expectedUpdatedAt}, ${subject},
      ${connection}, 0, 0, 1, ${holder}, 0, 0, 0, 0, ${now}, ${now}
      WHERE ${isFree} ON CONFLICT DO NOTHING RETURNING *`;
  }
  return sql`UPDATE artwork.mutation SET expected_updated_at = ${expectedUpdatedAt}, subject = ${subject},
    connection = ${connection}, state = 0, doubt = 0, epoch = epoch + 1, holder = ${holder},
    beat = beat + 1, submission = NULL, lookups = 0, idle = 0, outcome = NULL, receipt = NULL, error = NULL,
    settled_seq = NULL, changed_at = ${now}
    WHERE ${ofChange(account, id)} AND ${asSeen(there)} AND abandoned IS NULL AND ${isFree} RETURNING *`;
}
