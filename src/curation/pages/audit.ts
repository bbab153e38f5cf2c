import { Canvas, cellFacts, talliesOf } from './cells.ts';
import { documentOf } from './document.ts';
import { html, type Markup, shortText } from './html.ts';
import { pageBody, headingOf, headOf } from './sections.ts';
import type { AuditedView, AuditView, FindingView } from './view.ts';

/** What Sets lack and what is wrong in them, Set by Set and season by season, with what would mend it. */
export function auditPageView(view: AuditView, foot: string): string {
  const canvas = new Canvas(new Map());
  const top = html`<header class="top">${headOf(view, 'h1', canvas)}</header>`;
  const isWhole = (audited: AuditedView) => audited.failed === undefined && audited.findings.length === 0;
  const main =
    view.sets.length === 0
      ? html`<p class="nothing">There was no Set to audit.</p>`
      : [
          view.sets.filter((audited) => !isWhole(audited)).map((audited) => auditedOf(audited, canvas)),
          inOrderOf(view.sets.filter(isWhole)),
        ];
  return documentOf({ title: view.title, body: pageBody(top, main, foot), rules: () => canvas.rules });
}

/** Sets that need nothing, in a line each. */
function inOrderOf(sets: readonly AuditedView[]): Markup | null {
  if (sets.length === 0) return null;
  return html`<section class="part"><div class="title">${headingOf('h2', 'Nothing to mend')}<p>${sets.length} ${sets.length === 1 ? 'Set' : 'Sets'}</p></div>
<ul class="order">${sets.map(({ title, facts }) => html`<li><bdi>${shortText(title, 160)}</bdi>${cellFacts(facts)}</li>`)}</ul></section>`;
}

function auditedOf(audited: AuditedView, canvas: Canvas): Markup {
  const { title, facts, tallies, findings, notes, failed, mend } = audited;
  return html`<article class="part">${headingOf('h2', title)}
${cellFacts(facts)}
${failed !== undefined && html`<p class="verdict bad">It could not be audited: ${shortText(failed, 300)}</p>`}
${talliesOf(tallies, canvas)}
${
  findings.length > 0 &&
  html`<dl class="findings">${findings.map(
    ({ heading, found }) =>
      html`<div><dt>${heading ?? 'The Set'}</dt><dd><ul>${found.map(findingOf)}</ul></dd></div>`,
  )}</dl>`
}
${notes.map((note) => html`<p class="notes">${shortText(note, 400)}</p>`)}
${mend !== undefined && html`<details class="more"><summary>How to mend it</summary><p>In the conversation that made this page, ask: <q>${shortText(mend, 400)}</q></p></details>`}</article>`;
}

const mostPlaces = 40;

function findingOf({ words, places, weight }: FindingView): Markup {
  return html`<li class="${weight}"><span>${shortText(words, 300)}</span>${
    places.length > 0 &&
    html` <ul class="places">${places.slice(0, mostPlaces).map((place) => html`<li><bdi>${shortText(place, 80)}</bdi></li>`)}${
      places.length > mostPlaces && html`<li>and ${places.length - mostPlaces} more</li>`
    }</ul>`
  }</li>`;
}
