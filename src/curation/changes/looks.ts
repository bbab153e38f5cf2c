import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import type { OwnState } from '../../storage/own-state.ts';
import { type ChangesQuestion, scopes } from './change.ts';

/** Up to where something has been told, of each feed: one may be quiet for long while the other is not. */
const mark = z.object({
  /** As the answer gives it. */
  until: z.string(),
  /** From when on each feed is read the next time, milliseconds since 1970: some time is read once more. */
  from: z.object({ assets: z.number(), sets: z.number() }),
  /** What was told of the time that is read once more, by its keys. */
  told: z.array(z.string()),
  scope: z.enum(scopes),
  changeType: z.string().nullable(),
  slot: z.string().nullable(),
});

export type Mark = Readonly<z.output<typeof mark>>;

const stored = z.object({
  version: z.literal(1),
  /** What was answered, until it is acknowledged: the newest last. */
  offered: z.array(mark),
  /** One for each way of asking. */
  seen: z.array(mark),
});

type Stored = z.output<typeof stored>;

/** How late a feed may show something, in milliseconds: for so long before its newest change it is read once more. */
export const lateness = 60 * 60_000;

const mostOffered = 20;
const mostSeen = 50;
const mostTold = 5_000;

/** What the person has looked at, of one user and service on this machine. */
export interface Looks {
  /** The newest that was acknowledged and told all that is asked for now; null: none was. */
  last(asked: ChangesQuestion): Promise<Mark | null>;
  /** Keeps what an answer has told, so that it can be acknowledged. */
  offer(mark: Mark): Promise<void>;
  /** All answers up to this have been seen. @throws ArtworkError `invalid_arguments` for a time that is still to come */
  acknowledge(until: string, asked: ChangesQuestion, now: number): Promise<void>;
}

/** Keeps up to when a person has looked at what changed, in this user's own state. */
export function keepLastLooks(state: OwnState): Looks {
  return {
    async last(asked) {
      const { seen } = looksOf(await state.read());
      const covering = seen.filter((one) => covers(one, asked));
      return covering.sort((one, other) => Date.parse(other.until) - Date.parse(one.until))[0] ?? null;
    },
    async offer(given) {
      const offered = { ...given, told: given.told.slice(-mostTold) };
      await state.update((now) => {
        const looks = looksOf(now);
        const others = looks.offered.filter(
          (one) => !(isAskedAlike(one, offered) && one.until === offered.until),
        );
        return { ...looks, offered: [...others, offered].slice(-mostOffered) };
      });
    },
    async acknowledge(until, asked, now) {
      const moment = Date.parse(until);
      await state.update((value) => {
        const looks = looksOf(value);
        const meant = looks.offered.filter((one) => Date.parse(one.until) === moment);
        // What an answer offered had passed then: only the clock of this machine can have gone back.
        if (meant.length === 0 && moment > now) throw stillToCome();
        const plain = { until, from: { assets: moment, sets: moment }, told: [], ...asked };
        const marks: readonly Mark[] = meant.length > 0 ? meant : [plain];
        return { ...looks, seen: marks.reduce(withSeen, looks.seen) };
      });
    },
  };
}

/** A person may have gone back on purpose: the latest word stands. */
function withSeen(seen: readonly Mark[], next: Mark): Mark[] {
  const others = seen.filter((one) => !isAskedAlike(one, next));
  return [...others, next].slice(-mostSeen);
}

/** Whether what was told for the one holds all that the other asks for. */
function covers(one: Mark, asked: ChangesQuestion): boolean {
  const holds = (mine: string | null, its: string | null) => mine === null || mine === its;
  return (
    (one.scope === 'all' || one.scope === asked.scope) &&
    holds(one.changeType, asked.changeType) &&
    holds(one.slot, asked.slot)
  );
}

function isAskedAlike(one: ChangesQuestion, other: ChangesQuestion): boolean {
  return one.scope === other.scope && one.changeType === other.changeType && one.slot === other.slot;
}

function looksOf(value: unknown): Stored {
  if (value === undefined) return { version: 1, offered: [], seen: [] };
  const parsed = stored.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ArtworkError(
    'internal',
    'What was seen of the changes is damaged in the store, or was written by a newer version: update artwork-mcp, or restore the whole data folder from a backup.',
    { code: 'store_unreadable' },
  );
}

function stillToCome(): ArtworkError {
  return new ArtworkError(
    'invalid_arguments',
    'seenUntil lies in the future: hand back the until of an answer, or a time that has passed.',
    { issues: [{ code: 'seenUntil', message: 'is still to come', path: ['seenUntil'] }] },
  );
}
