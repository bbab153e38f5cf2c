import { accountsOf } from './account/accounts.ts';
import { html, page } from './account/page.ts';
import type { Context } from './context.ts';
import { type Answer, type Exchange, notFound, type Route } from './http.ts';
import { ownApp } from './oauth/apps.ts';

/** Says to a person whose browser is at the address itself what this is and how to begin. */
export function frontPageRoutes(context: Context): readonly Route[] {
  const paths = new Set(['/', ...(context.basePath === '' ? [] : [context.basePath])]);
  return [...paths].map((path) => ({ method: 'GET', path, answer: (exchange) => answer(context, exchange) }));
}

/** A browser names HTML when a person goes to an address; programs accept anything, or JSON. */
function answer(context: Context, { request }: Exchange): Answer {
  if (!/\btext\/html\b/i.test(request.headers.accept ?? '')) throw notFound('This path');
  const { baseUrl, origin } = context;
  const names = accountsOf(context).map(({ name }) => name);
  const command = `claude mcp add artwork -e ARTWORK_BASE_URL=${baseUrl} -e ARTWORK_CLIENT_ID=${ownApp.clientId} -- artwork-mcp`;
  const main = html`<h1>Embedded artwork catalogue</h1>
<p>A complete catalogue service to try <code>artwork-mcp</code> with, on this computer alone. Nothing is published: its pictures are drawn for it, and everything is kept on your disk.</p>
<section class="card"><h2>How to begin</h2>
<p>Without settings <code>artwork-mcp</code> uses the catalogue of its own data directory. By this address it uses this one, here in Claude Code:</p>
<p><code class="value">${command}</code></p>
<p>Then ask: <i>“Show me the posters of Breaking Bad side by side.”</i> or <i>“What was replaced since Monday?”</i></p></section>
<section class="card"><h2>Accounts</h2>
<p>It came with the accounts of made-up artists, who made most of its Sets: ${names.join(', ')}. An app that asks to act for you lets you choose one of them.</p>
<p><a href="${origin}/account/apps">See and manage their Apps</a></p></section>`;
  return page({ title: 'Embedded catalogue', width: 'wide', main });
}
