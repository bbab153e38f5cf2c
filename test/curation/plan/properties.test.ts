import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entriesOf, missingPlaces } from '../../../src/curation/plan/entries.ts';
import type { InspectedPicture } from '../../../src/curation/plan/folder.ts';
import { inShownOrder, warnOfSameBytes } from '../../../src/curation/plan/make-plan.ts';
import { itemsOf, type Plan } from '../../../src/curation/plan/plan.ts';
import { countsOf } from '../../../src/curation/plan/questions.ts';
import { readWork } from '../../../src/curation/read-work.ts';
import { deadlineIn } from '../../../src/deadline.ts';
import { refusedFileError } from '../../../src/files/refusal.ts';
import { sha256Of } from '../../../src/files/upload-bytes.ts';
import { keyOfPlace, keyOfTarget } from '../../../src/model/target.ts';
import { reads, showOf } from './planner.ts';

const read = await readWork(
  reads(showOf(7, 'Puddles', { 0: 2, 1: 4, 2: 4 })),
  { kind: 'show', id: 7 },
  deadlineIn(1_000),
);

const pieces = fc.constantFrom(
  'S01E01',
  'S01E02',
  '1x03',
  'S02E01-E02',
  'S00E01',
  '03',
  '201',
  'Puddles',
  'Other Show',
  'Part 2 of 1',
  'Season 2',
  'poster',
  'logo',
  ' - ',
  ' ',
  'copy',
  '2020',
  'ü\u202e',
);
const name = fc
  .tuple(
    fc.constantFrom('', 'Season 1/', 'Specials/', 'Other Show/'),
    fc.array(pieces, { minLength: 1, maxLength: 5 }),
  )
  .map(([folder, words]) => `${folder}${words.join('')}.png`);
const looked: fc.Arbitrary<InspectedPicture> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(fc.integer({ min: 0, max: 5 }), fc.boolean())
      .map(([digit, wide]) => facts(digit, wide)),
  },
  { weight: 1, arbitrary: fc.constant({ refused: refusedFileError('damaged', 'It is damaged.') }) },
);

function facts(digit: number, wide: boolean): InspectedPicture {
  const shape = { rotated: false, frames: 1, alpha: false, blank: false, cutShort: false, undecoded: null };
  return {
    facts: {
      name: 'a.png',
      filename: 'a.png',
      filenameChanged: digit === 0,
      contentType: 'image/png',
      contentLength: 1_000 + digit,
      sha256: sha256Of(String(digit).repeat(64)),
      picture: wide ? { width: 1280, height: 720, ...shape } : { width: 680, height: 1020, ...shape },
      warnings: [],
    },
  };
}

const folders = fc.record({
  files: fc.uniqueArray(fc.tuple(name, looked), { selector: ([path]) => path, maxLength: 30 }),
  slot: fc.constantFrom<null | 'titlecard' | 'poster'>(null, 'titlecard', 'poster'),
  maxBytes: fc.constantFrom(null, 1_002),
});

function planFor({
  files,
  slot,
  maxBytes,
}: typeof folders extends fc.Arbitrary<infer Value> ? Value : never): Plan {
  const paths = files.map(([path]) => path);
  const reading = { paths, read, wish: { slot, name: null }, looks: new Map(files), maxBytes };
  const entries = warnOfSameBytes(entriesOf(reading));
  return {
    service: 'https://catalogue.example',
    user: 'default',
    madeAt: new Date(0).toISOString(),
    asked: { folder: '/pictures' },
    folder: '/pictures',
    entry: { kind: 'show', id: 7 },
    work: { kind: 'show', id: 7, title: 'Puddles' },
    set: null,
    entries: inShownOrder([...entries, ...missingPlaces(entries, read, slot, [], '2026-01-01')]),
    moreMissing: 0,
    passed: {},
    parts: ['00000000-0000-4000-8000-000000000000'],
    perPart: 300,
  };
}

describe('a plan of any folder', () => {
  it('has every file once, sends only what can be sent, and each place once', () => {
    fc.assert(
      fc.property(folders, (folder) => {
        const plan = planFor(folder);
        const paths = plan.entries.flatMap((entry) => ('path' in entry ? [entry.path] : []));
        expect([...paths].sort()).toEqual(folder.files.map(([path]) => path).sort());
        const { files, matched, ambiguous, unmatched, ignored, toSend } = countsOf(plan);
        expect(matched + ambiguous + unmatched + ignored).toBe(files);
        const items = itemsOf(plan);
        expect(items).toHaveLength(toSend);
        const inside = new Set(read.targets.map(({ kind, id }) => `${kind} ${id}`));
        const places = items.map(({ place }) => keyOfPlace(place));
        expect(new Set(places).size).toBe(places.length);
        for (const { place, problem, picture } of items) {
          expect(inside.has(keyOfTarget(place.target))).toBe(true);
          expect(problem).toBeNull();
          expect(picture.contentLength).toBeLessThanOrEqual(folder.maxBytes ?? Number.POSITIVE_INFINITY);
          if (folder.slot !== null) expect(place.slot).toBe(folder.slot);
        }
      }),
      { numRuns: 100 },
    );
  });
});
