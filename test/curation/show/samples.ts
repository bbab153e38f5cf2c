import sharp from 'sharp';
import { embedPictures } from '../../../src/curation/show/embed.ts';
import { galleryPage } from '../../../src/curation/show/gallery.ts';
import type { Block, Page, PageCell, PageSection, PictureBlock } from '../../../src/curation/show/page.ts';
import { renderPage } from '../../../src/curation/show/render.ts';

const clear = { r: 0, g: 0, b: 0, alpha: 0 };

function picture(width: number, height: number, background: string | typeof clear): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 4, background } })
    .png()
    .toBuffer();
}

const files: Readonly<Record<string, () => Promise<Buffer>>> = {
  card: () => picture(1920, 1080, '#35506b'),
  other: () => picture(1920, 1080, '#6b3543'),
  poster: () => picture(1000, 1500, '#334455'),
  logo: () => picture(900, 300, clear),
  strip: () => picture(4000, 60, '#335533'),
  tower: () => picture(60, 4000, '#553333'),
};

const shape: Readonly<Record<string, string>> = { card: 'titlecard', other: 'titlecard', logo: 'logo' };

export async function samplePictures() {
  return embedPictures([...Object.keys(files), 'broken', 'gone'], {
    read: async (name) => (await files[name]?.()) ?? Buffer.from('this is no picture'),
    hasTime: () => true,
    progress: async () => {},
  });
}

export const pageNames = ['gallery', 'gallery of several', 'plan'] as const;

/** Every kind of page, in which every text of the catalogue and of the disk is `text`. */
export async function samplePages(
  text: string,
): Promise<Readonly<Record<(typeof pageNames)[number], string>>> {
  const pictures = await samplePictures();
  const head = {
    kind: 'Show Set',
    title: text,
    facts: [text, 'English', `by ${text}`],
    description: text,
    tallies: [
      { name: 'Title cards', has: 49, of: 62 },
      { name: 'Season posters', has: 0, of: 5 },
    ],
    notes: [`It has no ${text}.`],
  };
  const cells: PageCell[] = [
    ...Object.keys(files).map(
      (name, index): PageCell => ({
        cell: 'picture',
        picture: name,
        label: index % 2 === 0 ? text : `S01E0${index}`,
        title: text,
        facts: [text],
        warnings: [text],
        slot: shape[name] ?? 'poster',
      }),
    ),
    { cell: 'picture', picture: 'broken', label: text, title: text, slot: 'titlecard' },
    { cell: 'gap', label: 'S01E09', title: text, state: 'missing', slot: 'titlecard' },
    { cell: 'gap', label: 'Poster', state: 'missing', slot: 'poster' },
    { cell: 'gap', label: 'S01E10', title: text, state: 'not aired yet', slot: 'titlecard' },
  ];
  const block: PictureBlock = {
    block: 'pictures',
    heading: text,
    tally: { name: 'Title cards', has: 7, of: 9 },
    rows: [cells.slice(0, 3), cells],
  };
  const blocks = [block, { ...block, heading: 'Season 2' }, { ...block, heading: 'Specials' }];
  const part: PageSection = { block: 'section', ...head, blocks };
  const asked = cells.flatMap((cell) =>
    cell.cell === 'picture' ? [{ ...cell, question: text, problem: text, mark: 'has this place now' }] : [],
  );
  const toDecide: PictureBlock = {
    block: 'pictures',
    heading: 'To decide',
    wordy: true,
    rows: [asked, asked.slice(0, 2)],
  };
  const leftOut: Block = {
    block: 'folded',
    heading: 'Left out',
    groups: [{ why: text, lines: Array.from({ length: 70 }, () => text) }],
  };
  const pages: Readonly<Record<(typeof pageNames)[number], Page>> = {
    gallery: galleryPage([part]),
    'gallery of several': galleryPage([part, part]),
    plan: { page: 'plan', ...head, blocks: [toDecide, ...blocks, leftOut] },
  };
  const drawn = pageNames.map((name) => [name, renderPage(pages[name], pictures, 'Made today.')] as const);
  return Object.fromEntries(drawn) as Record<(typeof pageNames)[number], string>;
}
