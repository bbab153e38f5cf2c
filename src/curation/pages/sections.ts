import { type Canvas, cellFacts, rowOf, talliesOf } from './cells.ts';
import { type Content, html, type Markup, shortText } from './html.ts';
import type { PageHead, PageSection } from './view.ts';

export type Level = 'h1' | 'h2' | 'h3';

/** A heading, whose words are kept apart from what is written in another direction beside them. */
export function headingOf(level: Level, words: string): Markup {
  const name = html`<bdi>${shortText(words, 160)}</bdi>`;
  switch (level) {
    case 'h1':
      return html`<h1>${name}</h1>`;
    case 'h2':
      return html`<h2>${name}</h2>`;
    case 'h3':
      return html`<h3>${name}</h3>`;
  }
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

/** Links to the parts of a page, s1, s2 and so on; none where there are few. */
export function linksTo(
  parts: readonly { readonly title: string; readonly note: string; readonly isLack?: boolean }[],
): Markup | null {
  if (parts.length < 3) return null;
  return html`<nav class="jump" aria-label="Sections"><ul>${parts.map(
    ({ title, note, isLack = false }, index) =>
      html`<li><a href="#s${index + 1}"><bdi>${shortText(title, 40)}</bdi>${
        note !== '' && html` <span${isLack && html` class="lack"`}>${note}</span>`
      }</a></li>`,
  )}</ul></nav>`;
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

/** What every page has around its content. */
export function pageBody(top: Content, main: Content, foot: string): Markup {
  return html`<a class="skip" href="#content">To the content</a>
${top}
<main id="content" tabindex="-1">${main}</main>
<footer class="foot"><p>${foot}</p></footer>`;
}
