import { html } from './html.ts';
import type { Page } from './page.ts';
import { signIn, signOut } from './session.ts';
import type { Visit } from './visit.ts';

/** `GET /account/sign-in?next=…` */
export async function showSignIn(visit: Visit): Promise<void> {
  const next = nextPath(visit.query.get('next'));
  if (visit.session !== null && !next.startsWith('/requests/')) visit.goTo(next);
  else visit.send(200, await signInPage(visit, next, { name: '', wrong: false }));
}

/** `POST /account/sign-in` */
export async function takeSignIn(visit: Visit): Promise<void> {
  const form = await visit.form();
  const next = nextPath(form.get('next'));
  const name = form.get('name') ?? '';
  const account = await visit.area.accounts.recognise(name, form.get('password') ?? '');
  if (account === undefined) {
    visit.send(422, await signInPage(visit, next, { name, wrong: true }));
    return;
  }
  await signIn(visit.area, visit.request, visit.response, account);
  visit.goTo(next);
}

/** `POST /account/sign-out` */
export async function takeSignOut(visit: Visit): Promise<void> {
  await visit.form();
  await signOut(visit.area, visit.request, visit.response);
  visit.goTo('/sign-in');
}

/** Only to pages of ours that are worth coming back to; anything else is the Apps area. */
function nextPath(asked: string | null): string {
  const known = asked !== null && /^\/(apps(\/new|\/[\w-]+)?|requests\/[\w-]+)$/.test(asked);
  return known ? asked : '/apps';
}

async function signInPage(
  visit: Visit,
  next: string,
  before: { name: string; wrong: boolean },
): Promise<Page> {
  const { accountPath } = visit.area.addresses;
  const app = await waitingApp(visit, next);
  const main = html`<div class="card">
<h1>Sign in</h1>
<p class="soft">${app === null ? 'to the artwork catalogue, to see and manage your Apps.' : html`to continue to <b>${app}</b>.`}</p>
${before.wrong ? html`<div class="notice bad" role="alert" id="problem"><p>The name and password don’t belong together. Check both and try again.</p></div>` : null}
<form method="post" action="${accountPath}/sign-in">
<input type="hidden" name="form_token" value="${visit.formToken()}">
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
<p><code class="value">${visit.area.accounts.file}</code></p></div>`;
  return { title: 'Sign in', width: 'narrow', main };
}

/** Both fields are blamed: which of the two is wrong is not told. */
const marks = html` aria-invalid="true" aria-describedby="problem"`;

/** The name of the app that waits for this sign-in. */
async function waitingApp(visit: Visit, next: string): Promise<string | null> {
  const uid = /^\/requests\/([\w-]+)$/.exec(next)?.[1];
  if (uid === undefined) return null;
  const interaction = await visit.area.provider.Interaction.find(uid);
  const clientId = interaction?.params.client_id;
  if (typeof clientId !== 'string') return null;
  const client = await visit.area.provider.Client.find(clientId);
  return client?.clientName ?? null;
}
