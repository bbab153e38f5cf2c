import type net from 'node:net';
import { describe, expect, it, test } from 'vitest';
import { path } from '../../src/catalogue/call.ts';
import { type CatalogueOptions, createCatalogue } from '../../src/catalogue/client.ts';
import type { SendOutcome, SendRequest } from '../../src/catalogue/send.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { StreamBody } from '../../src/http/exchange.ts';
import { answer, type PostScript, receipt, servePosts } from './post-server.ts';
import { catalogueAt } from './scripted-server.ts';

const chunks = ['first ', 'second ', 'last'].map((part) => Buffer.from(part));
const bytes = Buffer.concat(chunks);

/** The chunks, each after `before` has let it pass. */
function stream(
  before: (index: number) => Promise<void> = async () => {},
  length = bytes.length,
): StreamBody {
  return {
    length,
    async *open() {
      for (const [index, chunk] of chunks.entries()) {
        await before(index);
        yield chunk;
      }
    },
  };
}

const post = (rest: Partial<SendRequest> = {}): SendRequest => ({
  path: path`/me/groups`,
  headers: { 'content-type': 'application/json' },
  body: bytes,
  bearer: 'a-token-of-this-test',
  ...rest,
});

async function sendTo(script: PostScript, request = post(), milliseconds = 5_000) {
  const server = await servePosts(script);
  const outcome = await catalogueAt(server.origin).send(request, deadlineIn(milliseconds));
  return { outcome, server };
}

const answering = (text: string): PostScript => ({ whole: (socket) => void socket.write(text) });
const ending = (text: string): PostScript => ({ whole: (socket) => void socket.end(text) });
const failing = (status: number, error: object = { code: 'a.code', message: 'No.' }) =>
  answering(answer(status, JSON.stringify({ error })));

const bodies: readonly (readonly [string, () => Buffer | StreamBody])[] = [
  ['a buffer', () => bytes],
  ['a stream', () => stream()],
];

type Expected = Partial<{ [Member in 'outcome' | 'status' | 'bodyComplete']: unknown }>;
const unknown = (status: number | null): Expected => ({ outcome: 'unknown', status, bodyComplete: true });
const refused = (status: number): Expected => ({ outcome: 'refused', status });
const applied = (status: number): Expected => ({ outcome: 'applied', status });

const afterTheWhole: readonly (readonly [string, PostScript, Expected])[] = [
  ['a receipt', answering(answer(201, receipt)), applied(201)],
  ['nothing in 204', answering('HTTP/1.1 204 X\r\n\r\n'), applied(204)],
  ['an empty body of known length', answering(answer(200, '')), applied(200)],
  ['an empty body that ends with the connection', ending('HTTP/1.1 200 X\r\n\r\n'), unknown(200)],
  ['103 before the receipt', answering(`HTTP/1.1 103 Early\r\n\r\n${answer(200, receipt)}`), applied(200)],
  ['half a receipt', ending(answer(200, receipt).slice(0, -5)), unknown(200)],
  ['a page', answering(answer(200, '<html>', 'content-type: text/html')), unknown(200)],
  ['a list', answering(answer(200, '[]')), unknown(200)],
  ['an error with 200', answering(answer(200, '{"data":null,"error":{"code":"x"}}')), unknown(200)],
  ['an encoded receipt', answering(answer(200, receipt, 'content-encoding: gzip')), unknown(200)],
  ['more than is read', answering(answer(200, `"${'x'.repeat(9 * 1024 * 1024)}"`)), unknown(200)],
  ['the end of the connection', { whole: (socket) => void socket.end() }, unknown(null)],
  ['a reset', { whole: (socket) => void socket.resetAndDestroy() }, unknown(null)],
  ['something that is not HTTP', answering('SSH-2.0-OpenSSH\r\n\r\n'), unknown(null)],
  ...[400, 401, 403, 404, 409, 413, 422, 429].map(
    (status) => [`${status} with an error`, failing(status), refused(status)] as const,
  ),
  ...[400, 404, 429].map(
    (status) => [`${status} of anybody's`, answering(answer(status, '<html>')), unknown(status)] as const,
  ),
  ...[408, 425, 499, 500, 502, 503].map(
    (status) => [`${status} with an error`, failing(status), unknown(status)] as const,
  ),
  ...[301, 302, 303].map(
    (status) => [`${status}`, answering(answer(status, '', 'location: /me')), unknown(status)] as const,
  ),
  ...[307, 308].map(
    (status) => [`${status}`, answering(answer(status, '', 'location: /me')), refused(status)] as const,
  ),
];

describe.each(bodies)('%s is sent once, and after all of it the service answers with', (_, body) => {
  test.each(afterTheWhole)('%s', async (_what, script, expected) => {
    const { outcome, server } = await sendTo(script, post({ body: body() }));
    expect(outcome).toMatchObject(expected);
    expect(server.received.map(({ whole }) => whole)).toEqual([true]);
  });
});

describe('nothing is sent', () => {
  const unsent: readonly (readonly [string, Partial<SendRequest>, string])[] = [
    ['of an empty body', { body: Buffer.alloc(0) }, 'invalid_arguments'],
    [
      'of a header that HTTP does not allow',
      { headers: { 'x-upload-filename': 'a\nb' } },
      'invalid_arguments',
    ],
    [
      'where the gate is closed',
      { gate: () => Promise.reject(new ArtworkError('conflict', 'No.')) },
      'conflict',
    ],
    [
      'where the file can not be read',
      { body: stream(() => Promise.reject(new Error('EIO'))) },
      'upload_refused',
    ],
  ];
  test.each(unsent)('%s', async (_what, rest, failure) => {
    const { outcome, server } = await sendTo(answering(answer(200, receipt)), post(rest));
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { failure } });
    expect(server.received).toEqual([]);
  });

  const elsewhere: readonly (readonly [string, Partial<CatalogueOptions>, string])[] = [
    ['where nothing listens', { locate: async () => at('http://127.0.0.1:1') }, 'network'],
    [
      'where there is no catalogue',
      { locate: () => Promise.reject(new ArtworkError('internal', 'No.')) },
      'internal',
    ],
    [
      'where the connection can not be opened',
      { open: () => Promise.reject(new ArtworkError('network', 'No.', { code: 'own.code' })) },
      'network',
    ],
  ];
  test.each(elsewhere)('%s', async (_what, options, failure) => {
    const server = await servePosts({});
    const outcome = await catalogueAt(server.origin, options).send(post());
    expect(outcome).toMatchObject({ outcome: 'not_sent', error: { failure } });
    expect(server.received).toEqual([]);
  });

  it('of a call that was given up, or while the connection is still made', async () => {
    const server = await servePosts({});
    const over = deadlineIn(5_000, AbortSignal.abort());
    expect(await catalogueAt(server.origin).send(post(), over)).toMatchObject({ outcome: 'not_sent' });
    const never = catalogueAt(server.origin, { open: () => new Promise<net.Socket>(() => undefined) });
    expect(await never.send(post(), deadlineIn(50))).toMatchObject({ outcome: 'not_sent' });
    expect(server.received).toEqual([]);
  });

  it('through a proxy whose address is none', async () => {
    const before = process.env.HTTPS_PROXY;
    process.env.HTTPS_PROXY = '::not a proxy::';
    const catalogue = createCatalogue({
      locate: async () => at('https://catalogue.example'),
      userAgent: 'test',
    });
    try {
      const outcome = await catalogue.send(post());
      expect(outcome).toMatchObject({ outcome: 'not_sent', error: { failure: 'network' } });
    } finally {
      if (before === undefined) delete process.env.HTTPS_PROXY;
      else process.env.HTTPS_PROXY = before;
      await catalogue.close();
    }
  });
});

function at(baseUrl: string) {
  return { baseUrl, assetOrigin: baseUrl };
}

describe('the service never gets the last chunk', () => {
  const withheld: readonly (readonly [string, () => Partial<SendRequest>, string])[] = [
    ['of a file that fails', () => ({ body: stream(async (index) => fail(index === 2)) }), 'upload_refused'],
    [
      'of one that has become shorter',
      () => ({ body: stream(undefined, bytes.length + 1) }),
      'upload_refused',
    ],
    [
      'of one that has become longer',
      () => ({ body: stream(undefined, bytes.length - 1) }),
      'upload_refused',
    ],
    [
      'where the gate closes meanwhile',
      () => ({
        body: stream(),
        gate: async (part) => {
          if (part === 'last') throw new ArtworkError('conflict', 'Another process goes on.');
          return () => true;
        },
      }),
      'conflict',
    ],
  ];
  test.each(withheld)('%s', async (_what, rest, failure) => {
    const { outcome, server } = await sendTo(answering(answer(200, receipt)), post(rest()));
    expect(outcome).toMatchObject({
      outcome: 'unknown',
      status: null,
      bodyComplete: false,
      error: { failure },
    });
    expect(server.received.some(({ whole }) => whole)).toBe(false);
  });

  it('where it answers before it has all, and a yes is none', async () => {
    const early: PostScript = { head: (socket) => void socket.write(answer(200, receipt)) };
    const body = stream((index) => (index === 2 ? new Promise(() => undefined) : Promise.resolve()));
    const { outcome } = await sendTo(early, post({ body }), 500);
    expect(outcome).toMatchObject({ outcome: 'unknown', bodyComplete: false });
  });
});

function fail(isDue: boolean): void {
  if (isDue) throw new Error('EIO');
}

describe('the gate', () => {
  it('is asked for the first part and for the last, and again where too much time has passed', async () => {
    const asked: string[] = [];
    const answers = [false, true, false, false, true];
    const gate: SendRequest['gate'] = async (part) => {
      asked.push(part);
      return () => answers.shift() === true;
    };
    const { outcome } = await sendTo(answering(answer(200, receipt)), post({ gate }));
    expect(outcome.outcome).toBe('applied');
    expect(asked).toEqual(['first', 'first', 'last', 'last', 'last']);
  });

  it('is asked when the connection is there: nothing comes of a connection before it opens', async () => {
    const server = await servePosts(answering(answer(200, receipt)));
    const before: number[] = [];
    const gate: SendRequest['gate'] = async () => {
      before.push(server.sockets.length, server.bytes());
      return () => true;
    };
    expect(await catalogueAt(server.origin).send(post({ gate }))).toMatchObject({ outcome: 'applied' });
    expect(before.slice(0, 2)).toEqual([1, 0]);
  });
});

describe('a request', () => {
  it('leaves as it is, with nothing but what it needs', async () => {
    const { server } = await sendTo(
      answering(answer(200, receipt)),
      post({ query: { slot: 'poster', languageCode: 'a b+c&d' }, headers: { 'X-Upload-Filename': 'a.png' } }),
    );
    const [line, ...headers] = server.received[0]?.head.split('\r\n') ?? [];
    expect(line).toBe('POST /me/groups?slot=poster&languageCode=a%20b%2Bc%26d HTTP/1.1');
    const names = headers.map((header) => header.split(':')[0]?.toLowerCase());
    expect(names.sort()).toEqual(
      [
        'accept',
        'accept-encoding',
        'authorization',
        'connection',
        'content-length',
        'host',
        'user-agent',
      ].concat('x-upload-filename'),
    );
  });

  it('has a connection of its own', async () => {
    const server = await servePosts(answering(answer(200, receipt)));
    const catalogue = catalogueAt(server.origin);
    const outcomes: SendOutcome[] = [];
    for (const _ of chunks) outcomes.push(await catalogue.send(post()));
    outcomes.push(...(await Promise.all(chunks.map(() => catalogue.send(post())))));
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(Array(6).fill('applied'));
    expect(server.received.map(({ nth }) => nth)).toEqual(Array(6).fill(0));
  });

  it('tells its file once the service has all of it, and only then', async () => {
    let told = 0;
    const body = () => ({ ...stream(), arrived: () => void told++ });
    await sendTo(failing(503), post({ body: body() }));
    expect(told).toBe(0);
    await sendTo(answering(answer(200, receipt)), post({ body: body() }));
    expect(told).toBe(1);
  });

  it('keeps what the service says of it, bounded and without the tokens of this and of earlier requests', async () => {
    const earlier = 'earlier/token+of.this-process';
    await sendTo(answering(answer(200, receipt)), post({ bearer: earlier }));
    const { outcome } = await sendTo(
      failing(422, {
        code: 'a.code',
        message: `${'long '.repeat(1000)}`,
        details: {
          quoted: `Bearer ${earlier}`,
          encoded: encodeURIComponent(earlier),
          many: Array(9_999).fill('x'),
        },
        issues: [{ code: 'c', message: 'a-token-of-this-test', path: ['items', 3, { toString: 1 }] }, 7],
      }),
    );
    expect(outcome).toMatchObject({
      outcome: 'refused',
      error: {
        failure: 'invalid_arguments',
        code: 'a.code',
        details: { quoted: 'Bearer [secret]', encoded: '[secret]' },
        issues: [{ code: 'c', message: '[secret]', path: ['items', '3', ''] }],
      },
    });
    expect(JSON.stringify(outcome).length).toBeLessThan(8_000);
  });
});
