import { usualShape } from '../sheet-layout.ts';
import type { PagePictures } from './embed.ts';
import { type Content, documentOf, html, Markup, shortText } from './html.ts';
import type { GapCell, PageCell, PageHead, PageSection, PictureCell, Tally } from './view.ts';

/** What a page is drawn with: its pictures, and the rules that its cells need. */
export class Canvas {
  readonly pictures: PagePictures;
  readonly #rules = new Map<string, string>();
  #cells = 0;

  constructor(pictures: PagePictures) {
    this.pictures = pictures;
  }

  /** The class of a cell of these proportions, width to height; `--side`: its width where all have the same area. */
  ratio(value: number): string {
    // A strip that is far longer than high, or the other way round, would make its row a line or a tower.
    const bounded = Math.min(6, Math.max(0.4, value));
    const name = `r${Math.round(bounded * 1000)}`;
    this.#rules.set(name, `.${name}{--r:${bounded.toFixed(3)};--side:${Math.sqrt(bounded).toFixed(3)}}`);
    return name;
  }

  /** The class of so much of a whole, in hundredths. */
  share(has: number, of: number): string {
    const percent = of === 0 ? 0 : Math.floor((has / of) * 100);
    const name = `w${percent}`;
    this.#rules.set(name, `.${name}{width:${percent}%}`);
    return name;
  }

  nextId(): string {
    this.#cells += 1;
    return `p${this.#cells}`;
  }

  get rules(): string {
    return [...this.#rules.values()].sort().join('');
  }
}

/** Of a few wide pictures the length in heights that one row of a wide screen has. */
const oneRow = { least: 4.5, most: 9.5, cells: 7 };

/** Pictures in rows that fill, each of a row as high as the others, whatever their proportions. */
function rowOf(cells: readonly PageCell[], canvas: Canvas, wordy: boolean): Markup | null {
  if (cells.length === 0) return null;
  const ratios = cells.map((cell) => ratioOf(cell, canvas));
  const lie = ratios.filter((ratio) => ratio < 1.2).length * 2 >= cells.length ? 'tall' : 'wide';
  const length = ratios.reduce((sum, ratio) => sum + ratio, 0);
  const isOne = length > oneRow.least && length < oneRow.most && cells.length <= oneRow.cells;
  const layout = wordy ? ' wordy' : isOne && lie === 'wide' ? ' one' : '';
  return html`<ul class="row ${lie}${layout}">${cells.map((cell) =>
    cell.cell === 'gap' ? gapOf(cell, canvas) : pictureOf(cell, canvas),
  )}</ul>`;
}

/** Width to height: of the picture where it has been read, else what is usual in its slot. */
export function ratioOf(
  of: { readonly picture?: string | null; readonly slot: string },
  { pictures }: Canvas,
): number {
  const seen = of.picture == null ? undefined : pictures.get(of.picture);
  return seen !== undefined && 'dataUri' in seen ? seen.width / seen.height : usualRatio(of.slot);
}

function usualRatio(slot: string): number {
  const { width, height } = usualShape(slot);
  return width / height;
}

function gapOf({ label, title, state, slot }: GapCell, canvas: Canvas): Markup {
  const later = state === 'missing' ? '' : ' later';
  return html`<li class="cell ${canvas.ratio(usualRatio(slot))}">
<p class="hole${later}">${state}</p>
<p class="caption">${captionOf(label, title)}</p></li>`;
}

function pictureOf(cell: PictureCell, canvas: Canvas): Markup {
  const { label, title = '', facts = [], warnings = [], question, problem, mark, picture, slot } = cell;
  const id = canvas.nextId();
  const words = cell.spoken ?? [label, title].filter((word) => word !== '').join(', ');
  const seen = canvas.pictures.get(picture);
  const isSeen = seen !== undefined && 'dataUri' in seen;
  const gone = seen === undefined ? 'not read' : isSeen ? '' : seen.unseen;
  const image = figureOf({ picture, slot, words, gone }, canvas);
  return html`<li class="cell ${canvas.ratio(ratioOf(cell, canvas))}" id="${id}"><figure>
${isSeen ? html`<a href="#${id}">${image}</a>` : image}
<figcaption>${captionOf(label, title)}${mark !== undefined && html`<span class="mark">${mark}</span>`}${
    facts.length > 0 && html`<span class="fact"><bdi>${shortText(facts.join(' · '), 160)}</bdi></span>`
  }${question !== undefined && html`<span class="ask"><bdi>${shortText(question, 500)}</bdi></span>`}${
    problem !== undefined && html`<span class="bad">${shortText(problem, 300)}</span>`
  }${warnings.map((warning) => html`<span class="warn">${shortText(warning, 300)}</span>`)}</figcaption>
${isSeen && html`<a class="close" href="#-">Close</a>`}</figure></li>`;
}

/** A picture by itself, or an outline that says why there is none. */
export function figureOf(
  of: {
    readonly picture: string | null;
    readonly slot: string;
    readonly words: string;
    readonly gone: string;
  },
  canvas: Canvas,
): Markup {
  const seen = of.picture === null ? undefined : canvas.pictures.get(of.picture);
  if (seen === undefined || 'unseen' in seen) {
    return html`<span class="hole unseen ${canvas.ratio(usualRatio(of.slot))}">${of.gone}</span>`;
  }
  const { dataUri, width, height, transparent } = seen;
  return html`<span class="picture${transparent && ' clear'}"><img src="${dataUri}" width="${width}" height="${height}" alt="${shortText(of.words, 160)}"></span>`;
}

function captionOf(label: string, title = ''): Content {
  return [
    html`<span class="label"><bdi>${shortText(label, 80)}</bdi></span>`,
    title !== '' && html`<span class="name"><bdi>${shortText(title, 120)}</bdi></span>`,
  ];
}

/** How much there is of each kind, with a bar. */
export function talliesOf(tallies: readonly Tally[], canvas: Canvas): Markup | null {
  if (tallies.length === 0) return null;
  return html`<dl class="tallies">${tallies.map(
    ({ name, has, of }) => html`<div class="tally"><dt>${name}</dt>
<dd>${has} <small>of ${of}</small>${has < of && html` <small class="lack">${of - has} missing</small>`}
<span class="bar"><i class="${canvas.share(has, of)}"></i></span></dd></div>`,
  )}</dl>`;
}

/** A line of short facts under a cell of a page; null where there are none. */
export function cellFacts(facts: readonly string[]): Markup | null {
  if (facts.length === 0) return null;
  return html`<p class="facts">${facts.map((fact) => html`<span><bdi>${shortText(fact, 120)}</bdi></span>`)}</p>`;
}

type Level = 'h1' | 'h2' | 'h3';

/** A heading, whose words are kept apart from what is written in another direction beside them. */
export function headingOf(level: Level, words: string): Markup {
  const tag = new Markup(level);
  return html`<${tag}><bdi>${shortText(words, 160)}</bdi></${tag}>`;
}

/** What a page, or a part of one, is about. */
export function headOf(
  { kind, title, facts, description = '', tallies, notes }: PageHead,
  level: Level,
  canvas: Canvas,
): Markup {
  return html`<p class="kind">${kind}</p>
${headingOf(level, title)}
${cellFacts(facts)}
${description !== '' && html`<p class="about" dir="auto">${shortText(description, 600)}</p>`}
${talliesOf(tallies, canvas)}
${notes.map((note) => html`<p class="notes">${shortText(note, 600)}</p>`)}`;
}

/** Links to the sections of a long page; those with gaps say so in words. */
export function jumpOf(sections: readonly PageSection[]): Markup | null {
  return linksTo(
    sections.map((section) => {
      const missing = missingIn(section);
      return { title: section.heading, note: missing > 0 ? `${missing} missing` : '', isLack: true };
    }),
  );
}

/** Links that stand above a page wherever it is scrolled to; more of them are a list to be opened. */
const mostInLine = 14;

/** Links to the parts of a page, s1, s2 and so on; none where there are few. */
export function linksTo(
  parts: readonly { readonly title: string; readonly note: string; readonly isLack?: boolean }[],
): Markup | null {
  if (parts.length < 3) return null;
  const links = html`<ul>${parts.map(
    ({ title, note, isLack = false }, index) =>
      html`<li><a href="#s${index + 1}"><bdi>${shortText(title, 40)}</bdi>${
        note !== '' && html` <span${isLack && html` class="lack"`}>${note}</span>`
      }</a></li>`,
  )}</ul>`;
  return parts.length > mostInLine
    ? html`<nav class="jump many" aria-label="Sections"><details><summary>All ${parts.length} by name</summary>${links}</details></nav>`
    : html`<nav class="jump" aria-label="Sections">${links}</nav>`;
}

function missingIn({ rows }: PageSection): number {
  return rows.flat().filter((cell) => cell.cell === 'gap' && cell.state === 'missing').length;
}

/** A section of a page: its heading, how much there is of it, its rows of pictures. */
export function sectionOf(section: PageSection, id: string, level: 'h2' | 'h3', canvas: Canvas): Markup {
  const { heading, tally, note, rows, wordy = false } = section;
  const lacks = tally !== undefined && tally.has < tally.of;
  return html`<section class="group" id="${id}"><div class="title">
${headingOf(level, heading)}
${tally !== undefined && html`<p${lacks && html` class="lack"`}>${tally.has} of ${tally.of} ${tally.name.toLowerCase()}</p>`}
${note !== undefined && html`<p>${note}</p>`}</div>
<div${wordy && html` class="cases"`}>${rows.map((row) => rowOf(row, canvas, wordy))}</div></section>`;
}

interface Page {
  readonly title: string;
  readonly top: Content;
  readonly main: Content;
  readonly foot: string;
}

/** A whole page, with what every one has around its content. */
export function pageOf({ title, top, main, foot }: Page, canvas: Canvas): string {
  const body = html`<a class="skip" href="#content">To the content</a>
${top}
<main id="content" tabindex="-1">${main}</main>
<footer class="foot"><p>${foot}</p></footer>`;
  return documentOf({ title, body, rules: () => canvas.rules });
}
