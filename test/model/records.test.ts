import { describe, expect, it } from 'vitest';
import { createCatalogue } from '../../src/catalogue/client.ts';
import {
  type CatalogueReading,
  type Entity,
  entityRecord,
  feeds,
  type SetKind,
  setRecord,
} from '../../src/catalogue/records/kinds.ts';
import { ownedSet } from '../../src/catalogue/records/owned.ts';
import {
  assetsInSlot,
  assetsOf,
  imagesOf,
  listedAssetOf,
  ownAssetOf,
  pathOfAsset,
} from '../../src/model/asset.ts';
import { changeShownBy } from '../../src/model/feed-item.ts';
import { allKinds, allSetKinds } from '../../src/model/kinds.ts';
import { ownPictureOf, ownSetOf } from '../../src/model/own-set.ts';
import { picturesOf, setOf, withEpisodesCounted, withOneSeason } from '../../src/model/set.ts';
import { joinRuns, keyOfPlace, labelOf, shortLabelOf, shortLine } from '../../src/model/target.ts';
import { namedCatalogue } from '../../src/model/target-names.ts';
import { partOf, seasonOf, setsListedBy, targetOf, targetsShownBy } from '../../src/model/work.ts';

const uuid = '6D8F2A52-0c0e-4f6e-9d57-4a3d5d0f7a11';
const set = (kind: SetKind, record: object) => setOf(kind, 5, setRecord.parse({ id: 5, ...record }));
const places = (kind: SetKind, record: object) =>
  set(kind, record).places.map((place) => `${keyOfPlace(place)} ${place.path}`);

const showSet = {
  ...{ title: ' A\nSet', createdBy: 'ann', dateUpdated: '2026-11-01T00:00:00Z', language: 'en' },
  boxset: { id: 2, title: 'All', poster: '/not/this/one' },
  show: {
    ...{ id: 3, title: 'Show', year: 2001, poster: '/p', logo: null, other: '/not/a/slot' },
    seasons: [
      { id: 30, seasonNumber: 0, poster: '', episodes: [{ id: 300, episodeNumber: 1, titlecard: '/s' }] },
      { seasonNumber: 1, poster: '/of/nothing', episodes: [{ id: 310, episodeNumber: 4, titlecard: null }] },
    ],
  },
};

describe('a Set', () => {
  it('has the places that its record lists, with a picture or without', () => {
    expect(places('show_set', showSet)).toEqual([
      ...['show 3 poster /p', 'show 3 logo null', 'season 30 poster null', 'episode 300 titlecard /s'],
      'episode 310 titlecard null',
    ]);
    const [, , , special, episode] = set('show_set', showSet).places;
    expect([special, episode].map((place) => place && shortLabelOf(place.target))).toEqual(['S00E01', 'E04']);
    expect(set('show_set', showSet)).toMatchObject({
      ...{
        id: 5,
        title: 'A Set',
        createdBy: 'ann',
        work: { id: 3, year: 2001 },
      },
      seasons: [{ id: 30, season: 0 }],
    });
  });

  it.each<[SetKind, object, string[]]>([
    ['movie_set', { movie: { id: 1, poster: '/p', titlecard: '/no' } }, ['movie 1 poster /p']],
    [
      'collection_set',
      { collection: { id: 1, logo: '/l', movies: [{ id: 2, thumb: '/t' }, { thumb: '/without/id' }] } },
      ['collection 1 logo /l', 'movie 2 thumb /t'],
    ],
    ['game_set', { game: { id: 1, cover: '/c', poster: '/no' } }, ['game 1 cover /c']],
    [
      'brand_set',
      { networks: [{ id: 1, name: 'One', logo: '/1' }], companies: [{ id: 2, logo: '/2' }] },
      ['network 1 logo /1', 'company 2 logo /2'],
    ],
    ['boxset', { poster: '/p', sets: [{ id: 1, kind: 'movie_set', poster: '/no' }] }, ['boxset 5 poster /p']],
    ['loadout', {}, []],
    ['show_set', { movie: { id: 1, poster: '/p' } }, []],
  ])('of the kind %s: %j', (kind, record, expected) => {
    expect(places(kind, record)).toEqual(expected);
    expect(picturesOf(set(kind, record))).toHaveLength(expected.length);
  });

  it('of a group is of the kind that it says, that what it is for tells, or that its group alone holds', () => {
    const sets = [
      ...[{ id: 1, kind: 'movie_set' }, { id: 2, show: { id: 9, title: 'Show' } }, { id: 3 }],
      ...[{ id: 4, kind: 'else' }, { kind: 'movie_set' }],
    ];
    const members = (kind: SetKind) => set(kind, { sets }).members.map((one) => [one.id, one.kind]);
    expect(members('boxset')).toEqual([
      [1, 'movie_set'],
      [2, 'show_set'],
      [3, null],
      [4, null],
    ]);
    expect(members('loadout')).toEqual([
      [1, 'game_set'],
      [2, 'game_set'],
      [3, 'game_set'],
      [4, 'game_set'],
    ]);
    expect(set('boxset', { sets }).members[1]?.work).toMatchObject({ kind: 'show', id: 9 });
  });

  it('that is long is shown with its episodes counted, or one season of it', () => {
    const again = {
      ...showSet,
      show: { ...showSet.show, seasons: [...showSet.show.seasons, ...showSet.show.seasons] },
    };
    const counted = withEpisodesCounted(setRecord.parse(again));
    expect(counted).toMatchObject({ episodes: 4, first: 0 });
    expect(counted.record).toMatchObject({
      title: ' A\nSet',
      show: { seasons: [{ id: 30, episodeCount: 1 }, {}, {}, {}] },
    });
    const season = withOneSeason(setRecord.parse(again), 0);
    expect(season?.show).toMatchObject({
      id: 3,
      seasons: [{ id: 30, episodes: [{ id: 300 }] }, { episodes: [{ id: 300 }] }],
    });
    expect(withOneSeason(setRecord.parse(again), 7)).toBeNull();
  });
});

describe('a target', () => {
  it.each([
    ['show', { id: 1, title: 'Firefly', firstAirDate: '2002-09-20' }, 'Firefly (2002)', 'Firefly (2002)'],
    [
      'movie',
      { id: 5, title: 'Serenity', year: 2004, releaseDate: '2005-09-30' },
      'Serenity (2004)',
      'Serenity (2004)',
    ],
    ['collection', { id: 5, title: 'All', firstReleaseDate: '2005-09-30' }, 'All', 'All'],
    ['person', { id: 6, name: 'Jewel Staite', birthday: '1982-06-02' }, 'Jewel Staite', 'Jewel Staite'],
    ['season', { id: 2, title: 'Book One', seasonNumber: 1 }, 'S01 · Book One', 'S01'],
    ['season', { id: 2, title: 'Extras', seasonNumber: null }, 'Extras', 'Extras'],
    ['episode', { id: 3, title: 'Space', seasonNumber: 1, episodeNumber: 14 }, 'S01E14 · Space', 'S01E14'],
    ['episode', { id: 3, season: { seasonNumber: 2 }, episodeNumber: 101 }, 'S02E101', 'S02E101'],
    ['episode', { id: 3, seasonNumber: 1 }, '', 'episode 3'],
    ['game', { id: 4, title: 'G', firstReleaseDate: 'soon' }, 'G', 'G'],
  ] as const)('%s %j is labelled', (kind, record, label, short) => {
    const target = targetOf(kind, record);
    expect(target && [labelOf(target), shortLabelOf(target)]).toEqual([label, short]);
  });

  it.each([null, 7, [], {}, { id: '7' }, { id: -1 }, { id: 1.5 }, { id: 2 ** 60 }])(
    'is none in %j',
    (record) => {
      expect(allKinds.map((kind) => targetOf(kind, record))).toEqual(allKinds.map(() => null));
    },
  );

  it('has a label that is cleaned, on one line and short, since it is other people’s writing', () => {
    expect(shortLine('Fire\u001b[31mfly\u202e\n\n  end\u0085')).toBe('Fire[31mfly end');
    expect([...shortLine('🚀'.repeat(200))]).toHaveLength(80);
    expect(shortLine(7)).toBe('');
  });

  it.each([
    [['S01', 'S02', 'S03', 'S05'], 'S01–S03 S05'],
    [['S01E08', 'S01E09', 'S01E10', 'S02E11'], 'S01E08–E10 S02E11'],
    [['S01E99', 'S01E100', 'A film', 'A film'], 'S01E99–E100 A film A film'],
    [[], ''],
  ])('%j in a row is %s', (names, joined) => {
    expect(joinRuns(names).join(' ')).toBe(joined);
  });

  it('is known by name once a read has shown it', () => {
    let learn = (_: CatalogueReading): void => {};
    const { nameOf } = namedCatalogue((onReading) => {
      learn = onReading;
      return createCatalogue({ locate: () => Promise.reject(new Error('No service.')), userAgent: 'test' });
    });
    const episodes = [
      { id: 3, title: 'Objects in Space', episodeNumber: 14 },
      { id: 4, episodeNumber: 15 },
    ];
    const record = entityRecord.parse({ id: 2, title: 'Season 1', seasonNumber: 1, episodes });
    learn({ of: 'entity', kind: 'season', record });
    learn({ of: 'episodes', items: [{ id: 8, title: 'Out of Gas', seasonNumber: 1, episodeNumber: 8 }] });
    expect([nameOf('season', 2), nameOf('episode', '3'), nameOf('episode', 4), nameOf('episode', 8)]).toEqual(
      [...['S01 · Season 1', 'S01E14 · Objects in Space', 'S01E15', 'S01E08 · Out of Gas']],
    );
    expect(nameOf('episode', 2)).toBeNull();
  });
});

describe('an entity', () => {
  it('shows what it is part of, its Sets and its pictures', () => {
    const record = entityRecord.parse({
      ...{
        id: 3,
        show: { id: 1, title: 'Show' },
        season: { id: 2, seasonNumber: 4 },
        parentCompany: { id: 9 },
      },
      sets: [{ id: 5, title: 'A Set', createdBy: '' }, { title: 'No id' }],
      assets: {
        titlecards: [`/a/${uuid}.png`, { id: uuid, path: '/b' }, 7],
        posters: ['https://elsewhere/p'],
      },
      metadataImages: { poster: 'https://images/p.jpg', logo: null },
    });
    expect(partOf(record)).toMatchObject({
      show: { id: 1 },
      season: { season: 4 },
      collection: null,
      company: { id: 9 },
    });
    expect(setsListedBy(record)).toEqual([
      { kind: 'show_set', id: 5, title: 'A Set', createdBy: null, updated: null },
    ]);
    const shown = assetsInSlot(record, 'titlecard').map(({ path, assetId }) => [path, assetId]);
    expect(shown).toEqual([
      [`/a/${uuid}.png`, uuid.toLowerCase()],
      ['/b', uuid.toLowerCase()],
      [null, null],
    ]);
    expect([assetsOf(record).length, assetsInSlot(record, 'logo').length, imagesOf(record).size]).toEqual([
      4, 0, 1,
    ]);
  });

  it('tells of an Asset only what is there', () => {
    const told = {
      languageCode: null,
      width: 1920,
      height: 1080,
      setId: 5,
      dateUpdated: 'then',
      createdBy: 'ann',
    };
    expect(listedAssetOf(told)).toMatchObject({
      ...{
        language: null,
        size: { width: 1920, height: 1080 },
        setId: 5,
        changedAt: 'then',
        createdBy: 'ann',
      },
    });
    const untold = { languageCode: 7, width: 0, height: 1.5, setId: '5' };
    expect(listedAssetOf(untold)).toMatchObject({ language: undefined, size: null, setId: null });
    expect(['/p', '//host/p', 'p', 7, { url: 'https://x', where: '/q' }].map(pathOfAsset)).toEqual([
      ...['/p', null, null, null, '/q'],
    ]);
  });
});

describe('an own Set', () => {
  const own = (record: object) =>
    ownSetOf('set', 5, ownedSet.schema.parse({ id: 5, updatedAt: 'r1', ...record }));
  const asset = { id: uuid, slot: 'poster', target: { kind: 'movie', id: 1 }, publicationStatus: 'pending' };

  it('is read whatever it calls its kind, and says whether all of it was read', () => {
    const record = {
      setKind: 'media_set',
      titleBase: 'Mine',
      target: { kind: 'movie', id: 1, title: 'Film' },
    };
    expect(own({ ...record, assets: [asset] })).toMatchObject({
      ...{
        kind: 'media_set',
        admission: 'media_set',
        title: 'Mine',
        work: { id: 1, title: 'Film' },
        isComplete: true,
      },
      pictures: [
        { assetId: uuid.toLowerCase(), slot: 'poster', isPending: true, target: { kind: 'movie', id: 1 } },
      ],
    });
    for (const assets of [
      [asset, {}],
      [{ ...asset, target: { kind: 'boxset', id: 2 } }],
      [7],
      null,
      'none',
    ]) {
      expect(own({ ...record, assets }).isComplete).toBe(false);
    }
    expect(own({ kind: 'show_set', assets: [] })).toMatchObject({ admission: 'media_set', isComplete: true });
  });

  it('takes no text for a word, and the poster of a group for a picture', () => {
    expect(own({ kind: 'a text that is long', publicationStatus: 'Ignore all.' })).toMatchObject({
      ...{ kind: null, publicationStatus: null, revision: 'r1' },
    });
    const group = ownSetOf('group', 2, { id: 2, updatedAt: null, poster: { id: uuid, path: '/p' } });
    expect(group.pictures).toMatchObject([{ slot: 'poster', path: '/p', target: null }]);
    const flat = { id: uuid, slot: 'logo', targetKind: 'show', targetId: 3 };
    expect(ownPictureOf(flat)?.target).toEqual({ kind: 'show', id: 3 });
    expect(ownAssetOf(asset)).toMatchObject({ target: { id: 1 } });
    expect(ownAssetOf({ id: null })).toBeNull();
  });
});

it('an item of a feed says what changed, and null where it does not', () => {
  const link = { previousAssetId: 'a', newAssetId: 'b', changedAt: 't' };
  const target = { kind: 'show', id: 3, title: 'Show' };
  const item = feeds.assets.schema.parse({ assetId: 'b', slot: 'poster', target, replacements: [link, 7] });
  expect(changeShownBy(item)).toMatchObject({
    targetKind: 'show',
    targetId: 3,
    kind: null,
    replacements: [link],
  });
});

describe('records that are not as the interface document has them', () => {
  const odd = [
    null,
    true,
    1e300,
    -1,
    '',
    'x'.repeat(5_000),
    [],
    [[]],
    [null],
    [{ id: {} }],
    {},
    { id: [] },
    { '': 1 },
  ];
  const members = [
    ...[
      'id',
      'title',
      'show',
      'movie',
      'game',
      'collection',
      'season',
      'seasons',
      'episodes',
      'movies',
      'sets',
    ],
    ...[
      'assets',
      'metadataImages',
      'networks',
      'boxset',
      'poster',
      'target',
      'kind',
      'setKind',
      'relatedGames',
    ],
  ];
  it.each(members)('are read as far as they go, whatever %s is', (member) => {
    for (const value of odd) {
      const entity: Entity = entityRecord.parse({ id: 1, [member]: value });
      for (const kind of allKinds) {
        expect(targetsShownBy(kind, entity).every(({ id }) => Number.isSafeInteger(id))).toBe(true);
      }
      expect([assetsOf(entity), seasonOf(entity), partOf(entity), imagesOf(entity)]).toHaveLength(4);
      for (const kind of allSetKinds) expect(set(kind, { [member]: value }).id).toBe(5);
      const own = ownSetOf('set', 5, { id: 5, updatedAt: null, [member]: value });
      expect(own.pictures.length).toBeLessThanOrEqual(1);
    }
  });
});
