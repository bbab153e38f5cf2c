import { Canvas } from './cells.ts';
import { documentOf } from './document.ts';
import type { PagePictures } from './embed.ts';
import { html } from './html.ts';
import { pageBody, headingOf, headOf, jumpOf, sectionOf } from './sections.ts';
import type { GalleryView } from './view.ts';

/** What Sets and entities have and lacks, season by season. */
export function galleryPage({ title, parts }: GalleryView, pictures: PagePictures, foot: string): string {
  const canvas = new Canvas(pictures);
  const [only] = parts;
  const isAlone = parts.length === 1 && only !== undefined;
  const top = isAlone
    ? html`<header class="top">${headOf(only, 'h1', canvas)}</header>${jumpOf(only.sections)}`
    : html`<header class="top"><p class="kind">Artwork</p>${headingOf('h1', title)}</header>`;
  const main = isAlone
    ? only.sections.map((section, index) => sectionOf(section, `s${index + 1}`, 'h2', canvas))
    : parts.map(
        (part, at) => html`<article class="part">${headOf(part, 'h2', canvas)}
${part.sections.map((section, index) => sectionOf(section, `s${at + 1}-${index + 1}`, 'h3', canvas))}</article>`,
      );
  return documentOf({ title, body: pageBody(top, main, foot), rules: () => canvas.rules });
}
