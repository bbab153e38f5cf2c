import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCredentials } from '../support/credentials.ts';
import { cli } from '../support/client.ts';
import { type OwnersCatalogue, startCatalogue } from './me-catalogue.ts';

const asBrowsersAsk = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const hostile = '<script>alert("title")</script> & <b>Sons</b>';

describe('the front page of the embedded catalogue', () => {
  let catalogue: OwnersCatalogue;
  let origin: string;
  beforeAll(async () => {
    catalogue = await startCatalogue();
    ({ origin } = new URL(catalogue.baseUrl));
    catalogue.database.run('UPDATE shows SET title = ? WHERE id = (SELECT min(id) FROM shows)', hostile);
  });
  afterAll(() => catalogue.stop());

  async function ask(path: string, accept: string | undefined, method: 'GET' | 'HEAD' | 'POST' = 'GET') {
    const answer = await request(`${origin}${path}`, {
      method,
      headers: accept === undefined ? {} : { accept },
    });
    return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
  }

  it('is there for a browser, at the root and at the base address', async () => {
    for (const path of ['/', '/catalogue/v1', '/catalogue/v1/', '/?from=a-bookmark']) {
      const { status, headers, text } = await ask(path, asBrowsersAsk);
      expect(status, path).toBe(200);
      expect(headers['content-type']).toBe('text/html; charset=utf-8');
      expect(text).toContain('<h1>Embedded artwork catalogue</h1>');
    }
    const head = await ask('/', asBrowsersAsk, 'HEAD');
    expect([head.status, head.text]).toEqual([200, '']);
  });

  it('leaves everything else the answer that it had', async () => {
    for (const accept of [undefined, '*/*', 'application/json', 'text/html;q=0, application/json']) {
      const { status, headers, text } = await ask('/', accept);
      expect(status, accept).toBe(404);
      expect(headers['content-type']).toContain('application/json');
      expect(JSON.parse(text)).toMatchObject({ data: null, error: { code: 'not_found' } });
    }
    expect((await ask('/', asBrowsersAsk, 'POST')).status).toBe(404);
    expect((await ask('/catalogue/v1/episodes', asBrowsersAsk)).headers['content-type']).toContain('json');
  });

  it('names the accounts and where their passwords are, and no password', async () => {
    const credentials = await readCredentials(catalogue.dataDir);
    const { text } = await ask('/', asBrowsersAsk);
    expect(credentials.length).toBeGreaterThan(5);
    for (const { name, password } of credentials) {
      expect(text).toContain(`<li>${name}</li>`);
      expect(text).not.toContain(password);
    }
    expect(text).toContain('accounts.json');
  });

  it('runs no script and loads nothing, and shows catalogue text as text', async () => {
    const { headers, text } = await ask('/', asBrowsersAsk);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/script-src|unsafe|https?:/);
    expect(text).not.toMatch(/<script|<b>Sons|style="|\son\w+=/);
    expect(text).toContain('&#60;script&#62;alert(&#34;title&#34;)&#60;/script&#62; &#38; &#60;b&#62;Sons');
  });

  it('tells a command with its own address', async () => {
    const { text } = await ask('/', asBrowsersAsk);
    expect(text).toContain(
      `-e ARTWORK_BASE_URL=${catalogue.baseUrl} -e ARTWORK_CLIENT_ID=artwork-mcp -- ${process.execPath} ${cli}`,
    );
    expect(text).toContain(`connect --base-url ${catalogue.baseUrl} --client-id artwork-mcp`);
    expect(text).toContain(`href="${origin}/account/apps"`);
  });
});
