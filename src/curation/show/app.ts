import viewStyle from './app-view.css?raw';
import script from './app-view.js?raw';
import { html, Markup } from './html.ts';
import pageStyle from './page.css?raw';
import { type PageOwner, readSavedPage } from './save.ts';

/** Characters of one read: hosts take no more than a mebibyte. */
const partLength = 600_000;

/**
 * The document of the view. Its own policy allows no network whatever the host allows; scripts are left to the host's
 * policy, since hosts put some of their own into the document.
 */
export function appDocument(): string {
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Artwork</title>
<style>${new Markup(pageStyle + viewStyle)}</style>
</head>
<body>
<button id="larger" type="button" hidden>Open large</button>
<div id="app"><p class="app-word" role="status">Waiting for the answer…</p></div>
<script type="module">${new Markup(script)}</script>
</body>
</html>
`.text;
}

/**
 * A part of a page of one of the owners, from 1, behind its number and how many parts there are.
 * @returns null where there is no such page or part, or none any more
 * @throws ArtworkError `internal` where it can't be read
 */
export async function pagePart(
  home: string,
  name: string,
  part: number,
  owners: readonly PageOwner[],
): Promise<string | null> {
  const page = await readSavedPage(home, name, owners);
  if (page === null) return null;
  const parts = Math.max(1, Math.ceil(page.length / partLength));
  if (part < 1 || part > parts) return null;
  return `${part}/${parts}\n${page.slice((part - 1) * partLength, part * partLength)}`;
}
