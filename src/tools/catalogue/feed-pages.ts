import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalAnswer } from '../../canonical-json.ts';
import type { CataloguePage } from '../../catalogue/client.ts';
import type { FeedItem, IndexedEpisode } from '../../catalogue/records/kinds.ts';
import { listPlace, readListPage } from '../../curation/changes/feeds.ts';
import { ArtworkError } from '../../errors.ts';
import {
  factsOfPage,
  leadInCircle,
  mostPages,
  noPage,
  pageBudget,
  readCursor,
  writeCursor,
} from '../../mcp/pages.ts';

/** Where a reading goes on: behind an element, which is looked for from a page on, or at the beginning of that page. */
const position = z.object({ place: listPlace.nullable(), after: z.string().nullable() });
type Position = z.output<typeof position>;

interface Reading<Item> {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>> & { readonly limit: number };
  /** The first page for null. */
  read(page: string | null): Promise<CataloguePage<Item>>;
  passes(item: Item): boolean;
  /** ms since 1970; left out: the list is read to its end. */
  readonly since?: number;
}

/**
 * The part of a feed, or of the index of episodes, that a call is answered with: pages as `readListPage` reads them. A
 * place within a page is found again by the element that was passed last, since the first page grows.
 * @returns the items, every element that was looked at, the cursor, and the facts of the page that was read last
 * @throws ArtworkError `snapshot_expired`, with the call that starts again, where what was read is gone
 */
export async function readPart<Item extends FeedItem | IndexedEpisode>(reading: Reading<Item>) {
  const { tool, args, read, passes, since = Number.NEGATIVE_INFINITY } = reading;
  let { place, after }: Position = readCursor(tool, args, position) ?? { place: null, after: null };
  let isSeeking = after !== null;
  const [items, looked]: [Item[], Item[]] = [[], []];
  let [facts, budget] = [noPage, pageBudget];
  const part = (next: Position | null) => {
    return { items, looked, facts, nextCursor: next === null ? null : writeCursor(tool, args, next) };
  };
  const open = async (page: string | null) => {
    const found = await read(page).catch((error: unknown) => {
      throw page !== null && isGone(error) ? expired(reading) : error;
    });
    facts = factsOfPage(found);
    return found;
  };
  for (let pages = 0; pages < mostPages && items.length < args.limit; pages += 1) {
    const step = await readListPage(place, { read: open, since, now: Date.now() });
    if (step.state === 'circle') throw leadInCircle();
    const marks = step.items.map(fingerprint);
    const from = isSeeking && after !== null ? marks.lastIndexOf(after) + 1 : 0;
    isSeeking &&= from === 0;
    for (const [index, item] of isSeeking ? [] : step.items.entries()) {
      if (index < from) continue;
      if (passes(item)) {
        budget -= JSON.stringify(item).length + 1;
        if (items.length === args.limit || (budget < 0 && items.length > 0)) return part({ place, after });
        items.push(item);
      }
      looked.push(item);
      after = marks[index] ?? null;
    }
    if ((step.next === null && isSeeking) || step.next?.isBegunAnew) throw expired(reading);
    if (step.next === null) return part(null);
    place = step.next;
    if (!isSeeking) after = null;
  }
  return part({ place, after });
}

/** The index of episodes has no snapshots: where it has shrunk, a later page of it is not found. */
function isGone(error: unknown): boolean {
  return error instanceof ArtworkError && ['snapshot_expired', 'not_found'].includes(error.failure);
}

function expired({
  tool,
  args: { cursor: _, ...again },
}: Pick<Reading<never>, 'tool' | 'args'>): ArtworkError {
  const message = 'The service has changed this list, and no longer has what you read last.';
  const why = 'This starts again at the beginning. What you have read may come again.';
  return new ArtworkError('snapshot_expired', message, { next: { tool, arguments: again, why } });
}

function fingerprint(item: unknown): string {
  return createHash('sha256').update(canonicalAnswer(item)).digest('base64url').slice(0, 16);
}
