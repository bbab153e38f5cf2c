import script from './app-view.js?raw';
import { html, Markup, style } from './html.ts';
import { readSavedPage } from './save.ts';

/** Characters of one read: hosts take no more than a mebibyte. */
const partLength = 600_000;

const appStyle = `
body { overflow: hidden; }
.top { padding-top: 1.25rem; }
.jump { position: static; }
.skip, .close { display: none; }
.app-word { padding: 1rem var(--edge); color: var(--quiet); }
.sheet { display: block; width: 100%; height: auto; border-radius: 4px; }
#larger { position: absolute; right: .75rem; top: .75rem; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: 99px; background: var(--raised); color: var(--ink); font: inherit; font-size: .8125rem; cursor: pointer; }
`;

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
<style>${new Markup(style + appStyle)}</style>
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
 * A part of a saved page, from 1, behind its number and how many parts there are.
 * @returns null where there is no such page or part, or none any more
 * @throws ArtworkError `internal` where it can't be read
 */
export async function pagePart(home: string, name: string, part: number): Promise<string | null> {
  const page = await readSavedPage(home, name);
  if (page === null) return null;
  const parts = Math.max(1, Math.ceil(page.length / partLength));
  if (part < 1 || part > parts) return null;
  return `${part}/${parts}\n${page.slice((part - 1) * partLength, part * partLength)}`;
}
