import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from '../support/scripted-service.ts';

export interface Change {
  readonly assetId: string;
  readonly kind: 'asset';
  readonly slot: string;
  readonly target: { readonly id: number; readonly kind: string };
  readonly changeType: string;
  readonly changedAt: string;
  readonly previousAssetId: null;
  readonly replacements: readonly never[];
}

/** A feed of Assets whose later pages stand at paths that nothing but `meta.nextPage` tells. */
export interface ScriptedFeed {
  /** Newest first. */
  changes: Change[];
  readonly answer: (request: IncomingMessage, response: ServerResponse) => void;
  /** Paths that were asked for and that the feed had never named. */
  readonly guessed: string[];
  /** Lets every snapshot be gone. */
  expire(): void;
  /** Done once, just before the page of this number is answered. */
  beforePage(page: number, work: () => void): void;
}

const pageSize = 10;

/** @param prefix of the base address; @param written what the feed writes before its paths */
export function scriptedFeed(count: number, prefix = '', written = ''): ScriptedFeed {
  const pages = new Map<
    string,
    { readonly snapshot: string; readonly page: number; readonly of: Change[] }
  >();
  const named = new Set(['/feeds/assets']);
  const before: { page: number; work: () => void }[] = [];
  const guessed: string[] = [];

  const send = (response: ServerResponse, snapshot: string, page: number, of: Change[]) => {
    const totalPages = Math.max(1, Math.ceil(of.length / pageSize));
    let nextPage: string | null = null;
    if (page < totalPages) {
      nextPage = `/feeds/assets/pages/${randomUUID()}`;
      named.add(nextPage);
      pages.set(nextPage, { snapshot, page: page + 1, of });
    }
    json(response, 200, {
      data: of.slice((page - 1) * pageSize, page * pageSize),
      meta: { snapshot, page, totalPages, nextPage: nextPage === null ? null : written + nextPage },
    });
  };
  const feed: ScriptedFeed = {
    changes: Array.from({ length: count }, (_, index) => change(count - index)),
    guessed,
    expire: () => pages.clear(),
    beforePage: (page, work) => before.push({ page, work }),
    answer(request, response) {
      const path = (request.url ?? '').slice(prefix.length);
      if (!named.has(path) || !(request.url ?? '').startsWith(prefix)) {
        guessed.push(request.url ?? '');
        json(response, 404, { data: null, error: { code: 'not_found', message: 'There is no such page.' } });
        return;
      }
      const number = pages.get(path)?.page ?? 1;
      const due = before.findIndex(({ page }) => page === number);
      if (due >= 0) before.splice(due, 1)[0]?.work();
      const found = pages.get(path);
      if (found !== undefined) send(response, found.snapshot, found.page, found.of);
      else if (path === '/feeds/assets') send(response, randomUUID(), 1, [...feed.changes]);
      else json(response, 410, { data: null, error: { code: 'snapshot.expired', message: 'Gone.' } });
    },
  };
  return feed;
}

/** The change of this number: the higher, the newer. */
export function change(number: number): Change {
  return {
    assetId: `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`,
    kind: 'asset',
    slot: number % 2 === 0 ? 'poster' : 'backdrop',
    target: { id: 1, kind: 'movie' },
    changeType: 'added',
    changedAt: new Date(Date.UTC(2026, 0, 1) + number * 60_000).toISOString(),
    previousAssetId: null,
    replacements: [],
  };
}
