import script from './app-view.js?raw';
import { html, Markup } from './html.ts';
import { style } from './page.ts';
import { type PageOwner, readSavedPage } from './save.ts';

/**
 * The document of the view in hosts of MCP Apps (SEP-1865). Its own policy allows no network whatever the host allows;
 * scripts are left to the host's policy, since hosts put some of their own into the document.
 */
export function appDocument(): string {
  const policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:";
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Artwork</title>
<style>${new Markup(style)}body{overflow:hidden}.top{padding-top:1.25rem}</style>
</head>
<body>
<div id="app"><p class="foot" role="status">Waiting for the answer…</p></div>
<script type="module">${new Markup(script)}</script>
</body>
</html>
`.text;
}

/** Characters of one read: hosts take no more than a mebibyte. */
const partLength = 600_000;

/**
 * A part of a page of one of the owners, from 1, behind its number and how many parts there are. It is cut between
 * characters: strict hosts refuse an answer with half of one.
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
  const parts: string[] = [];
  for (let from = 0; from < page.length || parts.length === 0; from += parts.at(-1)?.length ?? 0) {
    const end = from + partLength;
    const isHalf = /[\ud800-\udbff]/.test(page.charAt(end - 1));
    parts.push(page.slice(from, isHalf ? end - 1 : end));
  }
  const text = parts[part - 1];
  return text === undefined ? null : `${part}/${parts.length}\n${text}`;
}
