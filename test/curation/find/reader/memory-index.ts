import type { Clock } from '../../../../src/clock.ts';
import type { ReaderIndex } from '../../../../src/curation/find/reader/ports.ts';
import type { Sighting, TitleReference } from '../../../../src/curation/find/title-index.ts';

type Kept = TitleReference & {
  readonly name: string | undefined;
  readonly read: number | null;
  readonly changed: number | null;
};

export interface MemoryIndex extends ReaderIndex {
  readonly notes: Map<string, string>;
  readonly titles: ReadonlyMap<string, Kept>;
}

/** What a reader needs of the index, in memory and without waiting for anything. */
export function memoryIndex(clock: Pick<Clock, 'now'>): MemoryIndex {
  const notes = new Map<string, string>();
  const titles = new Map<string, Kept>();
  const keyOf = ({ kind, id }: TitleReference) => `${kind} ${id}`;
  const learn = ({ kind, id, name, whole, changed: at = -1 }: Sighting) => {
    const before = titles.get(keyOf({ kind, id }));
    const read = whole === true ? clock.now() : (before?.read ?? null);
    const known = before?.changed ?? null;
    const changed = whole === true ? null : at > (before?.read ?? -1) ? Math.max(at, known ?? 0) : known;
    titles.set(keyOf({ kind, id }), { kind, id, name: name ?? before?.name, read, changed });
  };
  const isDue = ({ read, name }: Kept, readBefore: number, only: 'unnamed' | 'unread') =>
    (read === null || read < readBefore) && (only === 'unread' || name === undefined);
  return {
    isFull: async () => false,
    notes,
    titles,
    async learn(sightings, note) {
      sightings.forEach(learn);
      if (note !== undefined) notes.set(note.name, note.value);
    },
    async forget(gone) {
      titles.delete(keyOf(gone));
    },
    async changed(limit) {
      return [...titles.values()]
        .flatMap(({ kind, id, changed }) => (changed === null ? [] : [{ kind, id, changed }]))
        .sort((one, other) => other.changed - one.changed)
        .slice(0, limit);
    },
    async due(kind, readBefore, limit, only = 'unread') {
      return [...titles.values()]
        .filter((one) => one.kind === kind && isDue(one, readBefore, only))
        .sort((one, other) => (one.read ?? 0) - (other.read ?? 0))
        .slice(0, limit)
        .map(({ id }) => ({ kind, id }));
    },
    async countDue(wanted, readBefore) {
      const due = wanted.flatMap(([kind, only]) =>
        [...titles.values()].filter((one) => one.kind === kind && isDue(one, readBefore, only)).map(keyOf),
      );
      return new Set(due).size;
    },
    note: async (name) => notes.get(name) ?? null,
    async setNote(name, value) {
      if (value === null) notes.delete(name);
      else notes.set(name, value);
    },
    async swapNote(name, before, after) {
      if ((notes.get(name) ?? null) !== before) return false;
      await this.setNote(name, after);
      return true;
    },
    async setComplete(at) {
      if (at === null) notes.delete('complete');
      else notes.set('complete', String(at));
    },
  };
}
