import { createHash } from 'node:crypto';
import { z } from 'zod';
import { canonicalAnswer } from '../../canonical-json.ts';
import type { CataloguePage } from '../../catalogue/client.ts';
import { ArtworkError, type Next } from '../../errors.ts';
import {
  collectPages,
  cursorPosition,
  factsOfPage,
  noPage,
  type PageFacts,
  readCursor,
  writeCursor,
} from '../../mcp/pages.ts';

/** Where a reading goes on, and what finds the place again where its snapshot is gone by then. */
const position = cursorPosition.extend({
  /** Fingerprints of the elements that were passed last. */
  passed: z.array(z.string()).max(3),
  /** The place is still to be found, from `page` on. */
  seeking: z.boolean(),
});

type Arguments = Readonly<Record<string, unknown>> & { readonly limit: number };

interface Reading<Item> {
  readonly tool: string;
  readonly args: Arguments;
  /** The first page for null. @throws ArtworkError `snapshot_expired` */
  read(page: string | null): Promise<CataloguePage<Item>>;
  passes(item: Item): boolean;
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
 * The part of a feed, or of the index of episodes, that a call is answered with (interface document, Public reads, rule
 * 3): later pages come by `meta.nextPage` alone. Where a snapshot has expired it reads from the first page on, and goes
 * on behind the elements that were passed last, so that none comes twice.
 * @throws ArtworkError `snapshot_expired`, with the call that starts again, where that place can't be found
 */
export async function readPart<Item>({ tool, args, read, passes }: Reading<Item>): Promise<Part<Item>> {
  const start = readCursor(tool, args, position);
  const known = new Set(start?.passed);
  const looked: Item[] = [];
  let passed = start?.passed ?? [];
  let facts = noPage;
  let seeking = start?.seeking ?? false;
  let moved = seeking;

  const open = async (page: string | null) => {
    const found = await read(page).catch((error: unknown) => {
      throw isExpired(error) && page === null ? expired(tool, args, error) : error;
    });
    facts = factsOfPage(found);
    return found;
  };
  const startOver = async () => {
    seeking = known.size > 0;
    moved = true;
    return { ...(await open(null)), from: { page: null, offset: 0 } };
  };
  const { items, next } = await collectPages<Item>({
    start: start === null ? { page: null, offset: 0 } : { ...start },
    limit: args.limit,
    async read({ page, offset }) {
      try {
        const found = await open(page);
        const before = found.items[offset - 1];
        const isSame = before !== undefined && fingerprint(before) === passed.at(-1);
        // Else the list has changed below the cursor: the first page has no path that would hold it to a snapshot.
        return offset === 0 || isSame || moved ? found : await startOver();
      } catch (error) {
        if (!isExpired(error) || page === null) throw error;
        if (moved) throw expired(tool, args, error);
        // What was read stays. The next call begins with the expired page.
        return looked.length > 0 ? null : await startOver();
      }
    },
    keep: (item) => !seeking && !(moved && known.has(fingerprint(item))) && passes(item),
    passed(item) {
      const mark = fingerprint(item);
      if (seeking) seeking = !known.has(mark);
      else if (!moved || !known.has(mark)) {
        looked.push(item);
        passed = [...passed, mark].slice(-3);
      }
    },
  });
  if (seeking && next === null) throw expired(tool, args, null);
  const nextCursor = next === null ? null : writeCursor(tool, args, { ...next, passed, seeking });
  return { items, looked, nextCursor, facts, moved };
}

function isExpired(error: unknown): error is ArtworkError {
  return error instanceof ArtworkError && error.failure === 'snapshot_expired';
}

/** @param error null: the place was not found */
function expired(tool: string, { cursor, ...again }: Arguments, error: ArtworkError | null): ArtworkError {
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
