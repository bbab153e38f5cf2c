import { ArtworkError } from '../../errors.ts';
import { mediaSetTargets } from '../../model/kinds.ts';
import type { TitleKind } from '../../model/sightings.ts';
import type { Settings } from '../../settings.ts';
import { withoutOwnNotation } from '../../text.ts';
import type { Hit, TitleSearch } from './titles.ts';

/** The index of titles, where it is not switched off. */
interface Searched {
  readonly mode: Settings['index'];
  index(): Promise<TitleSearch>;
}

/** Titles for what a person has typed so far of one. Reads nothing of the catalogue. */
type CompleteTitle = (typed: string, kind: TitleKind | 'set' | null) => Promise<readonly string[]>;

const most = 20;
/** Longer than any title with what is written behind it. */
const longestTyped = 1_000;
/** Below it a title is not what was typed. */
const likeEnough = 0.4;

/** The titles that what is typed may become, best first. Nothing is read of the catalogue for it. */
export async function titlesLike(
  titles: Searched,
  query: string,
  kind: TitleKind | 'set' | null,
): Promise<readonly Hit[]> {
  if (titles.mode === 'off' || query.trim() === '') return [];
  const index = await titles.index();
  const { hits } = await index.search({
    ...{ query, isUnfinished: true, kind: kind ?? undefined },
    ...{ offset: 0, limit: most * 2 },
  });
  return hits.filter(({ likeness }) => likeness >= likeEnough);
}

/** What a person looks for by its title where any work will do. */
const works: ReadonlySet<TitleKind> = new Set(mediaSetTargets);

/** Completes titles as `Breaking Bad (2008) [show 12]`, so that the model needs no search. */
export function createCompleteTitle(titles: Searched): CompleteTitle {
  return async (typed, kind) => {
    // First of all it is cut: what is looked for in a text takes the square of its length.
    const query = typed
      .slice(0, longestTyped)
      .replace(/\s*\[[^[\]]*\]?\s*$/, '')
      .trim()
      .slice(0, 200);
    try {
      const hits = await titlesLike(titles, query, kind);
      const fitting = hits.filter((hit) => kind !== null || works.has(hit.kind));
      return [...new Set(fitting.flatMap(wordsFor))].slice(0, most);
    } catch (error) {
      // A person can type on without completion; a damaged index stops nothing.
      if (error instanceof ArtworkError) return [];
      throw error;
    }
  };
}

function wordsFor({ kind, id, name, year }: Hit): string[] {
  if (name === null) return [];
  return [`${withoutOwnNotation(name)}${year === null ? '' : ` (${year})`} [${kind} ${id}]`];
}
