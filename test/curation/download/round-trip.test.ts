import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LayoutName, layoutNames } from '../../../src/curation/download/layouts/index.ts';
import { matchFiles } from '../../../src/curation/plan/match.ts';
import { slotsOf } from '../../../src/model/kinds.ts';
import type { Target } from '../../../src/model/target.ts';
import { targetsOf as targetsOfWork } from '../../../src/model/work.ts';
import { breakingBad } from '../../model/names/contexts/breaking-bad.ts';
import { madMax } from '../../model/names/contexts/films.ts';
import { portal2 } from '../../model/names/contexts/games.ts';
import { mossbottom } from '../../model/names/contexts/mossbottom.ts';
import { saltmarsh } from '../../model/names/contexts/saltmarsh.ts';
import type { Context } from '../../model/names/types.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { targetsOf } from '../plan/targets-of.ts';
import { aSet, picture, planIn } from './shows.ts';

const contexts: readonly (readonly [string, Context])[] = [
  ['a show', breakingBad],
  ['a long show', mossbottom],
  ['another show', saltmarsh],
  ['a collection', madMax],
  ['a game', portal2],
];

let empty: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  empty = await temporaryFolder();
});

afterAll(async () => {
  await empty.remove();
});

/** Everything that a Set for the work can hold pictures of. */
function targetsIn(context: Context): Target[] {
  const targets = targetsOf(context);
  const { kind } = targets.work.target;
  if (kind !== 'show' && kind !== 'movie' && kind !== 'collection' && kind !== 'game') throw new Error(kind);
  return targetsOfWork(targets.work);
}

async function read(context: Context, layout: LayoutName) {
  const [work = null, ...parts] = targetsIn(context);
  if (work === null || work.kind === 'season' || work.kind === 'episode') throw new Error('no work');
  const set = aSet({ title: `${context.title} · clean`, work });
  const pictures = [work, ...parts].flatMap((target) =>
    (slotsOf(target.kind) ?? []).map((slot) => picture(target, slot, set)),
  );
  const plan = await planIn(empty.path, layout, pictures);
  const placed = plan.files.map(({ picture: { target, slot }, folders, stem }) => {
    return { target, slot, path: `${[...folders, stem].join('/')}.png` };
  });
  const paths = new Map<string, number>();
  for (const { path } of placed) paths.set(path, (paths.get(path) ?? 0) + 1);
  // Two episodes of one number share a path, and get none: see planFiles.
  const files = placed.filter(({ path }) => paths.get(path) === 1);
  const matches = matchFiles(
    files.map(({ path }) => ({ path, shape: null })),
    targetsOf(context),
    { slot: null, name: null },
  );
  return files.map(({ target, slot, path }, index) => {
    const match = matches[index];
    if (match?.status !== 'matched') return { path, is: 'unread' as const };
    const { place } = match;
    const isRight = place.target.kind === target.kind && place.target.id === target.id && place.slot === slot;
    return { path, is: isRight ? ('right' as const) : ('wrong' as const) };
  });
}

describe.each(contexts)('the names of %s', (_, context) => {
  it.each(layoutNames)('in the layout %s are never read as another place', async (layout) => {
    expect((await read(context, layout)).filter(({ is }) => is === 'wrong')).toEqual([]);
  });

  it('as they are kept are all read again by the matcher of folders', async () => {
    const files = await read(context, 'original');
    expect(files.length).toBeGreaterThan(0);
    expect(files.filter(({ is }) => is !== 'right')).toEqual([]);
  });
});
