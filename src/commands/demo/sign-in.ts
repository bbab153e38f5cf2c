import {
  type RedirectAway,
  redirectOf,
  htmlFormsOf,
  formTo,
  shownPageOf,
  type SeenPage,
  type Visitor,
} from './visitor.ts';

/** Signs in on the sign-in page that is shown. */
export async function signIn(
  visitor: Visitor,
  signInPage: SeenPage,
  account: { readonly name: string; readonly password: string },
): Promise<SeenPage | RedirectAway> {
  return visitor.send(formTo(signInPage, '/sign-in'), { name: account.name, password: account.password });
}

/**
 * Does what a person does with the address that an app opens: signs in unless this visitor has, and answers
 * the consent page. Answers the callback URL, with its code or its error, without going there.
 */
export async function signInAndAnswerConsent(
  visitor: Visitor,
  authorizationUrl: URL | string,
  account: { readonly name: string; readonly password: string },
  decision: 'approve' | 'decline' = 'approve',
): Promise<URL> {
  let seen = await visitor.open(authorizationUrl);
  if ('url' in seen && seen.url.pathname.endsWith('/sign-in')) seen = await signIn(visitor, seen, account);
  if ('leftFor' in seen) return seen.leftFor;
  const consent = seen;
  const form = htmlFormsOf(consent).find(({ markup }) => markup.includes(`value="${decision}"`));
  if (form === undefined) return redirectOf(consent);
  return redirectOf(await visitor.send(form, { decision }));
}

/**
 * Registers an app in the Apps area, as a person who has signed in there. The secret is null for a public app.
 * @throws Error when the form is refused.
 */
export async function registerApp(
  visitor: Visitor,
  authUrl: string,
  app: {
    readonly name: string;
    readonly redirectUri: string;
    readonly type: 'public' | 'confidential';
    readonly scopes: readonly string[];
  },
): Promise<{ clientId: string; clientSecret: string | null }> {
  const form = formTo(await visitor.openPage(`${authUrl}/account/apps/new`), '/apps/new');
  const { name, type, scopes } = app;
  const shown = shownPageOf(await visitor.send(form, { name, type, scopes, redirect_uri: app.redirectUri }));
  const value = (term: string) =>
    new RegExp(`<dt>${term}</dt><dd><code class="value">([^<]*)`).exec(shown.markup)?.[1];
  const clientId = value('Client id');
  if (clientId === undefined) throw new Error(`The app was not registered: ${shown.status}`);
  return { clientId, clientSecret: value('Client secret') ?? null };
}
