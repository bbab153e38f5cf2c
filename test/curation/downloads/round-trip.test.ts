import { describe, expect, it } from 'vitest';
import { slotsOf } from '../../../src/catalogue/records/kinds.ts';
import { type Layout, layouts, placeIn } from '../../../src/curation/downloads/layouts.ts';
import type { DownloadWork, PictureHolder } from '../../../src/curation/downloads/set-pictures.ts';
import { matchFiles } from '../../../src/curation/plan/match.ts';
import { targetsOf } from '../plan/targets-of.ts';
import { breakingBad } from '../../model/names/contexts/breaking-bad.ts';
import { madMax } from '../../model/names/contexts/films.ts';
import { portal2 } from '../../model/names/contexts/games.ts';
import { mossbottom } from '../../model/names/contexts/mossbottom.ts';
import { saltmarsh } from '../../model/names/contexts/saltmarsh.ts';
import type { Context } from '../../model/names/types.ts';
import { aSet } from './shows.ts';

const contexts: readonly (readonly [string, Context])[] = [
  ['a show', breakingBad],
  ['a long show', mossbottom],
  ['another show', saltmarsh],
  ['a collection', madMax],
  ['a game', portal2],
];

/** Everything that a Set for the work can hold pictures of. */
function holdersOf(context: Context): PictureHolder[] {
  const targets = targetsOf(context);
  const { kind, id, title, year } = targets.work.target;
  if (kind !== 'show' && kind !== 'movie' && kind !== 'collection' && kind !== 'game') throw new Error(kind);
  const entry: DownloadWork = { of: kind, id, title, year };
  const seasons = targets.work.seasons.flatMap((season): PictureHolder[] => [
    { of: 'season', id: season.id, show: entry, number: season.season },
    ...season.episodes.map(
      (one): PictureHolder => ({
        of: 'episode',
        id: one.id,
        show: entry,
        season: season.season,
        number: one.episode,
      }),
    ),
  ]);
  const movies = targets.work.films.map(
    (one): PictureHolder => ({ of: 'movie', id: one.id, title: one.title, year: one.year }),
  );
  return [entry, ...seasons, ...movies];
}

function kindOf({ of }: PictureHolder) {
  if (of === 'boxset' || of === 'loadout') throw new Error(of);
  return of;
}

function read(context: Context, layout: Layout) {
  const set = aSet({ title: `${context.title} · clean` });
  const placed = holdersOf(context).flatMap((holder) =>
    slotsOf[kindOf(holder)].flatMap((slot) => {
      const placing = placeIn(layout, holder, slot, set);
      if (!('place' in placing)) return [];
      return [{ holder, slot, path: `${[...placing.place.folders, placing.place.stem].join('/')}.png` }];
    }),
  );
  const paths = new Map<string, number>();
  for (const { path } of placed) paths.set(path, (paths.get(path) ?? 0) + 1);
  // Two episodes of one number share a path, and get none: see planFiles.
  const files = placed.filter(({ path }) => paths.get(path) === 1);
  const matches = matchFiles(
    files.map(({ path }) => ({ path, shape: null })),
    targetsOf(context),
    { slot: null, name: null },
  );
  return files.map(({ holder, slot, path }, index) => {
    const match = matches[index];
    if (match?.status !== 'matched') return { path, is: 'unread' as const };
    const { place } = match;
    const isRight = place.target.kind === holder.of && place.target.id === holder.id && place.slot === slot;
    return { path, is: isRight ? ('right' as const) : ('wrong' as const) };
  });
}

describe.each(contexts)('the names of %s', (_, context) => {
  it.each(layouts)('in the layout %s are never read as another place', (layout) => {
    expect(read(context, layout).filter(({ is }) => is === 'wrong')).toEqual([]);
  });

  it('as they are kept are all read again by the matcher of folders', () => {
    const files = read(context, 'original');
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(({ is }) => is !== 'right')).toEqual([]);
  });
});
