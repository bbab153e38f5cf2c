import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalAnswer } from '../../canonical-json.ts';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, IndexedEpisode } from '../../catalogue/records/kinds.ts';
import { type ListStep, listPlace, readListPage } from '../../curation/changes/feeds.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import {
  factsOfPage,
  leadInCircle,
  mostPages,
  noPage,
  type PageFacts,
  pageBudget,
  readCursor,
  writeCursor,
} from '../../mcp/pages.ts';

/** Where a reading goes on. */
const position = z.object({
  place: listPlace.nullable(),
  /** Fingerprints of the elements that were passed last: what comes up to them was told. */
  passed: z.array(z.string()).max(3),
  /** They are still to be found, from `place` on. */
  seeking: z.boolean(),
});
type Position = z.output<typeof position>;

type Arguments = Readonly<Record<string, unknown>> & { readonly limit: number };

interface Reading<Item> {
  readonly tool: string;
  readonly args: Arguments;
  /** The first page for null. @throws ArtworkError `snapshot_expired` */
  read(page: string | null): Promise<CataloguePage<Item>>;
  passes(item: Item): boolean;
  /** ms since 1970; left out: the list is read to its end. */
  readonly since?: number;
}

interface Part<Item> {
  readonly items: readonly Item[];
  /** Every element that was looked at, whether it passed or not. */
  readonly looked: readonly Item[];
  readonly nextCursor: string | null;
  /** Of the page that was read last. */
  readonly facts: PageFacts;
  /** It goes on in another snapshot, whose beginning may be new. */
  readonly moved: boolean;
}

/**
 * The part of a feed, or of the index of episodes, that a call is answered with: pages as `readListPage` reads them. A
 * place within a page, or in a snapshot that has expired, is found again by the elements that were passed last, so that
 * none comes twice.
 * @throws ArtworkError `snapshot_expired`, with the call that starts again, where that place can't be found
 */
export async function readPart<Item extends FeedItem | IndexedEpisode>(reading: Reading<Item>) {
  const { tool, args, read, passes, since = Number.NEGATIVE_INFINITY } = reading;
  const begin: Position = readCursor(tool, args, position) ?? { place: null, passed: [], seeking: false };
  const known = new Set(begin.passed);
  const [items, looked]: [Item[], Item[]] = [[], []];
  let [at, facts, budget] = [begin, noPage, pageBudget];
  let moved = begin.seeking && begin.place?.isBegunAnew === true;
  const part = (next: Position | null): Part<Item> => {
    const nextCursor = next === null ? null : writeCursor(tool, args, next);
    return { items, looked, nextCursor, facts, moved };
  };
  const open = async (page: string | null) => {
    const found = await read(page).catch((error: unknown) => {
      throw page === null && isExpired(error) ? expired(reading, error) : error;
    });
    facts = factsOfPage(found);
    return found;
  };
  for (let pages = 0; pages < mostPages; pages += 1) {
    const step: ListStep<Item> = await readListPage(at.place, { read: open, since, now: Date.now() });
    for (const [index, item] of step.items.entries()) {
      const mark = fingerprint(item);
      if (at.seeking || known.has(mark)) {
        at = { ...at, seeking: at.seeking && !known.has(mark) };
        continue;
      }
      if (passes(item)) {
        budget -= JSON.stringify(item).length + 1;
        const isFull = items.length === args.limit || (budget < 0 && items.length > 0);
        if (isFull) return part({ ...at, seeking: index > 0 });
        items.push(item);
      }
      looked.push(item);
      at = { ...at, passed: [...at.passed, mark].slice(-3) };
    }
    if (step.state === 'circle') throw leadInCircle();
    if (step.state === 'gone' || (step.next === null && at.seeking)) throw expired(reading, null);
    if (step.next === null) return part(null);
    const isAnew = step.next.isBegunAnew && step.next.page === null;
    const seeking = isAnew ? at.passed.length > 0 : at.seeking;
    moved ||= seeking;
    // A snapshot in which the place was found may expire as the first one did.
    at = {
      ...at,
      seeking,
      place: { ...step.next, isBegunAnew: step.next.isBegunAnew && (isAnew || seeking) },
    };
    // What was read stays; the next call begins anew.
    if (items.length === args.limit || (isAnew && looked.length > 0)) break;
  }
  return part(at);
}

function isExpired(error: unknown): error is ArtworkError {
  return error instanceof ArtworkError && error.failure === 'snapshot_expired';
}

/** @param error null: the place was not found */
function expired(
  { tool, args }: Pick<Reading<never>, 'tool' | 'args'>,
  error: ArtworkError | null,
): ArtworkError {
  const { cursor, ...again } = args;
  const facts = error === null ? {} : { code: error.code, status: error.status };
  if (cursor === undefined) {
    const message = 'The service says that its newest snapshot has expired. The service has a fault.';
    const next: Next = { why: 'Try again later. Until then get_entity and get_set show what there is.' };
    return new ArtworkError('snapshot_expired', message, { ...facts, next });
  }
  const message = 'The service has changed this list, and no longer has what you read last.';
  const why = 'This starts again at the beginning. What you have read may come again.';
  return new ArtworkError('snapshot_expired', message, { ...facts, next: { tool, arguments: again, why } });
}

function fingerprint(item: unknown): string {
  return createHash('sha256').update(canonicalAnswer(item)).digest('base64url').slice(0, 16);
}
