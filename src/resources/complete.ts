import type { Titles } from '../mcp/context.ts';
import { entityKind, setKind } from '../mcp/kinds.ts';
import type { CompleteId } from '../mcp/surface.ts';

/** Hosts take no more at a time (Model Context Protocol, Completion). */
const most = 100;
/** Below it a title is not what was typed. */
const likeEnough = 0.4;

/** Ids of a kind from the titles that have gone by: by their first digits, or for a name, the likeliest first. */
export function createCompletion(titles: Pick<Titles, 'index' | 'mode'>): CompleteId {
  return async (kind, typed) => {
    const known = [entityKind, setKind].flatMap((kinds) => kinds.safeParse(kind).data ?? [])[0];
    if (known === undefined || typed.trim() === '' || titles.mode === 'off') return [];
    const index = await titles.index();
    if (/^\d+$/.test(typed)) return (await index.idsFrom(known, typed, most)).map(String);
    const { hits } = await index.search({ query: typed, kind: known, offset: 0, limit: 20 });
    return hits.filter(({ likeness }) => likeness >= likeEnough).map(({ id }) => String(id));
  };
}
