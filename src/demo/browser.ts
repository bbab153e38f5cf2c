import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** A page, as far as a program without a browser sees it. */
interface Page {
  readonly url: URL;
  readonly markup: string;
}

const accounts = z.object({
  accounts: z.tuple([z.object({ name: z.string(), password: z.string() })], z.unknown()),
});

/**
 * Does what a person does with the address that the server answers: signs in with the first account of the file that
 * the page names, agrees, and goes back to the server. Answers the account's name.
 */
export async function signInAsPerson(address: string): Promise<string> {
  const cookies = new Map<string, string>();
  const signIn = await open(new URL(address), cookies);
  const [, file = ''] = /<code class="value">([^<]+)<\/code>/.exec(signIn.markup) ?? [];
  const [{ name, password }] = accounts.parse(JSON.parse(await readFile(decoded(file), 'utf8'))).accounts;
  const consent = await send(signIn, '/sign-in', { name, password }, cookies);
  await send(consent, '', { decision: 'approve' }, cookies);
  return name;
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

/** Sends the form of a page whose action ends so, with its hidden fields. */
function send(
  page: Page,
  ending: string,
  answers: Readonly<Record<string, string>>,
  cookies: Map<string, string>,
): Promise<Page> {
  for (const [, head = '', inner = ''] of page.markup.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    const action = new URL(decoded(attributeOf(head, 'action') ?? page.url.href), page.url);
    const isAsked = Object.keys(answers).every((name) => inner.includes(`name="${name}"`));
    if (!action.pathname.endsWith(ending) || !isAsked) continue;
    const fields = new URLSearchParams(answers);
    for (const [, tag = ''] of inner.matchAll(/<input\b([^>]*type="hidden"[^>]*)>/g)) {
      fields.append(attributeOf(tag, 'name') ?? '', decoded(attributeOf(tag, 'value') ?? ''));
    }
    return open(action, cookies, fields);
  }
  throw new Error(`${page.url.pathname} shows no form for ${Object.keys(answers).join(' and ')}.`);
}

function attributeOf(tag: string, name: string): string | undefined {
  return new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1];
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
