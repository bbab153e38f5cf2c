import { ArtworkError } from '../../errors.ts';

/** Items in one grouped Set edit (interface document, Limits). */
export const mostItems = 300;

/**
 * The error of more items than one grouped edit takes (interface document, Limits), and how to make several of it.
 * Each part depends on the one before: its completion gives the Set another revision.
 */
export function tooManyItemsError(items: number, hasMetadata: boolean): ArtworkError {
  const parts = Array.from({ length: Math.ceil(items / mostItems) }, (_, part) => ({
    from: part * mostItems,
    to: Math.min((part + 1) * mostItems, items) - 1,
    ...(hasMetadata ? { metadata: part === 0 } : {}),
  }));
  const words = parts.map(({ from, to }) => `items ${from} to ${to}`).join(', then ');
  const metadata = hasMetadata ? ' The metadata goes with the first alone.' : '';
  const message = `One edit takes ${mostItems} items, and these are ${items}: make ${parts.length} edits of it, one after the other: ${words}. Each has an id of its own; the first takes the Set's revision as it is, each later one the updatedAt that the one before left.${metadata}`;
  return new ArtworkError('invalid_arguments', message, {
    details: { mostItems, items, parts },
    issues: [{ code: 'too_many_items', message: `at most ${mostItems}`, path: ['items'] }],
    next: {
      tool: 'new_mutation_ids',
      arguments: { count: Math.min(50, parts.length) },
      why: 'One id for each part.',
      doNot: 'start a part before the one before has ended',
    },
  });
}
