import type { Clock } from '../clock.ts';
import { storeReplaced } from '../store/errors.ts';
import type { Store } from '../store/open.ts';
import { listed, must, numberIn, type Statement, sql } from '../store/sql.ts';
import {
  asSeen,
  claim,
  findConflict,
  inSequence,
  isOpen,
  isSameRow,
  ofChange,
  recordIn,
  records,
  sequenceNow,
  type Tables,
} from './claim.ts';
import { createLeaseJudge, type Holders, surelyHeldMs } from './lease.ts';
import { type Lease, LeaseLost, type Ledger, type ListFilter } from './ledger.ts';
import { parseItem, parseRow } from './parse.ts';
import {
  type ItemNote,
  itemStates,
  type MutationId,
  type MutationRow,
  settledOutcomes,
  standingOf,
  type UserScope,
} from './rows.ts';

export interface LedgerPorts {
  readonly store: Pick<Store, 'id' | 'place' | 'sql'>;
  readonly holders: Holders;
  readonly clock: Pick<Clock, 'now' | 'monotonic'>;
}

/** The ledger of a store, for all calls of one process: it knows which of the changes this process works on. */
export function createLedger({ store, holders, clock }: LedgerPorts): Ledger {
  const database = store.sql;
  const judge = createLeaseJudge(clock, holders);
  /** When the writing began that confirmed a lease last, by its holder. */
  const confirmed = new Map<string, number>();

  const readRow = async (user: UserScope, id: MutationId): Promise<MutationRow | null> => {
    const [row] = await database.read(sql`SELECT * FROM artwork.mutation WHERE ${ofChange(user, id)}`);
    return row === undefined ? null : tables.parse(row);
  };
  const tables: Tables = {
    ...{ database, id: store.id, place: store.place, seen: 0, now: clock.now, row: readRow },
    parse: (row) => parseRow(row, judge),
  };

  const end = (holder: string): void => {
    judge.end(holder);
    confirmed.delete(holder);
  };

  /** Runs statements of which the first is fenced. Null: it changed no row. */
  const fenced = async (lease: Lease, ...statements: readonly Statement[]): Promise<MutationRow | null> => {
    const began = clock.monotonic();
    const [rows = []] = await database.write(...statements);
    const [row] = rows;
    if (row === undefined) return null;
    confirmed.set(lease.holder, began);
    return tables.parse(row);
  };
  const step = async (
    lease: Lease,
    change: Statement,
    ...others: readonly Statement[]
  ): Promise<MutationRow> => {
    const row = await fenced(lease, must(moved(lease, change)), ...others);
    if (row === null) throw new LeaseLost();
    return row;
  };
  /** Every move counts as a heartbeat, so that a process that judged the row before it can't take it over. */
  const moved = (lease: Lease, change: Statement, condition: Statement = sql`1 = 1`): Statement =>
    sql`UPDATE artwork.mutation SET ${change}, beat = beat + 1, changed_at = ${clock.now()}
        WHERE ${fence(lease)} AND ${condition} RETURNING *`;

  /** Lets a row go: what was being sent may have arrived. */
  const letGo = async (lease: Lease, error: Statement): Promise<MutationRow | null> => {
    try {
      return await fenced(lease, moved(lease, sql`${withdrawn}, holder = NULL, error = ${error}`));
    } finally {
      end(lease.holder);
    }
  };

  return {
    async sequence() {
      const [row] = await database.read(sql`SELECT sequence FROM artwork.store WHERE id = ${store.id}`);
      const found = row === undefined ? -1 : numberIn(row, 'sequence');
      if (found < tables.seen) throw storeReplaced(store.place);
      tables.seen = found;
      return found;
    },

    async claim(account, mutation, since) {
      const holder = judge.start();
      const began = clock.monotonic();
      let isHeld = false;
      try {
        const claimed = await claim(tables, account, mutation, since, holder);
        isHeld = claimed.claim === 'leased';
        if (isHeld) confirmed.set(holder, began);
        return claimed;
      } finally {
        if (!isHeld) end(holder);
      }
    },

    async acquire(seen) {
      if (seen.state === 'settled' || seen.abandonedAt !== null) return null;
      if (judge.isLive(seen.holder, seen.beat)) return null;
      const holder = judge.start();
      const lease: Lease = {
        service: seen.service,
        user: seen.user,
        id: seen.id,
        epoch: seen.epoch + 1,
        holder,
      };
      const began = clock.monotonic();
      let row: MutationRow | null = null;
      try {
        const [rows = []] = await database.write(
          sql`UPDATE artwork.mutation SET ${withdrawn}, epoch = epoch + 1, holder = ${holder}, beat = beat + 1,
              changed_at = ${clock.now()}
              WHERE ${ofChange(seen, seen.id)} AND ${asSeen(seen)} AND abandoned IS NULL RETURNING *`,
        );
        const found = rows[0] === undefined ? await readRow(seen, seen.id) : tables.parse(rows[0]);
        // Not changed, and yet this lease's: by an attempt whose answer was lost.
        row = found?.holder === holder ? found : null;
      } finally {
        if (row === null) end(holder);
      }
      if (row === null) return null;
      confirmed.set(holder, began);
      return { lease, row };
    },

    send(lease, { noticed } = {}) {
      const noting =
        noticed === undefined
          ? []
          : [
              sql`UPDATE artwork.mutation_body SET noticed = ${JSON.stringify(noticed)}
                  WHERE ${ofChange(lease, lease.id)}`,
            ];
      return step(lease, sql`state = 1`, ...noting);
    },

    turnedAway(lease, isTellable) {
      const doubt = isTellable ? 1 : 2;
      return step(lease, sql`state = 0, doubt = CASE WHEN doubt > ${doubt} THEN doubt ELSE ${doubt} END`);
    },

    unsent: (lease) => step(lease, sql`state = 0`),

    clear: (lease) => step(lease, sql`doubt = CASE WHEN doubt = 1 THEN 0 ELSE doubt END`),

    accept: (lease, receipt, submission) =>
      step(
        lease,
        sql`state = 2, receipt = ${JSON.stringify(receipt)}, submission = COALESCE(${submission}, submission),
            error = NULL, lookups = 0, idle = 0`,
      ),

    async changedNothing(lease, outcome, error) {
      const settled = moved(
        lease,
        sql`state = 3, outcome = ${outcome}, error = ${textOf(error)}, holder = NULL, tries = tries + 1,
            settled_seq = ${sequenceNow}`,
        sql`state < 2 AND doubt = 0`,
      );
      const row = await inSequence(tables, must(settled));
      if (row !== undefined) {
        end(lease.holder);
        return tables.parse(row);
      }
      const there = await readRow(lease, lease.id);
      if (there?.holder !== lease.holder) throw new LeaseLost();
      throw new TypeError(
        `It can't be said that nothing was changed by ${lease.id}: ${there.state}, ${there.doubt}.`,
      );
    },

    async leave(lease, error) {
      const row = await letGo(lease, sql`COALESCE(${textOf(error)}, error)`);
      if (row === null) throw new LeaseLost();
      return row;
    },

    async noteItems(lease, notes) {
      if (notes.length > 0) await step(lease, sql`epoch = epoch`, ...itemStatements(lease, notes));
    },

    async heartbeat(lease) {
      const beating = sql`UPDATE artwork.mutation SET beat = beat + 1 WHERE ${fence(lease)} RETURNING *`;
      return (await fenced(lease, beating)) !== null;
    },

    async isHolder(lease) {
      return (
        (await database.read(sql`SELECT 1 AS held FROM artwork.mutation WHERE ${fence(lease)}`)).length === 1
      );
    },

    isFresh({ holder }) {
      const at = confirmed.get(holder);
      return at !== undefined && clock.monotonic() - at <= surelyHeldMs;
    },

    async release(lease) {
      await letGo(lease, sql`error`);
    },

    async conclude(user, id, { outcome, receipt, error }) {
      const kept = receipt === null ? null : JSON.stringify(receipt);
      const row = await inSequence(
        tables,
        must(sql`UPDATE artwork.mutation SET state = 3, outcome = ${outcome}, receipt = COALESCE(${kept}, receipt),
            error = ${textOf(error)}, holder = NULL, settled_seq = ${sequenceNow}, changed_at = ${clock.now()}
            WHERE ${ofChange(user, id)} AND state < 3 RETURNING *`),
      );
      return row === undefined ? readRow(user, id) : tables.parse(row);
    },

    async noteLook(user, id, { isInconclusive, isNews }) {
      const counted = isNews
        ? sql`lookups = 0, idle = 0`
        : sql`lookups = lookups + ${Number(isInconclusive)}, idle = idle + 1`;
      const [rows = []] = await database.write(
        sql`UPDATE artwork.mutation SET ${counted} WHERE ${ofChange(user, id)} AND state < 3 RETURNING *`,
      );
      return rows[0] === undefined ? readRow(user, id) : tables.parse(rows[0]);
    },

    async abandon(user, id) {
      const [rows = []] = await database.write(
        sql`UPDATE artwork.mutation SET ${withdrawn}, epoch = epoch + 1, holder = NULL, changed_at = ${clock.now()},
            abandoned = COALESCE(abandoned, ${clock.now()})
            WHERE ${ofChange(user, id)} AND state < 3 RETURNING *`,
      );
      return rows[0] === undefined ? readRow(user, id) : tables.parse(rows[0]);
    },

    row: readRow,

    async read(user, id) {
      const [row] = await database.read(sql`${records} WHERE ${ofRow(user)} AND m.id = ${id}`);
      return row === undefined ? null : recordIn(tables, row);
    },

    async items(user, id) {
      const all = sql`SELECT * FROM artwork.mutation_item WHERE ${ofChange(user, id)} ORDER BY position`;
      return (await database.read(all)).map(parseItem);
    },

    findConflict: (account, id, keys, since) => findConflict(tables, account, id, keys, since),

    async list(user, filter) {
      const { standing, since, after, limit } = filter;
      const position =
        after === undefined ? sql`1 = 1` : sql`(m.created_at, m.id) < (${after.createdAt}, ${after.id})`;
      const lately = since === undefined ? sql`1 = 1` : sql`m.changed_at >= ${since}`;
      // How a row stands depends on whether its process lives, so what may fit is read, and looked at.
      const asked = standing === undefined || standing === 'open' ? limit : mostListed;
      const rows = await database.read(
        sql`${records} WHERE ${ofRow(user)} AND ${position} AND ${lately} AND ${mayStand(standing)}
            ORDER BY m.created_at DESC, m.id DESC LIMIT ${asked}`,
      );
      const found = rows.map((row) => recordIn(tables, row));
      const fits = found.filter(
        ({ row }) => standing === undefined || standing === 'open' || standingOf(row) === standing,
      );
      const page = fits.slice(0, limit);
      const last = page.length === limit ? page.at(-1) : rows.length === asked ? found.at(-1) : undefined;
      return {
        records: page,
        next: last === undefined ? null : { createdAt: last.row.createdAt, id: last.row.id },
      };
    },

    async countOpen(user) {
      const [row = {}] = await database.read(
        sql`SELECT count(*) AS open FROM artwork.mutation m WHERE ${ofRow(user)} AND ${isOpen}`,
      );
      return numberIn(row, 'open');
    },

    async mayNeedCopies(keeper, since) {
      const rows = await database.read(
        sql`SELECT 1 AS needed FROM artwork.mutation_body b CROSS JOIN artwork.mutation m
            WHERE b.keeper = ${keeper} AND ${isSameRow} AND ((${isOpen})
            OR (m.outcome IN (${'not_sent'}, ${'refused'}) AND m.changed_at >= ${since}))`,
      );
      return rows.length > 0;
    },
  };
}

/** The most rows of which a page of one standing is made. */
const mostListed = 200;

/** The row as this lease left it. */
function fence(lease: Lease): Statement {
  return sql`${ofChange(lease, lease.id)} AND epoch = ${lease.epoch} AND holder = ${lease.holder}`;
}

/** No request is under way any more, and if one was, nobody heard its answer. */
const withdrawn: Statement = sql`doubt = CASE WHEN state = 1 THEN 2 ELSE doubt END,
  state = CASE WHEN state = 1 THEN 0 ELSE state END`;

function ofRow({ service, user }: UserScope): Statement {
  return sql`m.service = ${service} AND m.person = ${user}`;
}

function mayStand(standing: ListFilter['standing']): Statement {
  if (standing === undefined) return sql`1 = 1`;
  if (standing === 'open') return isOpen;
  const outcome = settledOutcomes.find((name) => name === standing);
  if (outcome === undefined) return sql`m.state < 3`;
  return sql`(m.outcome = ${outcome} OR m.state < 3)`;
}

/** What is noted of many items is often the same. */
function itemStatements(lease: Lease, notes: readonly ItemNote[]): Statement[] {
  const groups = new Map<string, { readonly change: Statement; readonly items: string[] }>();
  for (const { item, state, untouched, error } of notes) {
    const told = error === undefined ? sql`error` : sql`${textOf(error)}`;
    const change = sql`state = ${itemStates.indexOf(state)}, untouched = COALESCE(${untouched ?? null}, untouched),
      error = ${told}`;
    const key = JSON.stringify([state, untouched, error]);
    const group = groups.get(key) ?? { change, items: [] };
    group.items.push(item);
    groups.set(key, group);
  }
  return [...groups.values()].map(
    ({ change, items }) => sql`UPDATE artwork.mutation_item SET ${change}
      WHERE ${ofChange(lease, lease.id)} AND item IN (${listed(items.map((item) => sql`${item}`))})`,
  );
}

function textOf(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value);
}
