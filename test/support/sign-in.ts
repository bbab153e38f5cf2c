/** A page as a program without a browser sees it: its address, its status and its markup. */
export interface SeenPage {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly markup: string;
}

/** A redirect out of the site: where an authorization ends, at the app's callback. */
export interface RedirectAway {
  readonly leftFor: URL;
}

/** A form of a page, with what it would send if nothing was changed. */
export interface SeenForm {
  readonly action: URL;
  readonly fields: URLSearchParams;
  readonly markup: string;
}

/**
 * Visits the pages of a site by HTTP as a browser does: keeps cookies, follows redirects within the site, and
 * sends the forms it finds, hidden fields and all. It runs no scripts, as the pages have none.
 */
export class Visitor {
  readonly #cookies = new Map<string, { name: string; value: string; path: string }>();
  async open(url: URL | string): Promise<SeenPage | RedirectAway> {
    return this.#follow(new URL(url), undefined);
  }

  /** @throws Error when this leads out of the site. */
  async openPage(url: URL | string): Promise<SeenPage> {
    return shownPageOf(await this.open(url));
  }

  /** Sends the form with these answers; fields that are not named keep what the page gave them. */
  async send(
    form: SeenForm,
    answers: Record<string, string | readonly string[]>,
  ): Promise<SeenPage | RedirectAway> {
    const fields = new URLSearchParams(form.fields);
    for (const [name, answer] of Object.entries(answers)) {
      fields.delete(name);
      for (const value of [answer].flat()) fields.append(name, value);
    }
    return this.#follow(form.action, fields);
  }

  /** The `Cookie` header for a URL. */
  cookiesFor(url: URL): string {
    return [...this.#cookies.values()]
      .filter(({ path }) => url.pathname === path || url.pathname.startsWith(path.replace(/\/?$/, '/')))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ');
  }

  async #follow(start: URL, fields: URLSearchParams | undefined): Promise<SeenPage | RedirectAway> {
    let url = start;
    let body = fields;
    for (let hop = 0; hop < 20; hop++) {
      const cookie = this.cookiesFor(url);
      const response = await fetch(url, {
        method: body === undefined ? 'GET' : 'POST',
        redirect: 'manual',
        headers: {
          accept: 'text/html',
          ...(cookie === '' ? {} : { cookie }),
          ...(body === undefined ? {} : { origin: url.origin }),
        },
        ...(body === undefined ? {} : { body }),
      });
      this.#remember(response.headers, url);
      const location = response.headers.get('location');
      if (location === null) {
        return { url, status: response.status, headers: response.headers, markup: await response.text() };
      }
      await response.body?.cancel();
      const next = new URL(location, url);
      if (next.origin !== start.origin) return { leftFor: next };
      url = next;
      body = undefined;
    }
    throw new Error(`${start.pathname} redirects without end.`);
  }

  #remember(headers: Headers, url: URL): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split(';').map((part) => part.trim());
      const attribute = (name: string) =>
        attributes.find((part) => part.toLowerCase().startsWith(`${name}=`))?.slice(name.length + 1);
      const path = attribute('path') ?? url.pathname.replace(/\/[^/]*$/, '/');
      const name = pair.slice(0, pair.indexOf('='));
      const value = pair.slice(pair.indexOf('=') + 1);
      const expires = attribute('expires');
      const over =
        attribute('max-age') === '0' || (expires !== undefined && Date.parse(expires) <= Date.now());
      if (over) this.#cookies.delete(`${name} ${path}`);
      else this.#cookies.set(`${name} ${path}`, { name, value, path });
    }
  }
}

/** The forms of a page, in its order. */
export function htmlFormsOf(seen: SeenPage): SeenForm[] {
  return [...seen.markup.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', markup = '']) => {
    const fields = new URLSearchParams();
    for (const [, tag = ''] of markup.matchAll(/<input\b([^>]*)>/g)) {
      const name = attributeOf(tag, 'name');
      const type = attributeOf(tag, 'type');
      const chosen = (type !== 'radio' && type !== 'checkbox') || /\schecked\b/.test(tag);
      if (name !== undefined && chosen) fields.append(name, attributeOf(tag, 'value') ?? '');
    }
    return { action: new URL(attributeOf(head, 'action') ?? seen.url.href, seen.url), fields, markup };
  });
}

/** The form whose action ends so. @throws Error when the page has none. */
export function formTo(seen: SeenPage, ending: string): SeenForm {
  const form = htmlFormsOf(seen).find(({ action }) => action.pathname.endsWith(ending));
  if (form === undefined) throw new Error(`${seen.url.pathname} (${seen.status}) has no form to ${ending}.`);
  return form;
}

function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
  return value?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}

/**
 * The page that a visitor was shown, where the site did not send them away.
 * @throws Error when it is no page.
 */
export function shownPageOf(seen: SeenPage | RedirectAway): SeenPage {
  if ('leftFor' in seen) throw new Error(`The site sent us away, to ${seen.leftFor.origin}.`);
  return seen;
}

/**
 * The address that the site sent a visitor away to.
 * @throws Error when it is a page. Only its heading is named: a page may show a secret.
 */
export function redirectOf(seen: SeenPage | RedirectAway): URL {
  if ('leftFor' in seen) return seen.leftFor;
  const heading = /<h1>([^<]*)/.exec(seen.markup)?.[1] ?? 'no heading';
  throw new Error(`${seen.url.pathname} answered ${seen.status}: ${heading}`);
}

/** The accounts that a page lets a person choose from: where each leads, and its name. */
export function choicesOf(seen: SeenPage): readonly { readonly url: URL; readonly name: string }[] {
  return [...seen.markup.matchAll(/<li><a\b([^>]*)>([^<]*)<\/a><\/li>/g)].map(([, head = '', name = '']) => ({
    url: new URL(attributeOf(head, 'href') ?? '', seen.url),
    name,
  }));
}

/**
 * Does what a person does with the address that an app opens: chooses the numbered account, and answers the
 * consent page. Answers the callback URL, with its code or its error, without going there.
 */
export async function signInAndAnswerConsent(
  visitor: Visitor,
  authorizationUrl: URL | string,
  account = 0,
  decision: 'approve' | 'decline' = 'approve',
): Promise<URL> {
  const first = await visitor.open(authorizationUrl);
  if ('leftFor' in first) return first.leftFor;
  const choice = choicesOf(first)[account];
  if (choice === undefined) throw new Error(`There is no account ${account}.`);
  const consent = await visitor.openPage(choice.url);
  const form = htmlFormsOf(consent).find(({ markup }) => markup.includes(`value="${decision}"`));
  if (form === undefined) return redirectOf(consent);
  return redirectOf(await visitor.send(form, { decision }));
}

/**
 * Registers an app on the Apps pages of the numbered account. The secret is null for a public app.
 * @throws Error when the form is refused.
 */
export async function registerApp(
  authUrl: string,
  app: {
    readonly name: string;
    readonly redirectUri: string;
    readonly type: 'public' | 'confidential';
    readonly scopes: readonly string[];
  },
  account = 0,
): Promise<{ clientId: string; clientSecret: string | null }> {
  const visitor = new Visitor();
  const choice = choicesOf(await visitor.openPage(`${authUrl}/account/apps`))[account];
  const form = formTo(await visitor.openPage(`${choice?.url.href}/new`), '/apps/new');
  const { name, type, scopes } = app;
  const shown = shownPageOf(await visitor.send(form, { name, type, scopes, redirect_uri: app.redirectUri }));
  const value = (term: string) =>
    new RegExp(`<dt>${term}</dt><dd><code class="value">([^<]*)`).exec(shown.markup)?.[1];
  const clientId = value('Client id');
  if (clientId === undefined) throw new Error(`The app was not registered: ${shown.status}`);
  return { clientId, clientSecret: value('Client secret') ?? null };
}
