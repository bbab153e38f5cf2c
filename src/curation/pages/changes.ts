import { Canvas, cellFacts, figureOf } from './cells.ts';
import { goneWords, leftOutWords } from './changes-pictures.ts';
import { documentOf } from './document.ts';
import type { PagePictures } from './embed.ts';
import { html, type Markup, shortText } from './html.ts';
import { pageBody, headingOf, headOf, linksTo } from './sections.ts';
import type { ChangedView, ChangesView, ChangeView } from './view.ts';

/** What changed, before and after, Set by Set. */
export function changesPage(view: ChangesView, pictures: PagePictures, foot: string): string {
  const canvas = new Canvas(pictures);
  const top = html`<header class="top">${headOf(view, 'h1', canvas)}</header>${jumpTo(view.changed)}`;
  const main =
    view.changed.length === 0
      ? html`<p class="nothing">Nothing changed.</p>`
      : view.changed.map((changed, index) => changedOf(changed, `s${index + 1}`, canvas));
  return documentOf({ title: view.title, body: pageBody(top, main, foot), rules: () => canvas.rules });
}

/** Links to what changed, where that is more than a person sees at once. */
function jumpTo(changed: readonly ChangedView[]): Markup | null {
  return linksTo(
    changed.map(({ title, changes }) => ({ title, note: changes.length > 1 ? String(changes.length) : '' })),
  );
}

function changedOf({ title, facts, changes }: ChangedView, id: string, canvas: Canvas): Markup {
  return html`<article class="part" id="${id}">${headingOf('h2', title)}
${cellFacts(facts)}
<ul class="changes">${changes.map((change) => changeOf(change, canvas))}</ul></article>`;
}

function changeOf(change: ChangeView, canvas: Canvas): Markup {
  const { label, title = '', what, when, slot, before, after } = change;
  const of = [label, title].filter((word) => word !== '').join(', ');
  return html`<li class="change"><div class="said"><h3><bdi>${shortText(label, 80)}</bdi></h3>
${title !== '' && html`<p class="name"><bdi>${shortText(title, 120)}</bdi></p>`}
<p class="fact">${what}</p><p class="fact">${when}</p></div>
<div class="pair">${
    before !== null &&
    html`<div class="side">${figureOf({ picture: before.picture, slot, words: `${of}, before`, gone: unseenWords(before.picture, goneWords, canvas) }, canvas)}<p class="caption">Before</p></div>
<span class="arrow" aria-hidden="true">→</span>`
  }
<div class="side">${figureOf({ picture: after.picture, slot, words: before === null ? of : `${of}, after`, gone: unseenWords(after.picture, 'not shown', canvas) }, canvas)}${before !== null && html`<p class="caption">After</p>`}</div></div></li>`;
}

/** @param unknown what is said where nothing tells which picture it was */
function unseenWords(picture: string | null, unknown: string, { pictures }: Canvas): string {
  if (picture === null) return unknown;
  const seen = pictures.get(picture);
  if (seen === undefined) return leftOutWords;
  return 'unseen' in seen ? seen.unseen : '';
}
