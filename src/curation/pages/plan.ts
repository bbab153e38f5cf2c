import { Canvas } from './cells.ts';
import { documentOf } from './document.ts';
import type { PagePictures } from './embed.ts';
import { html, type Markup, shortText } from './html.ts';
import { pageBody, headOf, jumpOf, sectionOf } from './sections.ts';
import type { PlanView } from './view.ts';

/** A folder beside what it is for: what to decide first, then each file in its place, with the gaps between them. */
export function planPage(view: PlanView, pictures: PagePictures, foot: string): string {
  const canvas = new Canvas(pictures);
  const { sections } = view;
  const top = html`<header class="top">${headOf(view, 'h1', canvas)}</header>${jumpOf(sections)}`;
  const main = [
    sections.map((section, index) => sectionOf(section, `s${index + 1}`, 'h2', canvas)),
    passedOver(view),
  ];
  return documentOf({
    title: `Plan for ${view.title}`,
    body: pageBody(top, main, foot),
    rules: () => canvas.rules,
  });
}

const mostNamed = 60;

function passedOver({ passedOver: groups }: PlanView): Markup | null {
  if (groups.length === 0) return null;
  return html`<section class="group"><div class="title"><h2>Left out</h2></div>
${groups.map(
  ({
    why,
    files,
  }) => html`<details class="more"><summary>${shortText(why, 200)} <span class="count">${files.length}</span></summary>
<ul class="files">${files.slice(0, mostNamed).map((file) => html`<li><bdi>${shortText(file, 200)}</bdi></li>`)}${
    files.length > mostNamed && html`<li>and ${files.length - mostNamed} more</li>`
  }</ul></details>`,
)}</section>`;
}
