/** A page, as far as a program without a browser sees it. */
interface Page {
  readonly url: URL;
  readonly markup: string;
}

/**
 * Does what a person does with the address that the server answers: chooses the first account, agrees, and goes back to
 * the server. Answers the account's name.
 */
export async function signInAsPerson(address: string): Promise<string> {
  const cookies = new Map<string, string>();
  const choice = await open(new URL(address), cookies);
  const [, link = '', name = ''] =
    /<a\b[^>]*href="([^"]*[?]account=[^"]*)"[^>]*>([^<]*)/.exec(choice.markup) ?? [];
  if (link === '') throw new Error(`${choice.url.pathname} lets nobody choose an account.`);
  const consent = await open(new URL(decoded(link), choice.url), cookies);
  await approve(consent, cookies);
  return decoded(name);
}

/** Follows redirects as a browser does, wherever they lead, and keeps the cookies of the service. */
async function open(first: URL, cookies: Map<string, string>, form?: URLSearchParams): Promise<Page> {
  let url = first;
  let body = form;
  for (let hop = 0; hop < 20; hop += 1) {
    const isService = url.origin === first.origin;
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: {
        accept: 'text/html',
        ...(isService ? { cookie, origin: url.origin } : {}),
      },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of isService ? answer.headers.getSetCookie() : []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) return { url, markup: await answer.text() };
    await answer.body?.cancel();
    url = new URL(location, url);
    body = undefined;
  }
  throw new Error(`${first.pathname} redirects without end.`);
}

/** Sends the form of a consent page, with its hidden fields. */
async function approve(page: Page, cookies: Map<string, string>): Promise<void> {
  for (const [, head = '', inner = ''] of page.markup.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    if (!inner.includes('name="decision"')) continue;
    const fields = new URLSearchParams({ decision: 'approve' });
    for (const [, tag = ''] of inner.matchAll(/<input\b([^>]*type="hidden"[^>]*)>/g)) {
      fields.append(attributeOf(tag, 'name') ?? '', decoded(attributeOf(tag, 'value') ?? ''));
    }
    const action = decoded(attributeOf(head, 'action') ?? page.url.href);
    await open(new URL(action, page.url), cookies, fields);
    return;
  }
  throw new Error(`${page.url.pathname} asks for no decision.`);
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
