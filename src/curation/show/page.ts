import { createHash } from 'node:crypto';
import { allSlots, shapeOfSlot } from '../../model/slots.ts';
import { html, Markup, shortText } from './html.ts';
import look from './page.css?raw';

/** A picture, or a place without one. Texts may be other people's writing: all of them are escaped. */
export interface Cell {
  /** What names it for the one who reads its bytes; left out: it is a gap. */
  readonly picture?: string | undefined;
  /** Of a gap: why nothing is there. */
  readonly gap?: 'missing' | 'not out yet' | undefined;
  /** In short what it is of: `S01E03`, `Poster`. */
  readonly label: string;
  /** Its own title, such as an episode's. */
  readonly title?: string | undefined;
  /** What else is known of it: creator, language, size, what becomes of it. */
  readonly facts?: readonly string[] | undefined;
  /** What the person has to answer. */
  readonly question?: string | undefined;
  /** Why it can't be used, or what to look at before it is. */
  readonly warnings?: readonly string[] | undefined;
  /** Tells its proportions until it has been read. */
  readonly slot?: string | undefined;
}

/** How much of what there could be is there. */
export interface Tally {
  readonly name: string;
  readonly has: number;
  readonly of: number;
}

/** Pictures under a heading. */
export interface Group {
  readonly heading: string;
  readonly tally?: Tally | undefined;
  readonly note?: string | undefined;
  /** Each list begins a row of its own. */
  readonly rows: readonly (readonly Cell[])[];
}

/** What a person is shown of an answer: one Set, what was asked for, a plan. */
export interface Page {
  readonly page: 'gallery' | 'plan';
  /** `Show Set`, `Movie`. */
  readonly kind?: string | undefined;
  readonly title: string;
  readonly facts: readonly string[];
  /** Sentences of ours. */
  readonly notes: readonly string[];
  readonly groups: readonly Group[];
}

/** A picture small enough to stand in a page; or why it does not, in words. */
export type PagePicture =
  | {
      readonly dataUri: string;
      /** Pixels. */
      readonly width: number;
      readonly height: number;
      /** Something shines through. */
      readonly clear: boolean;
    }
  | { readonly unseen: string };

export type PagePictures = ReadonlyMap<string, PagePicture>;

/** The pictures that a page shows, each once, in their order. */
export function picturesIn({ groups }: Page): string[] {
  const cells = groups.flatMap(({ rows }) => rows.flat());
  return [...new Set(cells.flatMap(({ picture }) => (picture === undefined ? [] : [picture])))];
}

/** Proportions of what usually stands in a slot, width to height; where they are free, those of a logo. */
export function usualRatio(slot = 'poster'): number {
  const [width = 5, height = 2] = (shapeOfSlot(slot)?.ratios[0] ?? '5:2').split(':').map(Number);
  return width / height;
}

/** The style sheet of every page: its look, and the proportions of a place without a picture. */
export const style = `${look}${allSlots
  .map((slot) => `.hole.${slot}{aspect-ratio:${usualRatio(slot).toFixed(3)}}`)
  .join('\n')}`;

/**
 * A page as an HTML document of its own, which loads nothing and runs nothing: its policy allows embedded pictures and
 * its own style sheet by digest, and no script at all.
 * @param foot when and from what it was made, in a sentence or two
 */
export function renderPage(page: Page, pictures: PagePictures, foot: string): string {
  const { kind, title, facts, notes, groups } = page;
  const digest = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; img-src data:; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`;
  const words = facts.map((fact) => html`<span><bdi>${shortText(fact, 120)}</bdi></span>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${shortText(title, 120)}</title>
<style>${new Markup(style)}</style>
</head>
<body>
<header class="top">${kind !== undefined && html`<p class="facts">${kind}</p>`}
<h1><bdi>${shortText(title, 160)}</bdi></h1>
${words.length > 0 && html`<p class="facts">${words}</p>`}
${notes.map((note) => html`<p class="facts">${shortText(note, 600)}</p>`)}</header>
<main>${groups.map((group) => groupOf(group, pictures))}</main>
<footer class="foot"><p>${foot}</p></footer>
</body>
</html>
`.text;
}

/** What is not whole stands out. */
function tallyOf({ name, has, of }: Tally): Markup {
  return html`<span${has < of && html` class="lack"`}>${has} of ${of} ${name.toLowerCase()}</span>`;
}

function groupOf({ heading, tally, note, rows }: Group, pictures: PagePictures): Markup {
  return html`<section class="group"><div class="title"><h2><bdi>${shortText(heading, 160)}</bdi></h2>
${tally !== undefined && html`<p>${tallyOf(tally)}</p>`}
${note !== undefined && html`<p>${note}</p>`}</div>
${rows.map((row) => row.length > 0 && html`<ul class="row">${row.map((cell) => cellOf(cell, pictures))}</ul>`)}
</section>`;
}

function cellOf(cell: Cell, pictures: PagePictures): Markup {
  const { label, title = '', facts = [], question, warnings = [], slot = 'poster' } = cell;
  const lie = usualRatio(slot) > 1.2 ? 'wide' : 'tall';
  const sentences = question !== undefined || warnings.length > 0;
  const words = [
    html`<b><bdi>${shortText(label, 80)}</bdi></b>`,
    title !== '' && html`<span><bdi>${shortText(title, 120)}</bdi></span>`,
    facts.length > 0 && html`<small><bdi>${shortText(facts.join(' · '), 200)}</bdi></small>`,
    question !== undefined && html`<span class="ask"><bdi>${shortText(question, 500)}</bdi></span>`,
    warnings.map((warning) => html`<span class="lack">${shortText(warning, 300)}</span>`),
  ];
  return html`<li class="cell ${lie}${sentences && ' wordy'}">${imageOf(cell, pictures)}<p class="words">${words}</p></li>`;
}

function imageOf({ picture, gap, label, title, slot = 'poster' }: Cell, pictures: PagePictures): Markup {
  const seen = picture === undefined ? undefined : pictures.get(picture);
  if (seen === undefined || 'unseen' in seen) {
    const state = gap === 'missing' ? ' lack' : '';
    return html`<p class="hole ${slot}${state}">${gap ?? seen?.unseen ?? 'not read'}</p>`;
  }
  const { dataUri, width, height, clear } = seen;
  const words = [label, title].filter(Boolean).join(', ');
  // Who hears a page would hear its label twice.
  const alt = shortText(words === label ? `Picture: ${label}` : words, 160);
  return html`<img${clear && html` class="clear"`} src="${dataUri}" width="${width}" height="${height}" alt="${alt}">`;
}
