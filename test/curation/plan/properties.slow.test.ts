import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Match, matchFiles } from '../../../src/curation/plan/match.ts';
import { titleForms } from '../../../src/model/names/titles.ts';
import { keyOfText } from '../../../src/model/names/words.ts';
import { breakingBad } from '../../model/names/contexts/breaking-bad.ts';
import { dailyThimble } from '../../model/names/contexts/daily-thimble.ts';
import { backToTheFuture, puddleSaga } from '../../model/names/contexts/films.ts';
import { lamplighters } from '../../model/names/contexts/games.ts';
import { lanternStreet } from '../../model/names/contexts/lantern-street.ts';
import { miscountedParcels } from '../../model/names/contexts/miscounted-parcels.ts';
import { saltmarsh } from '../../model/names/contexts/saltmarsh.ts';
import { towerOfMumble } from '../../model/names/contexts/tower-of-mumble.ts';
import { seen } from '../../model/names/seen/index.ts';
import type { Context, NamedFile } from '../../model/names/types.ts';
import { keyOfTarget } from '../../../src/model/target.ts';
import { targetsOf } from './targets-of.ts';

const contexts: readonly Context[] = [
  breakingBad,
  saltmarsh,
  miscountedParcels,
  towerOfMumble,
  backToTheFuture,
  puddleSaga,
  lamplighters,
];

const match = (context: Context, paths: readonly string[]): Match[] =>
  matchFiles(
    paths.map((path) => ({ path, shape: null })),
    targetsOf(context),
    { slot: null, name: null },
  );

/** Every kind and id that a context holds. */
function idsOf(context: Context): Set<string> {
  return new Set(targetsOf(context).targets.map(keyOfTarget));
}

/** Made of what names are made of, in any order: worse than any folder. */
const pieces = fc.oneof(
  fc.constantFrom(
    'S01E02',
    '1x03',
    'Season 2',
    'Specials',
    'Episode 4',
    'E05',
    '-',
    '_',
    ' ',
    '.',
    '/',
    '(2008)',
    '[x]',
    'poster',
    'backdrop',
    'logo',
    'title card',
    'Part II',
    '2019-03-04',
    '1080p',
    'final',
    'old',
    '&',
    '7',
    '012',
    '213',
    'Ⅳ',
    '\u202e',
  ),
  fc.constantFrom(...contexts.flatMap((context) => [context.title, ...titlesIn(context)])),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

function titlesIn(context: Context): string[] {
  const { seasons, films } = targetsOf(context).work;
  return [...seasons.flatMap(({ episodes }) => episodes), ...films].map(({ title }) => title);
}

const names = fc.array(pieces, { minLength: 1, maxLength: 8 }).map((parts) => `${parts.join('')}.jpg`);

describe('whatever a file is called', () => {
  it('is only ever matched to what the catalogue has there', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...contexts),
        fc.array(names, { minLength: 1, maxLength: 6 }),
        (context, paths) => {
          const known = idsOf(context);
          const answers = match(context, paths);
          expect(answers.length).toBe(paths.length);
          for (const answer of answers) {
            const places =
              answer.status === 'matched'
                ? [answer.place]
                : answer.status === 'ambiguous'
                  ? answer.places
                  : [];
            for (const { target } of places) expect(known).toContain(keyOfTarget(target));
          }
        },
      ),
      { numRuns: 400 },
    );
  });

  it('never shares its place with another file', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...contexts),
        fc.array(names, { minLength: 2, maxLength: 12 }),
        (context, paths) => {
          const taken = match(context, [...new Set(paths)]).flatMap((answer) =>
            answer.status === 'matched' ? [JSON.stringify(answer.place)] : [],
          );
          expect(new Set(taken).size).toBe(taken.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});

type Renaming = readonly [how: string, rename: (path: string) => string];

const renamings: readonly Renaming[] = [
  ['in upper case', (path) => path.toUpperCase()],
  ['in lower case', (path) => path.toLowerCase()],
  ['with another ending', (path) => path.replace(/\.(?:jpe?g|webp|png)$/i, '.PNG')],
  ['decomposed', (path) => path.normalize('NFD')],
  ['composed', (path) => path.normalize('NFC')],
  ['with underscores', (path) => path.replace(/ /g, '_')],
  ['with dots', (path) => path.replace(/ (?=.*\.[a-z]+$)/gi, '.')],
  ['with wide gaps', (path) => path.replace(/ /g, '  ')],
  ['with full-width digits', (path) => path.replace(/[0-9]/g, wide)],
];

function wide(digit: string): string {
  return String.fromCharCode(0xff10 + Number(digit));
}

const shows = [saltmarsh, towerOfMumble, lanternStreet, dailyThimble, breakingBad];

describe('a file that is named after a part of the title', () => {
  const parts = fc.constantFrom(...shows).chain((context) =>
    fc.record({
      context: fc.constant(context),
      words: fc.subarray(context.title.split(/[^\p{L}\p{N}]+/u), { minLength: 1 }),
      code: fc.constantFrom(
        ...context.seasons.flatMap(({ seasonNumber, episodes }) =>
          episodes.map(({ episodeNumber }) => `S${pad(seasonNumber)}E${pad(episodeNumber)}`),
        ),
      ),
      gap: fc.constantFrom(' ', '_', '.', ' - ', '/'),
    }),
  );
  const whole = (context: Context, name: string) => titleForms(context.title).whole.has(keyOfText(name));

  it('is asked about, and matched once a person has confirmed that name', () => {
    fc.assert(
      fc.property(parts, ({ context, words, code, gap }) => {
        const name = words.join(' ');
        // What is an episode's title too is no stranger before its number.
        const titles = titlesIn(context).map(keyOfText);
        fc.pre(!whole(context, name) && !titles.includes(keyOfText(name)));
        const path = `${name}${gap}${code}.jpg`;
        const [before] = match(context, [path]);
        // "The" alone names no work, and a folder of that name says nothing.
        fc.pre(words.some((word) => !/^(?:the|of)$/i.test(word)));
        expect({ path, is: before }).toMatchObject({ path, is: { status: 'ambiguous' } });
        fc.pre(before?.status === 'ambiguous' && before.why === 'short_name');
        const confirmed = { slot: null, name: null, alsoCalled: [name] };
        const [after] = matchFiles([{ path, shape: null }], targetsOf(context), confirmed);
        const [place] = before?.status === 'ambiguous' ? before.places : [];
        expect({ path, after }).toEqual({ path, after: { status: 'matched', place } });
      }),
      { numRuns: 400 },
    );
  });
});

describe('a file that is named after something else', () => {
  const others = ['Quibblewick', 'Zanzibar Nights', 'Kranich & Partner', 'Bürgerwehr'];
  const codes = ['S01E01', '1x02', 'Season 1', 'Season 1 Episode 2', 'Poster', 'E01', '01', '(2011)'];

  it('is never matched, whatever of the title stands beside it', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...new Set(seen.map(({ context }) => context))),
        fc.constantFrom(...others),
        fc.constantFrom(...codes),
        fc.constantFrom(' ', ' - ', '/'),
        fc.nat(),
        fc.boolean(),
        (context, other, code, gap, length, behind) => {
          const words = context.title.split(' ');
          const own = words.slice(0, length % (words.length + 1));
          const name = (behind ? [...own, other] : [other, ...own]).join(' ');
          const path = `${name}${gap}${code}.jpg`;
          expect({ path, status: match(context, [path])[0]?.status }).not.toEqual({
            path,
            status: 'matched',
          });
        },
      ),
      { numRuns: 600 },
    );
  });
});

describe('a file by another spelling', () => {
  it.each(renamings)('means the same %s', (_, rename) => {
    const of = ({ context, path, beside }: NamedFile, how: (path: string) => string) =>
      match(context, [path, ...beside].map(how))[0];
    const differs = seen.filter((file) => {
      const [before, after] = [of(file, (path) => path), of(file, rename)];
      // Why it is not matched may be put differently.
      const told = (one: Match | undefined) => [one?.status, one?.status === 'matched' ? one.place : null];
      return JSON.stringify(told(before)) !== JSON.stringify(told(after));
    });
    expect(differs.map(({ path }) => path)).toEqual([]);
  });

  it('means the same however number, title and show are put together', () => {
    const episodes = breakingBad.seasons.flatMap(({ seasonNumber, episodes: all }) =>
      all.map((episode) => ({ season: seasonNumber, ...episode })),
    );
    const styles: readonly ((season: number, episode: number) => string)[] = [
      (s, e) => `S${pad(s)}E${pad(e)}`,
      (s, e) => `s${s}e${e}`,
      (s, e) => `S${pad(s)} E${pad(e)}`,
      (s, e) => `${s}x${pad(e)}`,
      (s, e) => `Season ${s} Episode ${e}`,
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...episodes),
        fc.constantFrom(...styles),
        fc.constantFrom('', 'Breaking Bad', 'Breaking Bad (2008)', 'breaking.bad'),
        fc.boolean(),
        fc.constantFrom(' ', ' - ', '_', '.'),
        fc.constantFrom('', 'Season {s}/', 'Breaking Bad/Season {s}/', 'Title Cards/'),
        fc.constantFrom('jpg', 'png', 'WEBP'),
        (episode, style, show, titled, gap, folder, ending) => {
          const parts = [
            show,
            style(episode.season, episode.episodeNumber),
            titled ? (episode.title ?? '') : '',
          ];
          const stem = parts.filter((part) => part !== '').join(gap);
          const path = `${folder.replace('{s}', String(episode.season))}${stem}.${ending}`;
          const place = { target: { kind: 'episode', id: episode.id }, slot: 'titlecard' };
          expect({ path, match: match(breakingBad, [path])[0] }).toMatchObject({
            path,
            match: { status: 'matched', place },
          });
        },
      ),
      { numRuns: 500 },
    );
  });
});

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
