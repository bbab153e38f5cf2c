import { type Content, html } from './html.ts';
import type { Page } from './page.ts';

/** A page that says what went wrong and what to do next. `details` is for whoever made the app. */
export function problemPage(
  title: string,
  advice: string,
  details: readonly (readonly [name: string, text: string])[] = [],
): Page {
  return {
    title,
    width: 'narrow',
    main: html`<div class="card"><h1>${title}</h1><p>${advice}</p>${forMakers(details)}</div>`,
  };
}

function forMakers(details: readonly (readonly [string, string])[]): Content {
  if (details.length === 0) return null;
  const rows = details.map(([name, text]) => html`<dt>${name}</dt><dd><code>${text}</code></dd>`);
  return html`<details><summary>Details for the maker of the app</summary><dl>${rows}</dl></details>`;
}
