import type { RequestListener } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { inProcess } from '../support/in-process.ts';
import { json, startScriptedService } from '../support/scripted-service.ts';

async function facing(answer: RequestListener, prefix = '') {
  const service = await startScriptedService(answer);
  onTestFinished(() => service.close());
  const app = await inProcess({ ARTWORK_BASE_URL: service.baseUrl + prefix });
  const textOf = async (tool: string, args: Record<string, unknown>) => {
    const [text] = (await app.call(tool, args)).content;
    return text?.type === 'text' ? text.text : '';
  };
  return { service, app, textOf };
}

const show = { kind: 'show', id: 1 };

it('control and direction characters get through in no title and no error', async () => {
  const words = 'Good\u202Etitle\u0000\u001b[31m\u2066 end\ud800';
  for (const [status, body] of [
    [200, { data: { id: 1, kind: 'show', title: words } }],
    [404, { data: null, error: { code: 'not_found', message: words } }],
  ] as const) {
    const { textOf } = await facing((_, response) => json(response, status, body));
    const told = await textOf('get_entity', show);
    expect(told).toMatch(/Good.*title.*end/);
    expect(told).not.toMatch(/\\u202e|\\u0000|\\u001b|\\u2066|\\ud800|\u202e|\u2066/iu);
  }
});

it('a nextPage is followed only below the base URL', async () => {
  const elsewhere = await startScriptedService((_, response) => json(response, 200, { data: [], meta: {} }));
  onTestFinished(() => elsewhere.close());
  const item = {
    assetId: 'a',
    kind: 'asset',
    slot: 'poster',
    changeType: 'added',
    changedAt: '2026-01-01T00:00:00Z',
  };
  for (const nextPage of [
    `${elsewhere.baseUrl}/feeds/assets/pages/s/2`,
    `//${new URL(elsewhere.baseUrl).host}/feeds/assets/pages/s/2`,
    '/../../admin',
    '/feeds/assets/pages/%2e%2e/%2e%2e/admin',
    '/feeds/assets\\..\\..\\admin',
    '/catalogue/../admin/feeds/assets',
    '/catalogue/me/assets',
    '/catalogue/feeds/assets',
    '/catalogue//feeds/assets/pages/s/2',
  ]) {
    const meta = { snapshot: 's', page: 1, totalPages: 2, nextPage };
    const { service, textOf } = await facing(
      (_, response) => json(response, 200, { data: [item], meta }),
      '/catalogue',
    );
    expect(await textOf('read_feed', { feed: 'assets' })).toContain('bad_response');
    expect(service.requests.map(({ url }) => url)).toEqual(['/catalogue/feeds/assets']);
  }
  expect(elsewhere.requests).toEqual([]);
});

it('a redirect is not followed, and no cookie is kept', async () => {
  const { service, textOf } = await facing((request, response) => {
    response.setHeader('set-cookie', 'track=1');
    if (request.url?.endsWith('/2') === true) response.writeHead(302, { location: '/shows/3' }).end();
    else json(response, 200, { data: { id: 1, kind: 'show' } });
  });
  await textOf('get_entity', show);
  expect(await textOf('get_entity', { ...show, id: 2 })).toContain('bad_response');
  expect(service.requests).toHaveLength(2);
  for (const { headers } of service.requests) {
    expect(headers['user-agent']).toMatch(/^artwork-mcp\/\d+\.\d+\.\d+/);
    expect(headers).not.toHaveProperty('cookie');
    expect(headers).not.toHaveProperty('authorization');
  }
});

it('what is odd in a record breaks nothing', async () => {
  const data = {
    id: '7',
    kind: 'hologram',
    title: null,
    mystery: { of: ['the'] },
    seasons: null,
    assets: { posters: null },
  };
  const { app } = await facing((_, response) => json(response, 200, { data }));
  expect((await app.call('get_entity', { kind: 'show', id: 7 })).structuredContent).toMatchObject({
    data: { id: 7, kind: 'hologram', mystery: { of: ['the'] } },
  });
});

it('a long text ends in its length, and include gets it whole', async () => {
  const overview = 'o'.repeat(5_000);
  const data = { id: 7, kind: 'show', title: 'Long', overview, seasons: [] };
  const { app } = await facing((_, response) => json(response, 200, { data }));
  const next = { tool: 'get_entity', arguments: { kind: 'show', id: 7, include: ['overview'] } };
  expect((await app.call('get_entity', { kind: 'show', id: 7 })).structuredContent).toMatchObject({
    data: { overview: `${'o'.repeat(2_000)}… (5000 characters)` },
    omitted: [{ section: 'overview', total: 5_000, returned: 2_000, next }],
  });
  expect((await app.call(next.tool, next.arguments)).structuredContent).toMatchObject({ data: { overview } });
});
