import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LayoutName } from '../../../src/curation/download/layouts.ts';
import type { Picture } from '../../../src/curation/download/place.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { aWork, episode, pathsOf, picture, planIn, season, show } from './shows.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await folder.remove();
});

async function plan(layout: LayoutName, ...pictures: Picture[]) {
  const planned = await planIn(folder.path, layout, pictures);
  return {
    files: pathsOf(planned),
    leftOut: planned.leftOut.map(({ state }) => state),
    works: planned.works.map(({ is, candidates }) => [is, ...candidates]),
  };
}

describe('two pictures of one name', () => {
  it('are left out of a layout, since only a person knows which is meant', async () => {
    const cards = [episode(1, 5, 105), episode(1, 5, 999)].map((target) => picture(target, 'titlecard'));
    const { files, leftOut } = await plan('kometa', ...cards, picture(show, 'poster'));
    expect(files).toEqual(['Breaking Bad (2008)/poster']);
    expect(leftOut).toEqual(['ambiguous', 'ambiguous']);
  });

  it('are one where it is the same picture, and two where only case or composition differ', async () => {
    const one = picture(aWork('movie', 'Amélie', 2001, 1), 'poster');
    const other = picture(aWork('movie', 'AME\u0301LIE', 2001, 2), 'poster');
    expect((await plan('plex', one, { ...other, path: one.path })).files).toEqual(['Amélie (2001)/poster']);
    expect((await plan('plex', one, other)).leftOut).toHaveLength(2);
  });
});

describe('a folder of media', () => {
  it('is used under its own name, tags and case included', async () => {
    await mkdir(path.join(folder.path, 'BREAKING BAD (2008) {tvdb-81189} [1080p]'));
    expect((await plan('kometa', picture(show, 'poster'))).files).toEqual([
      'BREAKING BAD (2008) {tvdb-81189} [1080p]/poster',
    ]);
    await mkdir(path.join(folder.path, 'Breaking Bad (2008) [remux]'));
    const { files, works } = await plan('kometa', picture(show, 'poster'));
    expect(files).toEqual([]);
    expect(works).toEqual([
      ['unclear', 'BREAKING BAD (2008) {tvdb-81189} [1080p]', 'Breaking Bad (2008) [remux]'],
    ]);
  });

  it('gives title cards the names of its videos, where there is one of the episode', async () => {
    const at = path.join(folder.path, 'Breaking Bad (2008)');
    await mkdir(path.join(at, 'Season 1'), { recursive: true });
    await mkdir(path.join(at, 'Specials'));
    const videos = [
      'Season 1/Breaking.Bad.S01E01.Pilot.mkv',
      'Season 1/breaking bad s01e02 a.mp4',
      'Season 1/breaking bad s01e02 b.mp4',
      'Specials/Breaking Bad - s00e01 - Good Cop.mkv',
    ];
    for (const video of videos) await writeFile(path.join(at, video), '');
    const cards = [episode(1, 1), episode(1, 2), episode(0, 1), episode(2, 1)];
    const pictures = cards.map((target) => picture(target, 'titlecard'));
    expect((await plan('plex', ...pictures)).files).toEqual([
      'Breaking Bad (2008)/Season 1/Breaking.Bad.S01E01.Pilot',
      'Breaking Bad (2008)/Season 1/breaking bad s01e02 a',
      'Breaking Bad (2008)/Season 1/breaking bad s01e02 b',
      'Breaking Bad (2008)/Specials/Breaking Bad - s00e01 - Good Cop',
    ]);
    expect((await plan('kodi', ...pictures)).files[0]).toBe(
      'Breaking Bad (2008)/Season 1/Breaking.Bad.S01E01.Pilot-thumb',
    );
    expect((await plan('plex', picture(season(1), 'poster'))).files).toEqual([
      'Breaking Bad (2008)/Season01',
    ]);
  });

  it('is not looked into where it is a link out of the root', async () => {
    const outside = await temporaryFolder();
    await mkdir(path.join(outside.path, 'Season 01'));
    await writeFile(path.join(outside.path, 'Season 01', 'secret s01e01.mkv'), '');
    await symlink(outside.path, path.join(folder.path, 'Breaking Bad (2008)'));
    expect((await plan('plex', picture(episode(1, 1), 'titlecard'))).files).toEqual([
      'Breaking Bad (2008)/Season 01/Breaking Bad (2008) - S01E01',
    ]);
    await outside.remove();
  });
});
