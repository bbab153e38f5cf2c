import sharp from 'sharp';
import { expect, it } from 'vitest';
import type { ChangesPage } from '../../../src/curation/changes/change.ts';
import { changesPage, leftOutNotes, readPicturesOfChanges } from '../../../src/curation/show/changes-page.ts';
import type { Page } from '../../../src/curation/show/page.ts';
import { renderPage } from '../../../src/curation/show/render.ts';
import { ArtworkError } from '../../../src/errors.ts';

const change = { label: 'Poster', what: 'replaced', when: 'today', slot: 'poster' };

function viewOf(pairs: readonly (readonly [string, string | null])[]): Page {
  return {
    page: 'changes',
    kind: 'Changes',
    title: 'What changed',
    facts: [],
    tallies: [],
    notes: [],
    blocks: [
      {
        block: 'changes',
        changes: pairs.map(([before, after]) => ({
          ...change,
          before: { picture: before },
          after: { picture: after },
        })),
      },
    ],
  };
}

async function read(picture: string): Promise<Buffer> {
  if (picture.startsWith('gone')) throw new ArtworkError('not_found', 'There is none.', { status: 404 });
  if (picture.startsWith('lost')) throw new ArtworkError('network', 'No answer.');
  return sharp({ create: { width: 20, height: 30, channels: 3, background: '#884422' } })
    .png()
    .toBuffer();
}

/** What stands in the page in the place of pictures, in its order. */
async function holesIn(view: Page, most: number, hasTime: () => boolean = () => true) {
  const found = await readPicturesOfChanges(view, { read, hasTime, progress: async () => {} }, most);
  const page = renderPage(view, found.pictures, 'foot');
  const holes = [...page.matchAll(/<span class="hole[^>]*>([^<]*)<|<img src="data:/g)];
  return { holes: holes.map(([, words]) => words ?? 'shown'), notes: leftOutNotes(found) };
}

const leftOut = 'left out here, the page is full';

it('says of what has no room that it is left out, and counts it', async () => {
  const { holes, notes } = await holesIn(
    viewOf([
      ['a', 'b'],
      ['c', 'd'],
      ['gone', 'a'],
    ]),
    3,
  );
  expect(holes).toEqual(['shown', 'shown', 'shown', leftOut, leftOut, 'shown']);
  expect(notes).toEqual([expect.stringMatching(/2 of its 5 pictures are left out.*ask for one slot only/)]);
});

it('says the same where time has run out', async () => {
  let left = 1;
  const hasTime = () => {
    left -= 1;
    return left >= 0;
  };
  const { holes, notes } = await holesIn(viewOf([['a', 'gone']]), 9, hasTime);
  expect(holes).toEqual(['shown', leftOut]);
  expect(notes).toEqual([expect.stringContaining('1 of its 2 pictures')]);
});

it('says that a picture is not shown any more only where it was asked for', async () => {
  const pairs = [
    ['gone', 'a'],
    ['a', null],
    ['lost 1', 'lost 2'],
  ] as const;
  const { holes, notes } = await holesIn(viewOf(pairs), 9);
  const unread = 'could not be read';
  expect(holes).toEqual(['not shown any more', 'shown', 'shown', 'not shown', unread, unread]);
  expect(notes).toEqual([]);
});

const coverage = { oldest: null, newest: null, complete: true };
const lineOf = (kind: string, id: number, title: string | null) => ({
  set: null,
  setChange: null,
  of: { kind, id, title },
  createdBy: null,
  lastAt: null,
  firstAt: null,
  places: [],
});

const pageOf = (since: string, lines: ChangesPage['lines'] = []): ChangesPage => ({
  asked: { scope: 'all', createdBy: null, changeType: null, slot: null },
  ...{ since, lines, coverage, until: null, warnings: [] },
});

it('heads what no read has named by its kind and number, so that no two headings are the same', () => {
  const lines = [
    lineOf('person', 12, null),
    lineOf('person', 13, null),
    lineOf('movie', 5, 'Serenity (2005)'),
  ];
  const { blocks } = changesPage(pageOf('2026-11-16', lines), new Date());
  expect(blocks.map((block) => block.block === 'section' && block.title)).toEqual([
    'Person 12',
    'Person 13',
    'Serenity (2005)',
  ]);
});

it('says today of the day on which it is made, and the hour where only a part of it was asked for', () => {
  const now = new Date('2026-11-23T15:30:00Z');
  const titles = ['2026-11-23', '2026-11-23T13:05:00Z', '2026-11-22T15:30:00Z'].map(
    (since) => changesPage(pageOf(since), now).title,
  );
  expect(titles).toEqual([
    'What changed today',
    'What changed since 13:05 UTC today',
    'What changed since 22 November 2026',
  ]);
});
