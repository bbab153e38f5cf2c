import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { isIP } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CatalogueOptions } from '../../src/catalogue/client.ts';
import { mayConnect } from '../../src/catalogue/dispatchers.ts';
import { catalogueAt, json, type Script, serve } from './scripted-server.ts';

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const serveImage = (bytes: Buffer = png) =>
  serve((_request, response) => void response.writeHead(200, { 'content-type': 'text/plain' }).end(bytes));

describe('what is fetched', () => {
  test.each([
    ['image/png', '89504e470d0a1a0a00'],
    ['image/jpeg', 'ffd8ffe000104a46494600'],
    ['image/gif', '474946383961010001'],
    ['image/gif', '474946383761010001'],
    ['image/webp', '524946462400000057454250565038'],
  ] as const)('%s is known by its first bytes (%s)', async (mediaType, hex) => {
    const bytes = Buffer.from(hex, 'hex');
    const server = await serveImage(bytes);
    const image = await catalogueAt(`${server.origin}/api`).fetchImage('/assets/a%20b.img?size=1');
    expect(image).toEqual({ url: `${server.origin}/assets/a%20b.img?size=1`, mediaType, bytes });
    expect(server.seen).toEqual(['GET /assets/a%20b.img?size=1']);
    expect(server.headers[0]?.accept).toBe('image/png, image/jpeg, image/webp, image/gif');
  });

  test.each([
    ['nothing', ''],
    ['HTML', Buffer.from('<html>').toString('hex')],
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">').toString('hex')],
    ['TIFF', '49492a0008000000'],
    ['another RIFF', '524946462400000057415645'],
    ['half a signature', '89504e47'],
  ])('%s is not an image', async (_what, hex) => {
    const server = await serveImage(Buffer.from(hex, 'hex'));
    await expect(catalogueAt(server.origin).fetchImage('/x.png')).rejects.toMatchObject({
      category: 'bad_response',
    });
  });

  test.each([
    ['a missing one', 404, 'not_found'],
    ['a redirect', 302, 'bad_response'],
  ])('%s is told', async (_what, status, category) => {
    const server = await serve(
      (_request, response) => void response.writeHead(status, { location: '/elsewhere.png' }).end(png),
    );
    await expect(catalogueAt(server.origin).fetchImage('/x.png')).rejects.toMatchObject({ category, status });
    expect(server.seen).toEqual(['GET /x.png']);
  });
});

describe('a path', () => {
  test.each([
    '//elsewhere.example/x.png',
    '/\\elsewhere.example/x.png',
    '/\n/elsewhere.example/x.png',
    '/\t\\elsewhere.example/x.png',
    'posters/1.png',
    '',
    'file:///etc/passwd',
    'data:image/png;base64,iVBORw0KGgo=',
    'javascript:1',
    'http://',
    'http://user:secret@127.0.0.1/x.png',
  ])('that leads elsewhere is not fetched: %j', async (ref) => {
    const server = await serveImage();
    await expect(catalogueAt(server.origin).fetchImage(ref)).rejects.toMatchObject({
      category: 'invalid_arguments',
    });
    expect(server.seen).toEqual([]);
  });
});

/** A catalogue whose show 1 names the given poster. */
function naming(poster: string): Script {
  return (_request, response) =>
    json(response, 200, { data: { metadataImages: { poster, backdrop: null, logo: 'not a URL' } } });
}

describe('a URL', () => {
  test('of the base URL’s origin or the asset origin is fetched', async () => {
    const server = await serveImage();
    const assets = await serveImage();
    const catalogue = catalogueAt(server.origin, {
      locate: async () => ({ baseUrl: server.origin, assetOrigin: assets.origin }),
    });
    await catalogue.fetchImage(`${server.origin}/a.png`);
    await catalogue.fetchImage(`${assets.origin}/b.png#fragment`);
    expect(server.seen).toEqual(['GET /a.png']);
    expect(assets.seen).toEqual(['GET /b.png']);
  });

  test('of another host is fetched only once the catalogue has named that host', async () => {
    const images = await serveImage();
    const server = await serve(naming(`${images.origin}/poster.png`));
    const catalogue = catalogueAt(server.origin);
    const other = `${images.origin}/other.png`;
    await expect(catalogue.fetchImage(other)).rejects.toMatchObject({ category: 'invalid_arguments' });
    expect(images.seen).toEqual([]);
    await catalogue.readEntity('show', 1);
    expect((await catalogue.fetchImage(other)).url).toBe(other);
  });
});

describe('private addresses', () => {
  /** Names resolve as the table says, one answer after the other, the last one for ever. */
  function resolving(table: Record<string, string[]>): void {
    const real = dns.lookup;
    const fake = (name: string, ...rest: unknown[]): unknown => {
      if (isIP(name) !== 0) return Reflect.apply(real, dns, [name, ...rest]);
      const [options, done] = rest as [{ all?: boolean }, (...answer: unknown[]) => void];
      const answers = table[name] ?? [];
      const address = answers.length > 1 ? answers.shift() : answers[0];
      if (address === undefined) return done(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }));
      return options.all === true ? done(null, [{ address, family: 4 }]) : done(null, address, 4);
    };
    vi.spyOn(dns, 'lookup').mockImplementation(fake as typeof dns.lookup);
    syncBuiltinESMExports();
    onTestFinished(() => {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    });
  }

  /** A catalogue that is remote by its name, and names the poster. */
  async function remote(poster: string, options: Partial<CatalogueOptions> = {}) {
    const server = await serve(naming(poster));
    const catalogue = catalogueAt(`http://catalogue.test:${server.port}`, options);
    return { catalogue, server };
  }

  test.each([
    'https://127.0.0.1/x.png',
    'https://[::1]/x.png',
    'https://localhost/x.png',
    'https://2130706433/x.png',
    'https://0x7f.1/x.png',
    'https://10.1.2.3/x.png',
    'https://192.168.1.1/x.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/x.png',
    'https://[::ffff:10.0.0.1]/x.png',
    'https://0.0.0.0/x.png',
    'http://127.0.0.1/x.png',
    'http://images.example/x.png',
    'https://inside.test/x.png',
  ])('are not fetched for a remote catalogue: %s', async (poster) => {
    resolving({ 'catalogue.test': ['127.0.0.1'], 'inside.test': ['192.168.0.9'], localhost: ['127.0.0.1'] });
    const { catalogue } = await remote(poster);
    await catalogue.readEntity('show', 1);
    await expect(catalogue.fetchImage(poster)).rejects.toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringMatching(/not a public address|not https/),
    });
  });

  test('are not fetched when a name resolves to one only the second time', async () => {
    const images = await serveImage();
    resolving({ 'catalogue.test': ['127.0.0.1'], 'rebind.test': ['93.184.215.14', '127.0.0.1'] });
    const poster = `https://rebind.test:${images.port}/x.png`;
    const { catalogue } = await remote(poster);
    await catalogue.readEntity('show', 1);
    await expect(catalogue.fetchImage(poster)).rejects.toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('not a public address'),
    });
    expect(vi.mocked(dns.lookup).mock.calls.filter(([name]) => name === 'rebind.test')).toHaveLength(2);
    expect(images.seen).toEqual([]);
  });

  test('of this machine may be named by a catalogue on this machine, other private ones may not', async () => {
    const images = await serveImage();
    const server = await serve((request, response) =>
      naming(request.url === '/shows/1' ? `${images.origin}/x.png` : 'https://10.0.0.1/x.png')(
        request,
        response,
      ),
    );
    const catalogue = catalogueAt(server.origin);
    await catalogue.readEntity('show', 1);
    expect((await catalogue.fetchImage(`${images.origin}/x.png`)).mediaType).toBe('image/png');
    await catalogue.readEntity('show', 2);
    await expect(catalogue.fetchImage('https://10.0.0.1/x.png')).rejects.toMatchObject({
      message: expect.stringContaining('not a public address'),
    });
  });

  test.each([
    ['93.184.215.14', true],
    ['2606:2800:21f:cb07:6820:80da:af6b:8b2c', true],
    ['::ffff:93.184.215.14', true],
    ['64:ff9b::5db8:d70e', true],
    ['64:ff9b::a00:1', false],
    ['64:ff9b::a9fe:a9fe', false],
    ['::ffff:127.0.0.1', false],
    ['127.255.255.255', false],
    ['0.0.0.0', false],
    ['10.0.0.1', false],
    ['100.64.0.1', false],
    ['100.100.100.200', false],
    ['168.63.129.16', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['172.32.0.1', true],
    ['192.0.0.192', false],
    ['192.168.255.1', false],
    ['198.18.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['::', false],
    ['::1', false],
    ['fe80::1', false],
    ['fd00:ec2::254', false],
    ['ff02::1', false],
    ['2002:7f00:1::', false],
    ['2001::1', false],
    ['fe80::1%eth0', false],
    ['not an address', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(mayConnect(address, 'public')).toBe(isPublic);
    const isLoopback = ['127.255.255.255', '::ffff:127.0.0.1', '::1'].includes(address);
    expect(mayConnect(address, 'public or loopback')).toBe(isPublic || isLoopback);
  });
});
