import type http from 'node:http';
import { describe, expect, it, test } from 'vitest';
import type { CatalogueOptions } from '../../src/catalogue/client.ts';
import { json } from '../support/scripted-service.ts';
import { catalogueAt, type Served, serve } from './scripted-server.ts';

const png = Buffer.from('89504e470d0a1a0a0000', 'hex');
const giving = (bytes: Buffer) => (_request: http.IncomingMessage, response: http.ServerResponse) =>
  void response.end(bytes);

/** A catalogue whose show 7 names these pictures. */
async function naming(
  metadataImages: unknown,
  options: (origin: string) => Partial<CatalogueOptions> = () => ({}),
) {
  const server = await serve((request, response) =>
    request.url?.startsWith('/shows/')
      ? json(response, 200, { data: { id: 7, metadataImages } })
      : response.end(png),
  );
  return { server, catalogue: catalogueAt(server.origin, options(server.origin)) };
}

describe('a picture', () => {
  it('of a root-relative path comes from the asset origin, without credentials', async () => {
    const assets = await serve(giving(png));
    const locate = async () => ({ baseUrl: 'http://127.0.0.1:1/api', assetOrigin: assets.origin });
    const image = await catalogueAt(assets.origin, { locate }).fetchImage('/posters/a.png?v=1');
    expect(image).toEqual({ url: `${assets.origin}/posters/a.png?v=1`, mediaType: 'image/png', bytes: png });
    const [headers = {}] = assets.headers;
    expect(Object.keys(headers).filter((name) => /auth|cookie/.test(name))).toEqual([]);
  });

  it('of another host comes only where an answer has named that host', async () => {
    const foreign = await serve(giving(png));
    const url = `${foreign.origin}/a`;
    const { catalogue, server } = await naming({ poster: url });
    await expect(catalogue.fetchImage(url)).rejects.toMatchObject({ failure: 'invalid_arguments' });
    expect(foreign.seen).toEqual([]);
    const learned = await catalogue.fetchImage(url, undefined, { kind: 'show', id: 7 });
    expect(learned.bytes).toEqual(png);
    expect(server.seen).toEqual(['GET /shows/7']);
    expect((await catalogue.fetchImage(`${foreign.origin}/b`)).bytes).toEqual(png);
  });

  it.each([
    'http://10.0.0.1/a',
    'https://169.254.169.254/latest',
    'https://[fe80::1]/a',
    'http://images.example/a',
    'https://user:word@images.example/a',
  ])('is never fetched from %s, whoever names it', async (url) => {
    const { catalogue } = await naming({ poster: url });
    const fetching = catalogue.fetchImage(url, undefined, { kind: 'show', id: 7 });
    await expect(fetching).rejects.toMatchObject({ failure: 'invalid_arguments' });
  });

  it('is never fetched from this machine for a catalogue that is elsewhere', async () => {
    const near = await serve(giving(png));
    const url = `${near.origin}/a`;
    let isElsewhere = false;
    const { catalogue, server } = await naming({ poster: url }, (origin) => ({
      // The catalogue's name is a remote one by the time at which its pictures are asked for.
      locate: async () => (isElsewhere ? at('https://catalogue.example') : at(origin)),
    }));
    await catalogue.readEntity('show', 7);
    isElsewhere = true;
    await expect(catalogue.fetchImage(url)).rejects.toMatchObject({ failure: 'invalid_arguments' });
    expect([server.seen.length, near.seen.length]).toEqual([1, 0]);
  });

  const refs = [
    'poster.png',
    '//elsewhere.example/a',
    '/\\elsewhere.example/a',
    'file:///etc/passwd',
    'data:image/png;base64,',
    '',
  ];
  test.each(refs)('is never fetched for %j', async (ref) => {
    const server = await serve(giving(png));
    await expect(catalogueAt(server.origin).fetchImage(ref)).rejects.toMatchObject({
      failure: 'invalid_arguments',
    });
    expect(server.seen).toEqual([]);
  });

  const noPictures: readonly (readonly [string, (response: http.ServerResponse) => void])[] = [
    ['a page', (response) => void response.end('<html>')],
    ['an SVG', (response) => void response.end('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['nothing', (response) => void response.end()],
    [
      'more than is read',
      (response) =>
        void response
          .writeHead(200, { 'content-length': 33 * 1024 * 1024 })
          .end(Buffer.alloc(33 * 1024 * 1024, png)),
    ],
    ['a redirect', (response) => void response.writeHead(302, { location: '/b' }).end()],
  ];
  test.each(noPictures)('is not %s', async (_what, answer) => {
    const server: Served = await serve((_request, response) => answer(response));
    await expect(catalogueAt(server.origin).fetchImage('/a')).rejects.toMatchObject({
      failure: 'bad_response',
    });
    expect(server.seen).toHaveLength(1);
  });
});

function at(baseUrl: string) {
  return { baseUrl, assetOrigin: baseUrl };
}
