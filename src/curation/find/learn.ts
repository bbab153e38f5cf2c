import type { Transaction } from '../../store/libsql.ts';
import { addWords, removeWords, Vocabulary, type Worded } from './index-words.ts';
import { listBy, putRecord, recordsBy, titleReferenceOf, type TitleRecord } from './record.ts';
import { codeOfKind, hasTargets, type Sighting, type TitleKind, type TitleReference } from './title-index.ts';

/** What was seen again within this time and is as it was is not written again. ms */
const sameFor = 10 * 60_000;

/**
 * Keeps sightings, within one transaction.
 * @param isFull nothing is added; what the index has is still updated
 */
export function learnSightings(
  sql: Transaction,
  sightings: readonly Sighting[],
  now: number,
  isFull: boolean,
): void {
  const learning = new Learning(sql, now, isFull);
  // Each episode of a page shows its show once more.
  const distinct = new Map(sightings.map((sighting) => [JSON.stringify(sighting), sighting]));
  learning.lookUp([...distinct.values()]);
  for (const sighting of distinct.values()) learning.see(sighting);
  learning.end();
  for (const table of ['work_words', 'part_words']) mergeIndexSegments(sql, table, mergedPages);
}

/** Pages of each full-text index that are merged with every transaction: fewer segments are searched faster. */
const mergedPages = 20;

/**
 * Merges some segments of a full-text table of the index, so that fewer are searched.
 * @returns whether there was anything to merge
 */
export function mergeIndexSegments(sql: Transaction, table: string, pages: number): boolean {
  // SQLite counts two changes or more where it merged (FTS5, the merge command).
  const before = changesOf(sql);
  sql.run(`INSERT INTO ${table} (${table}, rank) VALUES (CAST(? AS TEXT), ?)`, ['merge', pages]);
  return changesOf(sql) - before > 1;
}

function changesOf(sql: Transaction): number {
  const changes = sql.row('SELECT total_changes() AS changes', [])?.changes;
  return typeof changes === 'number' ? changes : 0;
}

/** Takes what is gone out of the index, within one transaction. */
export function forgetTitle(sql: Transaction, gone: TitleReference, now: number): void {
  const learning = new Learning(sql, now, false);
  learning.forget(gone);
  learning.end();
}

class Learning {
  readonly #sql: Transaction;
  readonly #now: number;
  readonly #isFull: boolean;
  readonly #vocabulary: Vocabulary;
  readonly #named = new Map<TitleKind, number>();
  /** What the file holds of those that are seen now; null for nothing. */
  readonly #known = new Map<string, TitleRecord | null>();

  constructor(sql: Transaction, now: number, isFull: boolean) {
    this.#sql = sql;
    this.#now = now;
    this.#isFull = isFull;
    this.#vocabulary = new Vocabulary(sql);
  }

  /** All at once: one question for each would take as long as all the rest. */
  lookUp(titles: readonly TitleReference[]): void {
    for (const title of titles) this.#known.set(placeOf(title), null);
    const found = recordsBy(
      this.#sql,
      `json_each(CAST(? AS TEXT)) AS each
       CROSS JOIN title ON title.kind = each.value ->> 0 AND title.ref = each.value ->> 1`,
      titles.map(({ kind, id }) => [codeOfKind(kind), id]),
    );
    for (const record of found) this.#known.set(placeOf(record), record);
  }

  #find(title: TitleReference): TitleRecord | null {
    if (!this.#known.has(placeOf(title))) this.lookUp([title]);
    return this.#known.get(placeOf(title)) ?? null;
  }

  see(sighting: Sighting): void {
    const before = this.#find(sighting);
    if (before === null && this.#isFull) return;
    const after = merged(before, sighting, this.#now);
    const targetsBefore = before === null || !hasTargets(before.kind) ? [] : targetsOf(this.#sql, before.row);
    const targets = sighting.targets ?? targetsBefore;
    const retargeted = JSON.stringify(targets) !== JSON.stringify(targetsBefore);
    if (before !== null && !retargeted && isAsBefore(before, after, this.#now)) return;
    const row = putRecord(this.#sql, after);
    this.#known.set(placeOf(after), { ...after, row });
    if (retargeted) putTargets(this.#sql, row, targets);
    if (
      before === null ||
      retargeted ||
      before.name !== after.name ||
      before.show !== after.show ||
      before.creator !== after.creator
    ) {
      if (before !== null) removeWords(this.#sql, this.#worded(before, targetsBefore), this.#vocabulary);
      addWords(this.#sql, this.#worded({ ...after, row }, targets), this.#vocabulary);
    }
    const namesIn = (record: Pick<TitleRecord, 'name'> | null) => (record?.name == null ? 0 : 1);
    this.#count(after.kind, namesIn(after) - namesIn(before));
  }

  forget(gone: TitleReference): void {
    const found = this.#find(gone);
    if (found === null) return;
    removeWords(this.#sql, this.#worded(found, targetsOf(this.#sql, found.row)), this.#vocabulary);
    this.#sql.run('DELETE FROM target WHERE title = ?', [found.row]);
    this.#sql.run('DELETE FROM title WHERE id = ?', [found.row]);
    this.#known.set(placeOf(gone), null);
    this.#count(found.kind, found.name === null ? 0 : -1);
  }

  /** Writes what is counted once for all. */
  end(): void {
    this.#vocabulary.write();
    for (const [kind, more] of this.#named) {
      this.#sql.run(
        `INSERT INTO tally (kind, named, latest) VALUES (?, ?, ?)
         ON CONFLICT (kind) DO UPDATE SET named = named + excluded.named, latest = excluded.latest`,
        [codeOfKind(kind), more, this.#now],
      );
    }
  }

  #count(kind: TitleKind, more: number): void {
    this.#named.set(kind, (this.#named.get(kind) ?? 0) + more);
  }

  /** A Set is found by its creator's row, which is made where the Set comes first. */
  #worded(record: TitleRecord, targets: readonly TitleReference[]): Worded {
    if (record.creator === null || record.kind === 'creator') return { record, targets, creatorRow: null };
    const creator: Sighting = { kind: 'creator', id: record.creator, name: record.creator };
    if (this.#find(creator) === null) this.see(creator);
    return { record, targets, creatorRow: this.#find(creator)?.row ?? null };
  }
}

/** An id that is a number is another one than the same digits as text. */
function placeOf({ kind, id }: TitleReference): string {
  return JSON.stringify([kind, id]);
}

function targetsOf(sql: Transaction, row: number): TitleReference[] {
  const targets = '(SELECT kind, ref FROM target WHERE title = ? ORDER BY place)';
  return listBy(sql, 'kind, ref', targets, [row]).flatMap(titleReferenceOf);
}

function merged(before: TitleRecord | null, sighting: Sighting, now: number): Omit<TitleRecord, 'row'> {
  const { kind, id } = sighting;
  return {
    kind,
    id,
    name: sighting.name ?? before?.name ?? null,
    year: sighting.year ?? before?.year ?? null,
    date: sighting.date ?? before?.date ?? null,
    show: sighting.show ?? before?.show ?? null,
    season: sighting.season ?? before?.season ?? null,
    episode: sighting.episode ?? before?.episode ?? null,
    creator: sighting.creator ?? before?.creator ?? null,
    slot: sighting.slot ?? before?.slot ?? null,
    language: sighting.language ?? before?.language ?? null,
    updated: sighting.updated ?? before?.updated ?? null,
    isOwn: sighting.isOwn ?? before?.isOwn ?? false,
    seen: now,
    read: sighting.whole === true ? now : (before?.read ?? null),
    changed: changeToRead(before, sighting),
  };
}

/** When the latest change was that its record was not read since. */
function changeToRead(before: TitleRecord | null, { whole, changed }: Sighting): number | null {
  if (whole === true) return null;
  const known = before?.changed ?? null;
  if (changed === undefined || changed <= (before?.read ?? -1)) return known;
  return Math.max(changed, known ?? 0);
}

function isAsBefore(before: TitleRecord, after: Omit<TitleRecord, 'row'>, now: number): boolean {
  if (now - before.seen > sameFor) return false;
  if (after.read !== before.read && now - (before.read ?? 0) > sameFor) return false;
  const { row: _, ...was } = before;
  return JSON.stringify({ ...was, seen: 0, read: 0 }) === JSON.stringify({ ...after, seen: 0, read: 0 });
}

function putTargets(sql: Transaction, row: number, targets: readonly TitleReference[]): void {
  sql.run('DELETE FROM target WHERE title = ?', [row]);
  for (const [place, { kind, id }] of targets.entries()) {
    sql.run(
      `INSERT OR IGNORE INTO target (kind, ref, title, place)
       SELECT j ->> 0, j ->> 1, j ->> 2, j ->> 3 FROM (SELECT CAST(? AS TEXT) AS j)`,
      [JSON.stringify([codeOfKind(kind), id, row, place])],
    );
  }
}
