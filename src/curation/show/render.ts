import { createHash } from 'node:crypto';
import type { PagePictures } from './embed.ts';
import { type Content, html, Markup, shortText } from './html.ts';
import style from './page.css?raw';
import type { Block, Page, PageCell, PageSection, PictureBlock, PictureCell, Tally } from './page.ts';
import { usualShape } from './sheet-layout.ts';

/**
 * A page as an HTML document of its own, which loads nothing and runs nothing: its policy allows embedded pictures and
 * the two style sheets by their digests, and no script at all.
 * @param foot when and from what it was made, in a sentence or two
 */
export function renderPage(page: Page, pictures: PagePictures, foot: string): string {
  const canvas = new Canvas(pictures);
  const { title, kind, blocks, nothing } = page;
  const main = blocks.map((block, index) => blockOf(block, `s${index + 1}`, 2, canvas));
  const body = html`<a class="skip" href="#content">To the content</a>
<header class="top">${headOf(page, 1, canvas)}</header>${linksTo(blocks)}
<main id="content" tabindex="-1">${
    blocks.length > 0
      ? html`<div>${main}</div>`
      : nothing !== undefined && html`<p class="nothing">${nothing}</p>`
  }</main>
<footer class="foot"><p>${foot}</p></footer>`;
  const rules = canvas.rules;
  const policy = [
    "default-src 'none'",
    'img-src data:',
    `style-src ${[style, rules].map(digestOf).join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${[shortText(title, 120), kind].filter((words) => words !== undefined).join(' · ')}</title>
<style>${new Markup(style)}</style>
<style>${new Markup(rules)}</style>
</head>
<body>
${body}
</body>
</html>
`.text;
}

function digestOf(sheet: string): string {
  return `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;
}

/** What a page is drawn with: its pictures, and the rules that its cells need, of numbers alone. */
class Canvas {
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

type Level = 1 | 2 | 3;

/** A heading, whose words are kept apart from what is written in another direction beside them. */
function headingOf(level: Level, words: string): Markup {
  const tag = new Markup(`h${level}`);
  return html`<${tag}><bdi>${shortText(words, 160)}</bdi></${tag}>`;
}

/** What a page, or a part of one, is about. */
function headOf(
  { kind, title, facts, description = '', tallies, notes }: Omit<Page, 'page' | 'blocks'>,
  level: Level,
  canvas: Canvas,
): Markup {
  return html`${kind !== undefined && html`<p class="kind">${kind}</p>`}
${headingOf(level, title)}
${factsOf(facts)}
${description !== '' && html`<p class="about" dir="auto">${shortText(description, 600)}</p>`}
${talliesOf(tallies, canvas)}
${notes.map((note) => html`<p class="notes">${shortText(note, 600)}</p>`)}`;
}

function factsOf(facts: readonly string[]): Markup | null {
  if (facts.length === 0) return null;
  return html`<p class="facts">${facts.map((fact) => html`<span><bdi>${shortText(fact, 120)}</bdi></span>`)}</p>`;
}

/** How much there is of each kind, with a bar. */
function talliesOf(tallies: readonly Tally[], canvas: Canvas): Markup | null {
  if (tallies.length === 0) return null;
  return html`<dl class="tallies">${tallies.map(
    ({ name, has, of }) => html`<div class="tally"><dt>${name}</dt>
<dd>${has} <small>of ${of}</small>${has < of && html` <small class="lack">${of - has} missing</small>`}
<span class="bar"><i class="${canvas.share(has, of)}"></i></span></dd></div>`,
  )}</dl>`;
}

/** Links that stand above a page wherever it is scrolled to; more of them are a list to be opened. */
const mostInLine = 14;

/** Links to the parts of a page, s1, s2 and so on; those that lack something say so. None where there are few. */
function linksTo(blocks: readonly Block[]): Markup | null {
  const links = blocks.flatMap((block, index) => linkTo(block, `#s${index + 1}`) ?? []);
  if (links.length < 3) return null;
  return links.length > mostInLine
    ? html`<nav class="jump many" aria-label="Sections"><details><summary>All ${links.length} by name</summary><ul>${links}</ul></details></nav>`
    : html`<nav class="jump" aria-label="Sections"><ul>${links}</ul></nav>`;
}

function linkTo(block: Block, address: string): Markup | null {
  if (block.block !== 'pictures' && block.block !== 'section') return null;
  const missing = missingIn(block);
  return html`<li><a href="${address}"><bdi>${shortText(block.block === 'pictures' ? block.heading : block.title, 40)}</bdi>${
    missing > 0 && html` <span class="lack">${missing} missing</span>`
  }</a></li>`;
}

function missingIn(block: PictureBlock | PageSection): number {
  if (block.block === 'pictures') {
    return block.rows.flat().filter((cell) => cell.cell === 'gap' && cell.state === 'missing').length;
  }
  const pictures = block.blocks.filter((one) => one.block === 'pictures');
  return pictures.reduce((sum, one) => sum + missingIn(one), 0);
}

/** Longer lists are cut, and the rest is counted. */
const mostLines = 60;

function blockOf(block: Block, id: string, level: 2 | 3, canvas: Canvas): Content {
  switch (block.block) {
    case 'section':
      return sectionOf(block, id, level, canvas);
    case 'pictures':
      return pictureBlockOf(block, id, level, canvas);
    case 'folded':
      return html`<section class="group" id="${id}"><div class="title">${headingOf(level, block.heading)}</div>
${block.groups.map(
  ({
    why,
    lines,
  }) => html`<details class="more"><summary>${shortText(why, 200)} <span class="count">${lines.length}</span></summary>
<ul class="files">${lines.slice(0, mostLines).map((line) => html`<li><bdi>${shortText(line, 200)}</bdi></li>`)}${moreThan(lines, mostLines)}</ul></details>`,
)}</section>`;
  }
}

function sectionOf(section: PageSection, id: string, level: 2 | 3, canvas: Canvas): Markup {
  return html`<article class="part" id="${id}">${headOf(section, level, canvas)}
${section.blocks.map((block, index) => blockOf(block, `${id}-${index + 1}`, 3, canvas))}</article>`;
}

function moreThan(lines: readonly string[], most: number): Markup | null {
  return lines.length > most ? html`<li>and ${lines.length - most} more</li>` : null;
}

/** Pictures under their heading, with how much there is of them. */
function pictureBlockOf(
  { heading, tally, note, rows, wordy = false }: PictureBlock,
  id: string,
  level: 2 | 3,
  canvas: Canvas,
): Markup {
  const lacks = tally !== undefined && tally.has < tally.of;
  return html`<section class="group" id="${id}"><div class="title">
${headingOf(level, heading)}
${tally !== undefined && html`<p${lacks && html` class="lack"`}>${tally.has} of ${tally.of} ${tally.name.toLowerCase()}</p>`}
${note !== undefined && html`<p>${note}</p>`}</div>
<div${wordy && html` class="cases"`}>${rows.map((row) => rowOf(row, canvas, wordy))}</div></section>`;
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
  return html`<ul class="row ${lie}${layout}">${cells.map((cell) => cellOf(cell, canvas))}</ul>`;
}

/** Width to height: of the picture where it has been read, else what is usual in its slot. */
function ratioOf(
  { picture, slot }: { readonly picture?: string | null; readonly slot: string },
  { pictures }: Canvas,
): number {
  const seen = picture == null ? undefined : pictures.get(picture);
  return seen !== undefined && 'dataUri' in seen ? seen.width / seen.height : usualRatio(slot);
}

function usualRatio(slot: string): number {
  const { width, height } = usualShape(slot);
  return width / height;
}

function cellOf(cell: PageCell, canvas: Canvas): Markup {
  if (cell.cell === 'picture') return pictureOf(cell, canvas);
  const { label, title, state, slot } = cell;
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
  const image = figureOf({ picture, slot, words }, canvas);
  return html`<li class="cell ${canvas.ratio(ratioOf(cell, canvas))}" id="${id}"><figure>
${isSeen ? html`<a href="#${id}">${image}</a>` : image}
<figcaption>${captionOf(label, title)}${mark !== undefined && html`<span class="mark">${mark}</span>`}${
    facts.length > 0 && html`<span class="fact"><bdi>${shortText(facts.join(' · '), 160)}</bdi></span>`
  }${question !== undefined && html`<span class="ask"><bdi>${shortText(question, 500)}</bdi></span>`}${
    problem !== undefined && html`<span class="bad">${shortText(problem, 300)}</span>`
  }${warnings.map((warning) => html`<span class="warn">${shortText(warning, 300)}</span>`)}</figcaption>
${isSeen && html`<a class="close" href="#-">Close</a>`}</figure></li>`;
}

interface Figure {
  /** Null: nothing tells where it is. */
  readonly picture: string | null;
  readonly slot: string;
  readonly words: string;
}

/** A picture by itself, or an outline that says why there is none. */
function figureOf({ picture, slot, words }: Figure, canvas: Canvas): Markup {
  const seen = picture === null ? { unseen: 'not shown' } : canvas.pictures.get(picture);
  if (seen === undefined || 'unseen' in seen) {
    return html`<span class="hole unseen ${canvas.ratio(usualRatio(slot))}">${seen?.unseen ?? 'not read'}</span>`;
  }
  const { dataUri, width, height, transparent } = seen;
  return html`<span class="picture${transparent && ' clear'}"><img src="${dataUri}" width="${width}" height="${height}" alt="${shortText(words, 160)}"></span>`;
}

function captionOf(label: string, title = ''): Content {
  return [
    html`<span class="label"><bdi>${shortText(label, 80)}</bdi></span>`,
    title !== '' && html`<span class="name"><bdi>${shortText(title, 120)}</bdi></span>`,
  ];
}
