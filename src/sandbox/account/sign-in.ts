import { type Html, html } from './html.ts';
import type { Account } from './accounts.ts';
import { type PageExchange, pagesPathOf } from './page-exchange.ts';
import { type Page, seeOther } from './page.ts';
import { pageKeyParameter, signIn, signOut } from './session.ts';
import { ticketParameter } from './ticket.ts';

/** `GET /account/sign-in?next=…` */
export async function showSignIn(exchange: PageExchange): Promise<void> {
  const next = nextPath(exchange.query.get('next'));
  if (exchange.session !== null && !next.startsWith('/requests/')) exchange.goTo(next);
  else exchange.send(200, await signInPage(exchange, next, { ticket: exchange.query.get(ticketParameter) }));
}

/** `POST /account/sign-in` */
export async function submitSignIn(exchange: PageExchange): Promise<void> {
  const form = await exchange.form();
  const next = nextPath(form.get('next'));
  const name = form.get('name') ?? '';
  const account = await exchange.context.accounts.authenticate(name, form.get('password') ?? '');
  if (account === undefined) {
    exchange.send(
      422,
      await signInPage(exchange, next, { refused: name, ticket: form.get(ticketParameter) }),
    );
    return;
  }
  await enter(exchange, account, next);
}

/** `POST /account/sign-in/choice`: without a password, by a ticket that is spent for it. */
export async function submitChoice(exchange: PageExchange): Promise<void> {
  const form = await exchange.form();
  const next = nextPath(form.get('next'));
  const account = exchange.context.accounts.find(Number(form.get('account')));
  const ticket = form.get(ticketParameter) ?? '';
  if (account === undefined || !exchange.context.tickets.spend(ticket)) {
    exchange.send(403, await signInPage(exchange, next, { ticket }));
    return;
  }
  await enter(exchange, account, next);
}

/** `POST /account/sign-out` */
export async function submitSignOut(exchange: PageExchange): Promise<void> {
  await exchange.form();
  const { context, request, response } = exchange;
  await signOut(context, request, response);
  seeOther(response, `${context.addresses.accountPath}/sign-in`);
}

/** Begins a session, and shows its first page. */
async function enter({ context, request, response }: PageExchange, account: Account, next: string) {
  const pageKey = await signIn(context, request, response, account);
  // The browser sends the cookie of an authorization request to exactly its own path.
  const isRequest = next.startsWith('/requests/');
  const query = new URLSearchParams({ [pageKeyParameter]: pageKey });
  const address = isRequest
    ? `${context.addresses.accountPath}${next}?${query}`
    : `${pagesPathOf(context, pageKey)}${next}`;
  seeOther(response, address);
}

/** Only a page here that makes sense after a sign-in; any other value becomes the list of apps. */
function nextPath(requested: string | null): string {
  const known = requested !== null && /^\/(apps(\/new|\/[\w-]+)?|requests\/[\w-]+)$/.test(requested);
  return known ? requested : '/apps';
}

/** What came before: a ticket that the browser has brought, and the name that was refused. */
interface Before {
  readonly ticket: string | null;
  readonly refused?: string;
}

async function signInPage(exchange: PageExchange, next: string, before: Before): Promise<Page> {
  const app = await waitingApp(exchange, next);
  const { ticket, refused } = before;
  const chooses = ticket !== null && exchange.context.tickets.isGood(ticket);
  const fields = html`<input type="hidden" name="form_token" value="${exchange.formToken()}">
<input type="hidden" name="next" value="${next}">${
    ticket === null
      ? null
      : html`
<input type="hidden" name="${ticketParameter}" value="${ticket}">`
  }`;
  const form = passwordForm(exchange, fields, { refused, isFirst: !chooses });
  const main = html`<div class="card">
<h1>${chooses ? 'Choose an account' : 'Sign in'}</h1>
<p class="soft">${app === null ? 'to the artwork catalogue, to see and manage your Apps.' : html`to continue to <b>${app}</b>.`}</p>
${chooses ? choice(exchange, fields) : null}${ticket === null || chooses ? null : spentNotice}${chooses ? html`<details${refused === undefined ? null : html` open`}><summary>Sign in with a password</summary>${form}</details>` : form}
</div>
${chooses ? null : whichAccount(exchange)}`;
  return { title: chooses ? 'Choose an account' : 'Sign in', width: 'narrow', main };
}

const spentNotice = html`<div class="notice bad" role="status"><p>This address let you choose an account once, or for ten minutes, and that is over.</p></div>
`;

/** One button for each account. */
function choice(exchange: PageExchange, fields: Html): Html {
  const { accounts } = exchange.context;
  return html`<form method="post" action="${exchange.pagesPath}/sign-in/choice">
${fields}
<ul class="accounts">${accounts
    .all()
    .map(({ id, name }) => html`<li><button name="account" value="${String(id)}">${name}</button></li>`)}</ul>
</form>
<p class="soft small">They are made-up artists, who came with this catalogue. You are asked for no password since this page was opened from your own computer account.</p>
`;
}

function passwordForm(
  exchange: PageExchange,
  fields: Html,
  { refused, isFirst }: { readonly refused: string | undefined; readonly isFirst: boolean },
): Html {
  const wrong = refused !== undefined;
  const first = isFirst ? html` autofocus` : null;
  return html`${wrong ? html`<div class="notice bad" role="alert" id="problem"><p>The name and password don’t belong together. Check both and try again.</p></div>` : null}
<form method="post" action="${exchange.pagesPath}/sign-in">
${fields}
<div class="field"><label for="name">Account name</label>
<input type="text" id="name" name="name" value="${refused ?? ''}" autocomplete="username" autocapitalize="none" spellcheck="false" required${wrong ? marks : first}></div>
<div class="field"><label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${wrong ? html`${marks} autofocus` : null}></div>
<div class="actions"><button class="primary">Sign in</button></div>
</form>`;
}

function whichAccount(exchange: PageExchange): Html {
  return html`<div class="card"><h2>Which account?</h2>
<p>This catalogue came with a few accounts of made-up artists. Their names and passwords are in this file, which only you can read:</p>
<p><code class="value">${exchange.context.accounts.file}</code></p>
<p>Or run <code>artwork-mcp connect</code> in a terminal of this computer: the page that it opens lets you choose one without its password.</p></div>`;
}

/** Both fields are marked, so that the page does not reveal which of the two is wrong. */
const marks = html` aria-invalid="true" aria-describedby="problem"`;

/** The name of the app that waits for this sign-in. */
async function waitingApp(exchange: PageExchange, next: string): Promise<string | null> {
  const uid = /^\/requests\/([\w-]+)$/.exec(next)?.[1];
  if (uid === undefined) return null;
  const interaction = await exchange.context.provider.Interaction.find(uid);
  const clientId = interaction?.params.client_id;
  if (typeof clientId !== 'string') return null;
  const client = await exchange.context.provider.Client.find(clientId);
  return client?.clientName ?? null;
}
