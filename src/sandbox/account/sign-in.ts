import { html } from './html.ts';
import type { PageExchange } from './page-exchange.ts';
import type { Page } from './page.ts';
import { signIn, signOut } from './session.ts';

/** `GET /account/sign-in?next=…` */
export async function showSignIn(exchange: PageExchange): Promise<void> {
  const next = nextPath(exchange.query.get('next'));
  if (exchange.session !== null && !next.startsWith('/requests/')) exchange.goTo(next);
  else exchange.send(200, await signInPage(exchange, next, { name: '', wrong: false }));
}

/** `POST /account/sign-in` */
export async function submitSignIn(exchange: PageExchange): Promise<void> {
  const form = await exchange.form();
  const next = nextPath(form.get('next'));
  const name = form.get('name') ?? '';
  const account = await exchange.context.accounts.authenticate(name, form.get('password') ?? '');
  if (account === undefined) {
    exchange.send(422, await signInPage(exchange, next, { name, wrong: true }));
    return;
  }
  await signIn(exchange.context, exchange.request, exchange.response, account);
  exchange.goTo(next);
}

/** `POST /account/sign-out` */
export async function submitSignOut(exchange: PageExchange): Promise<void> {
  await exchange.form();
  await signOut(exchange.context, exchange.request, exchange.response);
  exchange.goTo('/sign-in');
}

/** Only a page here that makes sense after a sign-in; any other value becomes the list of apps. */
function nextPath(requested: string | null): string {
  const known = requested !== null && /^\/(apps(\/new|\/[\w-]+)?|requests\/[\w-]+)$/.test(requested);
  return known ? requested : '/apps';
}

async function signInPage(
  exchange: PageExchange,
  next: string,
  before: { name: string; wrong: boolean },
): Promise<Page> {
  const { accountPath } = exchange.context.addresses;
  const app = await waitingApp(exchange, next);
  const main = html`<div class="card">
<h1>Sign in</h1>
<p class="soft">${app === null ? 'to the artwork catalogue, to see and manage your Apps.' : html`to continue to <b>${app}</b>.`}</p>
${before.wrong ? html`<div class="notice bad" role="alert" id="problem"><p>The name and password don’t belong together. Check both and try again.</p></div>` : null}
<form method="post" action="${accountPath}/sign-in">
<input type="hidden" name="form_token" value="${exchange.formToken()}">
<input type="hidden" name="next" value="${next}">
<div class="field"><label for="name">Account name</label>
<input type="text" id="name" name="name" value="${before.name}" autocomplete="username" autocapitalize="none" spellcheck="false" required${before.wrong ? marks : html` autofocus`}></div>
<div class="field"><label for="password">Password</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${before.wrong ? html`${marks} autofocus` : null}></div>
<div class="actions"><button class="primary">Sign in</button></div>
</form>
</div>
<div class="card"><h2>Which account?</h2>
<p>This catalogue came with a few accounts of made-up artists. Their names and passwords are in this file, which only you can read:</p>
<p><code class="value">${exchange.context.accounts.file}</code></p></div>`;
  return { title: 'Sign in', width: 'narrow', main };
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
