import { Html, html } from '../account/html.ts';
import { icon, style } from '../account/style.ts';
import { machine } from '../machine.ts';

/** What the front page tells. */
export interface FrontPage {
  /** How the program is called here, as words of a command line. */
  readonly program: readonly string[];
  readonly baseUrl: string;
  /** The app by which `artwork-mcp` signs in. */
  readonly clientId: string;
  /** Where a person signs in and manages apps. */
  readonly accountUrl: string;
  readonly counts: {
    readonly shows: number;
    readonly episodes: number;
    readonly films: number;
    readonly games: number;
    readonly sets: number;
  };
  /** A few works to look at. */
  readonly works: readonly { readonly title: string; readonly url: string }[];
  readonly accounts: readonly string[];
  /** Absolute path of the file that holds the passwords. */
  readonly accountsFile: string;
}

/** The account pages' style, with what this page has beside them. */
export const frontStyle = `${style}
section h2 { margin-top: 0; }
pre { margin: 0 0 1rem; padding: .75rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); white-space: pre-wrap; overflow-wrap: anywhere; }
pre code { user-select: all; }
.plain-list { margin: 0 0 1rem; padding-left: 1.25rem; }
.plain-list li { overflow-wrap: anywhere; }
`;

/** A whole document that loads nothing: style and icon are in it, and it has no script. */
export function frontPage(about: FrontPage): Html {
  return html`${new Html('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Embedded artwork catalogue</title>
<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">
<style>${new Html(frontStyle)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<main id="main" class="wide" tabindex="-1">
<h1>Embedded artwork catalogue</h1>
<p>A complete catalogue service to try <code>artwork-mcp</code> with, on this computer alone. Its pictures are drawn for it, everything in it is kept on your disk, and nothing is published.</p>
<p class="soft">It holds ${told(about.counts)}.</p>
${howToBegin(about)}
${accounts(about)}
${lookAround(about)}
</main>
<footer class="foot"><p>Its address as a service is <code>${about.baseUrl}</code></p></footer>
</body>
</html>
`;
}

function told({ shows, episodes, films, games, sets }: FrontPage['counts']): string {
  const count = (number: number, one: string) =>
    `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;
  return `${count(shows, 'show')} with ${count(episodes, 'episode')}, ${count(films, 'film')}, ${count(games, 'game')} and ${count(sets, 'Set')}`;
}

function howToBegin({ baseUrl, clientId, works, program }: FrontPage): Html {
  const variables = [`ARTWORK_BASE_URL=${baseUrl}`, `ARTWORK_CLIENT_ID=${clientId}`];
  const called = program.map(machine.shellWord).join(' ');
  const host = `claude mcp add artwork ${variables.map((variable) => `-e ${variable}`).join(' ')} -- ${called}`;
  const connect = `${called} connect --base-url ${baseUrl} --client-id ${clientId}`;
  const [work] = works;
  return html`<section class="card">
<h2>How to begin</h2>
<p>Without settings <code>artwork-mcp</code> uses the catalogue of its own data directory. By this address it uses this one, here in Claude Code:</p>
<pre><code>${host}</code></pre>
<p>Then ask: ${work === undefined ? null : html`<i>“Show me the posters of ${work.title} side by side.”</i> or `}<i>“What was replaced since Monday?”</i></p>
<p>To sign in beforehand, with one of the accounts below:</p>
<pre><code>${connect}</code></pre>
<p>Anything that speaks HTTP reads it without signing in:</p>
<pre><code>curl ${baseUrl}/episodes
curl ${baseUrl}/feeds/assets</code></pre>
</section>`;
}

function accounts(about: FrontPage): Html {
  return html`<section class="card">
<h2>Accounts</h2>
<p>It came with these accounts of made-up artists, who made most of its Sets:</p>
<ul class="plain-list">${about.accounts.map((name) => html`<li>${name}</li>`)}</ul>
<p>Their passwords are in this file, which only the person who runs the catalogue can read:</p>
<p><code class="value">${about.accountsFile}</code></p>
<p>To choose one without its password, run <code>connect</code> of the person whose data directory holds this catalogue, as above, in a terminal of this computer.</p>
<p><a href="${about.accountUrl}">Sign in and manage your Apps</a></p>
</section>`;
}

function lookAround({ baseUrl, works }: FrontPage): Html {
  return html`<section class="card">
<h2>Look around</h2>
<p>These are answers of the service as programs read them (JSON):</p>
<ul class="plain-list">
<li><a href="${baseUrl}/episodes">All episodes, page by page</a></li>
<li><a href="${baseUrl}/feeds/assets">What changed of the artwork</a></li>
<li><a href="${baseUrl}/feeds/sets">What changed of the Sets</a></li>
${works.map(({ title, url }) => html`<li><a href="${url}">${title}</a></li>`)}
</ul>
</section>`;
}
