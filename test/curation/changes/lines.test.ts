import { describe, expect, it } from 'vitest';
import { assetFeed, setFeed } from '../../../src/catalogue/records/entities.ts';
import { closeFeedItem } from '../../../src/catalogue/records/shown.ts';
import { changesByCreator } from '../../../src/curation/changes/answer.ts';
import type { ChangeLine } from '../../../src/curation/changes/change.ts';
import { type ChangeEvent, eventsOf } from '../../../src/curation/changes/feeds.ts';
import { lineOf, linesOf, subjectsOf } from '../../../src/curation/changes/lines.ts';
import { createNaming } from '../../../src/curation/changes/naming.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { ArtworkError } from '../../../src/errors.ts';
import { added, assetId, type Item, now, replaced, timeOf } from './scripted-pages.ts';

/** A catalogue in memory: entities and Sets by `kind id`; everything else is not there. */
function catalogueOf(records: Readonly<Record<string, Item | ArtworkError>>) {
  const asked: string[] = [];
  const read = async (kind: string, id: number | string): Promise<never> => {
    asked.push(`${kind} ${id}`);
    const found = records[`${kind} ${id}`] ?? new ArtworkError('not_found', 'Not there.');
    if (found instanceof ArtworkError) throw found;
    // What the client hands over has the type of its kind.
    return found as never;
  };
  const titleOf = (kind: string, id: number | string) => {
    const found = records[`${kind} ${id}`];
    return found === undefined || found instanceof ArtworkError ? null : String(found.title);
  };
  return { asked, reads: { readEntity: read, readSet: read, nameOf: titleOf } };
}

async function told(
  items: readonly Item[],
  sets: readonly Item[],
  records: Readonly<Record<string, Item | ArtworkError>>,
  most = 100,
) {
  const events: ChangeEvent[] = [
    ...sets.flatMap((item) => eventsOf('sets', closeFeedItem<'sets'>(setFeed.schema.parse(item)), now)),
    ...items.flatMap((item) =>
      eventsOf('assets', closeFeedItem<'assets'>(assetFeed.schema.parse(item)), now),
    ),
  ];
  const { asked, reads } = catalogueOf(records);
  const naming = createNaming({ catalogue: reads, deadline: deadlineIn(1_000) }, most);
  const lines: ChangeLine[] = [];
  const keys: string[] = [];
  for await (const one of linesOf(subjectsOf(events), events, naming)) {
    lines.push(lineOf(one));
    keys.push(...[...one.own, ...one.places.flatMap((place) => place.events)].map(({ key }) => key));
  }
  // Whatever is told is told once, and nothing is left out.
  const all = [...new Set(events.map(({ key }) => key))];
  expect([...keys].sort()).toEqual(all.sort());
  return { lines, asked, unread: naming.unread };
}

const pathOf = (number: number) => `/artwork/${assetId(number)}.png`;
const setItem = (number: number, changeType = 'updated') => ({
  setId: 9,
  kind: 'movie_set',
  changeType,
  changedAt: timeOf(number),
});
const movieSet = (paths: Item) => ({
  id: 9,
  title: 'A Set',
  createdBy: 'ann',
  movie: { id: 1, title: 'A Film', year: 2001, ...paths },
});

describe('lines', () => {
  it('tell everything of a Set together, with its creator, read once', async () => {
    const items = [
      replaced(3, 4),
      added(5, { target: { id: 1, kind: 'movie' }, slot: 'logo', changedAt: timeOf(4) }),
    ];
    const records = { 'movie_set 9': movieSet({ poster: pathOf(4), logo: pathOf(5) }) };
    const { lines, asked } = await told(items, [setItem(4)], records);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      set: { kind: 'movie_set', id: 9, title: 'A Set' },
      setChange: 'updated',
      of: { kind: 'movie', id: 1, title: 'A Film (2001)' },
      createdBy: 'ann',
    });
    expect(changesByCreator(lines)).toEqual([
      {
        by: 'ann',
        targets: [
          {
            ...{ kind: 'movie_set', id: 9, title: 'A Set', of: 'A Film (2001)' },
            changes: [
              { slot: 'poster', what: 'replaced', times: 1, at: timeOf(4).slice(0, 10), assetId: assetId(4) },
              { slot: 'logo', what: 'added', times: 1, at: timeOf(4).slice(0, 10), assetId: assetId(5) },
            ],
          },
        ],
      },
    ]);
    expect(asked).toEqual(['movie_set 9']);
  });

  it('tell a chain as one, first and last with how many between, and what stood there before', async () => {
    const items = [
      replaced(6, 7, [
        [2, 3],
        [3, 5],
        [5, 6],
        [6, 7],
      ]),
    ];
    const { lines } = await told(items, [setItem(7)], { 'movie_set 9': movieSet({ poster: pathOf(7) }) });
    expect(lines[0]?.places).toEqual([
      {
        happened: [
          {
            ...{ what: 'replaced', times: 4, firstAt: timeOf(3), lastAt: timeOf(7) },
            assetId: assetId(7),
          },
        ],
        target: { kind: 'movie', id: 1 },
        slot: 'poster',
        label: '',
        replaced: assetId(2),
        assetId: assetId(7),
      },
    ]);
  });

  it('go on where one Set can’t be read, and say which', async () => {
    const broken = new ArtworkError('service_unavailable', 'Down.');
    const { lines, unread } = await told([replaced(3, 4)], [setItem(4)], { 'movie_set 9': broken });
    expect(lines).toHaveLength(2);
    expect([...unread]).toEqual(['movie_set 9']);
  });
});
