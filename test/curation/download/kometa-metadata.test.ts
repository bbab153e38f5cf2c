import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { kometaMetadata } from '../../../src/curation/download/kometa-metadata.ts';
import type { Picture } from '../../../src/curation/download/place.ts';
import { aSet, aWork, episode, picture, season, show } from './shows.ts';

const placed = (...pictures: Picture[]) =>
  pictures.map((one, index) => ({ picture: one, file: `/assets/file ${index}.png` }));

describe('the metadata file for Kometa', () => {
  it('names shows by title and year, with seasons and episodes by number, and credits the creator', () => {
    const text = kometaMetadata(
      aSet(),
      placed(
        picture(show, 'poster'),
        picture(show, 'backdrop'),
        picture(show, 'logo'),
        picture(season(2), 'poster'),
        picture(episode(2, 10), 'titlecard'),
        picture(episode(2, 9), 'titlecard'),
        picture(season(1), 'backdrop'),
      ),
    );
    expect(text).toBe(`# Artwork of "Breaking Bad · clean", show_set 12, by Ada.
# The paths are those of the machine that it was downloaded on: where Kometa runs in a container, mount the folder at the same place.
# The folders work as an asset_directory too, with asset_folders: true and assets_for_all: true, where they are called as the folders of the media.

metadata:
  # "Breaking Bad · clean", show_set 12, by Ada
  Breaking Bad (2008):
    match:
      title: Breaking Bad
      year: 2008
    file_poster: /assets/file 0.png
    file_background: /assets/file 1.png
    file_logo: /assets/file 2.png
    seasons:
      1:
        file_background: /assets/file 6.png
      2:
        file_poster: /assets/file 3.png
        episodes:
          9:
            file_poster: /assets/file 5.png
          10:
            file_poster: /assets/file 4.png
`);
  });

  it('says which library an entry is for where a group holds shows and films', () => {
    const film = aWork('movie', 'El Camino', 2019);
    const set = aSet({ kind: 'boxset', title: 'Heisenberg' });
    const text = kometaMetadata(
      set,
      placed(picture(show, 'poster'), picture(film, 'poster', aSet({ id: 13 }))),
    );
    expect(parse(text ?? '').metadata).toEqual({
      'Breaking Bad (2008)': expect.objectContaining({ run_definition: 'show' }),
      'El Camino (2019)': expect.objectContaining({ run_definition: 'movie' }),
    });
  });

  it.each([
    ['a number', '24'],
    ['a word of YAML', 'null'],
    ['a mapping', 'a: b'],
    ['a tag', '!!python/object/apply:os.system ["x"]'],
    ['an anchor', '&a *a'],
    ['a comment', 'title # no comment'],
    ['line breaks', 'one\n---\nmetadata:\n  evil:\n    file_poster: /etc/passwd'],
    ['quotes', `"it's" \\ 'so'`],
    ['a merge key', '<<'],
    ['a directive', '%YAML 1.2'],
  ])('quotes a title that is %s', (_, title) => {
    const hostile = aWork('show', title, null);
    const set = aSet({ title, createdBy: title });
    const text = kometaMetadata(set, placed(picture(hostile, 'poster', set))) ?? '';
    expect(parseAllDocuments(text)).toHaveLength(1);
    const { metadata } = parse(text);
    expect(Object.keys(metadata)).toHaveLength(1);
    expect(Object.values(metadata)).toEqual([{ match: { title }, file_poster: '/assets/file 0.png' }]);
    expect(text.split('\n').filter((line) => line.startsWith('metadata'))).toEqual(['metadata:']);
  });
});
