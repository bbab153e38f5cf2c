import { expect, it } from 'vitest';
import { slotsOf } from '../../../src/model/kinds.ts';
import { heldOut, seen } from './index.ts';
import type { Context, NamedFile } from './types.ts';

const all = [...seen, ...heldOut];

/** The targets of a context, as `kind id`. */
function targetsOf(context: Context): readonly string[] {
  const own = `${context.kind} ${context.id}`;
  if (context.kind === 'collection') return [own, ...context.movies.map(({ id }) => `movie ${id}`)];
  if (context.kind !== 'show') return [own];
  return [
    own,
    ...context.seasons.map(({ id }) => `season ${id}`),
    ...context.seasons.flatMap(({ episodes }) => episodes.map(({ id }) => `episode ${id}`)),
  ];
}

function isPossible({ context, expected }: NamedFile): boolean {
  const places = 'match' in expected ? [expected.match] : 'ambiguous' in expected ? expected.ambiguous : [];
  const targets = targetsOf(context);
  return places.every(
    ({ targetKind, targetId, slot }) =>
      targets.includes(`${targetKind} ${targetId}`) && slotsOf(targetKind).some((one) => one === slot),
  );
}

it('the corpus of file names is large, holds a third back, and expects only what its contexts have', () => {
  expect(all.length).toBeGreaterThanOrEqual(940);
  expect(heldOut.length / all.length).toBeGreaterThanOrEqual(1 / 3);
  const names = all.map(({ context, path }) => `${context.kind} ${context.id} ${path}`);
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([]);
  expect(all.filter((file) => !isPossible(file)).map(({ path }) => path)).toEqual([]);
});
