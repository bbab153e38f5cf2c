import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LayoutName } from '../../../src/curation/download/layouts.ts';
import { slotsOf } from '../../../src/model/kinds.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { jellyfinTakes } from './readers/jellyfin.ts';
import { kodiTakes } from './readers/kodi.ts';
import { kometaTakes } from './readers/kometa.ts';
import type { Library, Wanted } from './readers/library.ts';
import { plexTakes } from './readers/plex.ts';
import { bad, maverick, shapes, show, targetsOf, wantedOf } from './shapes.ts';
import { aSet, picture, planIn } from './shows.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await folder.remove();
});

/** What each program takes, for those whose look-up was written again from its sources. */
const takes = {
  plex: plexTakes,
  jellyfin: jellyfinTakes,
  kodi: kodiTakes,
  kometa: (library: Library, wanted: Wanted) =>
    kometaTakes(library, wanted, path.posix.dirname(wanted.folder)),
} satisfies Partial<Record<LayoutName, (library: Library, wanted: Wanted) => string | null>>;

async function plant(files: readonly string[]): Promise<void> {
  for (const file of files) {
    const whole = path.join(folder.path, file);
    await mkdir(path.dirname(whole), { recursive: true });
    await writeFile(whole, '');
  }
}

describe.each(Object.entries(shapes))('a library with %s', (_, shape) => {
  it.each(['plex', 'jellyfin', 'kodi', 'kometa'] as const)(
    'gets what %s reads there, and no second folder',
    async (layout) => {
      const { work, videos, at, beside = [] } = shape;
      const there = [...Object.keys(videos), ...beside.map((name) => path.posix.join(at, name))];
      await plant(there);
      const set = aSet({ work });
      const pictures = targetsOf(shape).flatMap((target) =>
        (slotsOf(target.kind) ?? []).map((slot) => picture(target, slot, set)),
      );
      const plan = await planIn(folder.path, layout, pictures);
      if (shape.isLoose === true && layout === 'kometa') {
        expect(plan.files).toEqual([]);
        return;
      }
      expect(plan.works.map(({ is, folder: found }) => [is, found.join('/')])).toEqual([['there', at]]);
      const written = plan.files.map(({ folders, stem }) => `${[...folders, stem].join('/')}.png`);
      const library = [...there, ...written];
      for (const [index, { picture: of }] of plan.files.entries()) {
        const file = written[index] ?? '';
        // A place that is held by a person's file is left to it, and the answer says so.
        if (there.some((one) => one.replace(/\.\w+$/, '') === file.replace(/\.\w+$/, ''))) continue;
        const all = wantedOf(shape, of.target, of.slot).map((wanted) => takes[layout](library, wanted));
        // What lay there before may come first: it is a person's, and stays.
        expect([of.slot, file, all.some((one) => one === file || there.includes(one ?? ''))]).toEqual([
          of.slot,
          file,
          true,
        ]);
      }
      expect(plan.works.flatMap(({ waiting }) => waiting)).toEqual([]);
      // Of what the program can show, nothing is left out but the second card of one video.
      const shown = plan.files.map(({ picture: of }) => `${of.target.kind} ${of.target.id} ${of.slot}`);
      const cards = Object.values(videos).flatMap((holds) => (holds === 'film' ? [] : [holds.slice(1)]));
      const second = layout === 'kometa' ? 0 : cards.filter(({ length }) => length > 1).length;
      const missing = pictures.filter(({ target, slot }) => {
        const isCard = target.kind === 'episode';
        return (isCard || slot === 'poster') && !shown.includes(`${target.kind} ${target.id} ${slot}`);
      });
      expect(missing).toHaveLength(second);
    },
  );
});

describe('Kometa’s flat form', () => {
  it('is called as the media folder, wherever that lies below the root', async () => {
    await plant(['media/tv/Breaking Bad (2008) {tvdb-81189}/Season 1/bb.s01e01.mkv', 'assets/other.png']);
    const shape = show('media/tv/Breaking Bad (2008) {tvdb-81189}', { 'Season 1/bb.s01e01.mkv': [1, 1] });
    for (const assetFolders of [true, false]) {
      const pictures = targetsOf(shape).flatMap((target) =>
        (slotsOf(target.kind) ?? []).map((slot) => picture(target, slot, aSet({ work: bad }))),
      );
      const plan = await planIn(folder.path, 'kometa', pictures, { folders: ['assets'], assetFolders });
      const written = plan.files.map(({ folders, stem }) => `${[...folders, stem].join('/')}.png`);
      expect(written).toHaveLength(7);
      for (const [index, { picture: of }] of plan.files.entries()) {
        const [wanted] = wantedOf(shape, of.target, of.slot);
        if (wanted === undefined) throw new Error(of.slot);
        expect(kometaTakes(written, wanted, 'assets', assetFolders)).toBe(written[index]);
      }
    }
  });
});

describe('folders of which only a person knows which is meant', () => {
  it.each<[string, string[]]>([
    ['two of one name', ['Top Gun Maverick (2022)/a.mkv', 'Top Gun - Maverick (2022) {tmdb-361743}/a.mkv']],
    ['a misspelt one', ['Top Gun Mavrick (2022)/a.mkv']],
    ['a misspelt one without a video', ['Top Gun Mavrick (2022)/movie.nfo']],
    ['a year that is one off', ['Top Gun Maverick (2021)/a.mkv']],
    [
      'two editions',
      ['Top Gun Maverick (2022)/a.mkv', 'Top Gun Maverick (2022) {edition-Extended Cut}/a.mkv'],
    ],
  ])('%s: nothing is written, and they are listed', async (_, files) => {
    await plant(files);
    const set = aSet({ kind: 'movie_set', work: maverick });
    const plan = await planIn(folder.path, 'plex', [picture(maverick, 'poster', set)]);
    expect([plan.files, plan.leftOut.map(({ state }) => state)]).toEqual([[], ['unclear']]);
    const candidates = files.map((file) => path.posix.dirname(file)).sort();
    expect(plan.works.map((one) => [one.is, [...one.candidates].sort()])).toEqual([['unclear', candidates]]);
    const [first = ''] = candidates;
    const chosen = await planIn(folder.path, 'plex', [picture(maverick, 'poster', set)], {
      folders: [first],
    });
    expect(chosen.works.map((one) => [one.is, one.folder.join('/')])).toEqual([['there', first]]);
  });
});
