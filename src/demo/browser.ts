import { DemoError } from './host.ts';

type Page = Readonly<{ url: URL; markup: string }>;

/**
 * Signs in as a person does in a browser: chooses the first account, agrees, and follows the way back to the server.
 * @returns the account's name
 */
export async function signInAsPerson(address: string): Promise<string> {
  const browse = newBrowser(new URL(address).origin);
  const choice = await browse(new URL(address));
  const [, link = '', name = ''] = found(choice, /<a\b[^>]*href="([^"]*[?]account=[^"]*)"[^>]*>([^<]*)/);
  const consent = await browse(new URL(decoded(link), choice.url));
  const [, head = '', inner = ''] = found(
    consent,
    /<form\b([^>]*)>((?:(?!<\/form>)[\s\S])*name="decision"[\s\S]*?)<\/form>/,
  );
  const fields = new URLSearchParams({ decision: 'approve' });
  for (const [tag] of inner.matchAll(/<input\b[^>]*type="hidden"[^>]*>/g)) {
    fields.append(attribute(tag, 'name'), attribute(tag, 'value'));
  }
  await browse(new URL(attribute(head, 'action'), consent.url), fields);
  return decoded(name);
}

/** Follows redirects wherever they lead. Keeps the cookies of the service, and shows them to it alone. */
function newBrowser(service: string) {
  const cookies = new Map<string, string>();
  return async (first: URL, form?: URLSearchParams): Promise<Page> => {
    let [url, body] = [first, form];
    for (let hop = 0; hop < 20; hop += 1) {
      const isService = url.origin === service;
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { accept: 'text/html', ...(isService ? { cookie, origin: service } : {}) },
        ...(body === undefined ? {} : { method: 'POST', body }),
      });
      for (const line of isService ? answer.headers.getSetCookie() : []) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        cookies.set(name, value);
      }
      const location = answer.headers.get('location');
      if (location === null) return { url, markup: await answer.text() };
      await answer.body?.cancel();
      [url, body] = [new URL(location, url), undefined];
    }
    throw new DemoError(`${first.pathname} redirects without end.`);
  };
}

function found({ url, markup }: Page, pattern: RegExp): RegExpExecArray {
  const match = pattern.exec(markup);
  if (match === null) throw new DemoError(`The page ${url.pathname} is not the one that a sign-in shows.`);
  return match;
}

function attribute(tag: string, name: string): string {
  return decoded(new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(tag)?.[1] ?? '');
}

function decoded(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
