import { describe, expect, it } from 'vitest';
import type { FileEntry, PlannedPlace } from '../../../src/curation/plan/plan.ts';
import { breakingBad } from '../../model/names/contexts/breaking-bad.ts';
import { firefly } from '../../model/names/contexts/firefly.ts';
import { collection, numbered, show } from '../../model/names/contexts/record.ts';
import type { Context, MovieRecord } from '../../model/names/types.ts';
import { entriesFor } from './matched.ts';
import { targetsOf } from './targets-of.ts';

/** Of the United Kingdom; shows of other countries have the same title. */
const office = show(2996, 'The Office', 2001, [
  [
    1,
    'Series 1',
    [
      [1, 'Downsize', null],
      [2, 'Work Experience', null],
      [3, 'The Quiz', null],
    ],
  ],
  [2, 'Series 2', numbered(6)],
]);
const godzilla: MovieRecord = { kind: 'movie', id: 1678, title: 'Godzilla', releaseDate: '1954-11-03' };
const starWars = collection(10, 'Star Wars Collection', [
  ['Star Wars', '1977-05-25'],
  ['The Empire Strikes Back', '1980-05-20'],
  ['Return of the Jedi', '1983-05-25'],
]);
const space = show(7001, 'Space', 2018, [[1, 'Season 1', numbered(2)]]);
const kiss: MovieRecord = { kind: 'movie', id: 7002, title: 'Kiss', releaseDate: '1995-01-01' };
const oceans: MovieRecord = { kind: 'movie', id: 161, title: "Ocean's Eleven", releaseDate: '2001-12-07' };

function codeOf({ target: { kind }, season, slot, code, label }: PlannedPlace): string {
  if (kind === 'episode') return code.replace(/^S0*(\d+)E0*/, '$1x');
  return kind === 'season' ? `season ${season} ${slot}` : `${label.replace(/ \(\d{4}\)$/, '')} ${slot}`;
}

/** `1x02` where it is matched, `? 1x02` where it is asked about with that first, `-` and why where it is refused. */
function told(entry: FileEntry | undefined): string {
  if (entry?.status === 'matched') return codeOf(entry.place);
  if (entry?.status === 'ambiguous') return `? ${entry.places.slice(0, 1).map(codeOf).join()}`;
  return `- ${entry?.why.code}`;
}

const match = (context: Context, path: string, name: string | null = null) =>
  entriesFor([path], targetsOf(context), { name })[0];

type Row = readonly [path: string, told: string];

const classes: readonly (readonly [what: string, of: Context, rows: readonly Row[]])[] = [
  [
    'an unknown word beside the title makes a question, in any bracket and in none',
    office,
    [
      ['The Office [US] - Season 1.jpg', '? season 1 poster'],
      ['The Office (US) - S01E01.jpg', '? 1x1'],
      ['The.Office.US.S01E01.1080p.WEB-DL.jpg', '? 1x1'],
      ['The Office {Remastered Cut} [AU] S01E02.jpg', '? 1x2'],
      ['The Office [US]/S01E01.jpg', '? 1x1'],
      ['The Office [US]/Season 1/S01E01.jpg', '? 1x1'],
      ['The Office [US]/poster.jpg', '? The Office poster'],
      ['The Office German S01E01.jpg', '? 1x1'],
      ['The Office [US] - S01E03 - The Quiz.jpg', '? 1x3'],
    ],
  ],
  [
    'a word in front of the title may belong to it',
    space,
    [
      ['Final Space S01E01.jpg', '? 1x1'],
      ['German.Space.S01E01.jpg', '? 1x1'],
      ['Final Space/S01E01.jpg', '? 1x1'],
      ['Final - Space - S01E01.jpg', '1x1'],
      ['textless Space S01E01.jpg', '1x1'],
      ['Lost in Space S01E01.jpg', '- other_work'],
    ],
  ],
  [
    'the same of a film',
    kiss,
    [
      ['French Kiss.jpg', '? Kiss poster'],
      ['Set Kiss.jpg', '? Kiss poster'],
      ['Kiss French.jpg', 'Kiss poster'],
      ['Kiss the Girls.jpg', '? Kiss poster'],
    ],
  ],
  [
    'numbers in words and in figures',
    oceans,
    [
      ['Oceans 11.jpg', "? Ocean's Eleven poster"],
      ['Oceans 12.jpg', "? Ocean's Eleven poster"],
      ["Ocean's Eleven (1960).jpg", '- other_work'],
    ],
  ],
  [
    'what stands elsewhere asks nothing: a group in front, words behind the code, tags behind those',
    office,
    [
      ['[US] The Office S01E02.jpg', '1x2'],
      ['The Office - S01E02 - Work Experience [US].jpg', '1x2'],
      ['The Office - S01E01 - A Word Nobody Knows [HQ].jpg', '1x1'],
    ],
  ],
  [
    'another year, and another work, are refused',
    office,
    [
      ['The Office (2005) S01E01.jpg', '- other_work'],
      ['The Office (US) (2005) - S01E01.jpg', '- other_work'],
      ['Parks S01E01.jpg', '- other_work'],
    ],
  ],
  [
    'noise is noise in company alone',
    breakingBad,
    [
      ['Breaking Bad 5.1.jpg', '? 5x1'],
      ['Breaking Bad 7.1.jpg', '? 1x7'],
      ['Breaking Bad S05E02 1080p BluRay DD 5.1.jpg', '5x2'],
      ['Breaking Bad Internal S01E01.jpg', '? 1x1'],
    ],
  ],
  [
    'a number between two is neither',
    breakingBad,
    [
      ['S01E06.5 - Recap.jpg', '? 1x6'],
      ['1x06,5 Recap.jpg', '? 1x6'],
      ['Episode 13.5 Recap.jpg', '? 2x13'],
      ['Season 1/06.5.jpg', '? 1x6'],
    ],
  ],
  [
    'notations of seasons and numbers',
    breakingBad,
    [
      ['Breaking Bad - Season 5 Part 1.jpg', '? season 5 poster'],
      ['Season 5A.jpg', '? season 5 poster'],
      ['4.13 - Face Off.jpg', '? 4x13'],
      ['4.13.jpg', '? 4x13'],
      ['Breaking Bad (3-5).jpg', '? 3x5'],
      ['Breaking Bad 1 of 5.jpg', '? 1x1'],
      ['The Complete Second Season.jpg', 'season 2 poster'],
      ['S02E03S02E04.jpg', '? 2x3'],
    ],
  ],
  [
    'separators',
    breakingBad,
    [
      ['breaking-bad-2008-s01e02.jpg', '1x2'],
      ['Breaking Bad - 2008 - S01E01.jpg', '1x1'],
      ['breaking_bad_2008_1x03.jpg', '1x3'],
    ],
  ],
  [
    'season and episode as one number, and slips of spelling',
    firefly,
    [
      ['Firefly 106.jpg', '? 1x6'],
      ['Jaynestwn.jpg', '? 1x7'],
    ],
  ],
  [
    'folders that are named after artwork',
    breakingBad,
    [
      ['hdtvlogo/x.png', '- says_nothing'],
      ['showbackground/breaking-bad-503fd3f5a8fe8.jpg', 'Breaking Bad backdrop'],
      ['hdtvlogo/breaking-bad-503fd3f5a8fe8.png', 'Breaking Bad logo'],
    ],
  ],
  [
    'words beside a film’s title',
    godzilla,
    [
      ['Godzilla [Minus One].jpg', '? Godzilla poster'],
      ['Godzilla Minus One.jpg', '? Godzilla poster'],
      ['Godzilla [US]/poster.jpg', '? Godzilla poster'],
      ['Godzilla (2014).jpg', '- other_work'],
      ['Godzilla.1954.1080p.BluRay.x264-GRP.jpg', 'Godzilla poster'],
    ],
  ],
  [
    'a series’ name before a film’s own title',
    starWars,
    [
      ['Star Wars - The Empire Strikes Back (1980).jpg', 'The Empire Strikes Back poster'],
      ['Star Wars Episode V - The Empire Strikes Back (1980).jpg', '? The Empire Strikes Back poster'],
      ['Star Wars - The Empire Strikes Back.jpg', 'The Empire Strikes Back poster'],
      ['Star Wars (1977).jpg', 'Star Wars poster'],
      ['Star Wars Rogue One (2016).jpg', '- other_work'],
    ],
  ],
];

describe.each(classes)('%s', (_, context, rows) => {
  it.each(rows)('%s', (path, wanted) => {
    expect(told(match(context, path))).toBe(wanted);
  });
});

it.each<readonly [Context, chosen: string, path: string, told: string]>([
  [office, 'The Office [US]', 'S01E01.jpg', '? 1x1'],
  [office, 'The Office (2005)', 'S01E01.jpg', '? 1x1'],
  [office, 'The Office (2005)', 'The Office S01E01.jpg', '? 1x1'],
  [office, 'my cards', 'S01E01.jpg', '1x1'],
  [godzilla, 'Godzilla (2014)', 'poster.jpg', '? Godzilla poster'],
  [godzilla, 'Godzilla (2014)', 'Godzilla.jpg', '? Godzilla poster'],
  [godzilla, 'Godzilla [Minus One]', 'poster.jpg', '? Godzilla poster'],
  [godzilla, 'Godzilla (2014)', 'Godzilla (1954).jpg', 'Godzilla poster'],
])('of %o chosen as %s the file %s', (of, chosen, path, wanted) => {
  expect(told(match(of, path, chosen))).toBe(wanted);
});
