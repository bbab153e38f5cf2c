import { describe, expect, it } from 'vitest';
import { type Entity, type EntityKind, entityRecord } from '../../src/catalogue/records/kinds.ts';
import { shortLine } from '../../src/model/target.ts';
import { createTargetNames } from '../../src/model/target-names.ts';

/** What the catalogue's client hands on. */
function learning(names: ReturnType<typeof createTargetNames>) {
  return (kind: EntityKind, record: Entity) => names.learn({ of: 'entity', kind, record });
}

describe('the names of targets', () => {
  it('are what reads have shown, with the number of an episode and the year of a work', () => {
    const names = createTargetNames();
    const learn = learning(names);
    learn('show', {
      ...entityRecord.parse({ id: 1, title: 'Firefly', firstAirDate: '2002-09-20' }),
      seasons: [{ id: 2, kind: 'season', title: 'Season 1', seasonNumber: 1, airDate: null }],
    });
    learn('season', {
      ...entityRecord.parse({ id: 2, title: 'Season 1', seasonNumber: 1 }),
      episodes: [
        { id: 3, kind: 'episode', title: 'Objects in Space', episodeNumber: 14, airDate: null },
        { id: 4, kind: 'episode', title: null, episodeNumber: 15, airDate: null },
      ],
    });
    learn('movie', entityRecord.parse({ id: 5, title: 'Serenity', releaseDate: '2005-09-30' }));
    learn('person', entityRecord.parse({ id: 6, name: 'Jewel Staite' }));
    expect([
      names.nameOf('show', 1),
      names.nameOf('season', 2),
      names.nameOf('episode', 3),
      names.nameOf('episode', 4),
      names.nameOf('movie', '5'),
      names.nameOf('person', 6),
      names.nameOf('person', 7),
    ]).toEqual([
      'Firefly (2002)',
      'S01 · Season 1',
      'S01E14 · Objects in Space',
      'S01E15',
      'Serenity (2005)',
      'Jewel Staite',
      null,
    ]);
  });

  it('are cleaned, on one line and short, since they are other people’s writing', () => {
    expect(shortLine('Fire\u001b[31mfly\u202e\n\n  end\u0085')).toBe('Fire(31mfly end');
    expect([...shortLine('🚀'.repeat(200))]).toHaveLength(80);
    expect(shortLine(7)).toBe('');
  });
});
