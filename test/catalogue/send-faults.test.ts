import type net from 'node:net';
import { describe, type ExpectStatic, test } from 'vitest';
import { path } from '../../src/catalogue/call.ts';
import type { Catalogue, SendOutcome, SendRequest } from '../../src/catalogue/client.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { answer, type PostScript, receipt, servePosts } from './post-server.ts';
import { catalogueAt } from './scripted-server.ts';

const content = Buffer.from('{"clientMutationId":"6f1c","title":"A title"}');

const bodies: Record<string, () => SendRequest['body']> = {
  'a buffer': () => content,
  'a stream': () => ({
    length: content.length,
    async *open() {
      yield content.subarray(0, 10);
      yield content.subarray(10, 20);
      yield content.subarray(20);
    },
  }),
};

function post(catalogue: Catalogue, body: SendRequest['body'], deadlineMs?: number): Promise<SendOutcome> {
  return catalogue.send(
    { path: path`/me/groups`, headers: { 'content-type': 'application/json' }, body, bearer: 't0ken' },
    deadlineMs === undefined ? undefined : deadlineIn(deadlineMs),
  );
}

type Fault = (socket: net.Socket) => void;
const say = (text: string): Fault => {
  return (socket) => socket.write(text);
};
const sayAndClose = (text: string): Fault => {
  return (socket) => socket.end(text);
};
const sayAndReset = (text: string): Fault => {
  return (socket) => socket.write(text, () => setTimeout(() => socket.resetAndDestroy(), 20));
};
const close: Fault = (socket) => socket.end();
const reset: Fault = (socket) => socket.resetAndDestroy();
const stall: Fault = () => undefined;

interface Expected {
  readonly outcome: SendOutcome['outcome'];
  readonly status?: number | null;
  readonly category?: string;
  readonly code?: string;
  /** The service leaves it at that, so the call's time is what ends it. */
  readonly forEver?: true;
}

const deadline = ({ forEver }: Expected) => (forEver ? 1000 : 20_000);

const lost: Expected = { outcome: 'unknown', status: null, category: 'network' };
const cut = (status: number): Expected => ({ outcome: 'unknown', status, category: 'network' });
const notHttp: Expected = { outcome: 'unknown', status: null, category: 'bad_response' };
const useless = (status: number): Expected => ({ outcome: 'unknown', status, category: 'bad_response' });
const refused = (status: number, category: string): Expected => ({ outcome: 'refused', status, category });
const unavailable = (status: number): Expected => ({
  outcome: 'unknown',
  status,
  category: 'service_unavailable',
});
const applied = (status: number): Expected => ({ outcome: 'applied', status });

const no = '{"error":{"code":"said.no","message":"No.","details":{},"issues":[]}}';
const html = 'content-type: text/html';

/** What a service does once it has the whole request, and what that proves. */
const afterTheRequest: readonly (readonly [string, Fault, Expected])[] = [
  ['closes', close, lost],
  ['resets', reset, lost],
  ['says nothing', stall, { ...lost, forEver: true }],
  ['closes within the status line', sayAndClose('HTTP/1.1 20'), lost],
  ['resets within the status line', sayAndReset('HTTP/1.1 20'), lost],
  ['stops within the head', say('HTTP/1.1 201 Created\r\ncontent-ty'), { ...lost, forEver: true }],
  ['closes within the head', sayAndClose('HTTP/1.1 201 Created\r\ncontent-ty'), lost],
  ['answers something else than HTTP', say('220 mail.example ESMTP\r\n'), notHttp],
  ['answers HTTP/0.9', sayAndClose('{"data":{"id":"a1"}}'), notHttp],
  ['answers with two lengths', say(answer(201, receipt, 'content-length: 3')), notHttp],
  ['closes within a body', sayAndClose(answer(201, receipt).slice(0, -5)), cut(201)],
  ['resets within a body', sayAndReset(answer(201, receipt).slice(0, -5)), cut(201)],
  ['stops within a body', say(answer(201, receipt).slice(0, -5)), { ...cut(201), forEver: true }],
  [
    'closes within a chunk',
    sayAndClose('HTTP/1.1 201 X\r\ntransfer-encoding: chunked\r\n\r\n14\r\n{"data":'),
    cut(201),
  ],
  ['ends a body of no length too early', sayAndClose('HTTP/1.1 201 X\r\n\r\n{"data":{"i'), useless(201)],
  ['ends with no body and no length', sayAndClose('HTTP/1.1 200 X\r\n\r\n'), useless(200)],
  ['answers 201 with HTML', say(answer(201, '<html>', html)), useless(201)],
  ['answers 200 with a list', say(answer(200, '[]')), useless(200)],
  ['answers 200 with an error', say(answer(200, `{"data":null,${no.slice(1)}`)), useless(200)],
  ['answers 200 in broken gzip', say(answer(200, 'gz', 'content-encoding: gzip')), useless(200)],
  ['answers 201', say(answer(201, receipt)), applied(201)],
  ['answers 202', say(answer(202, receipt)), applied(202)],
  ['answers 200 and closes', sayAndClose(answer(200, receipt, 'connection: close')), applied(200)],
  ['answers 200 of no length, whole', sayAndClose(`HTTP/1.1 200 X\r\n\r\n${receipt}`), applied(200)],
  ['answers 200 with nothing', say(answer(200, '')), applied(200)],
  ['answers 204', say('HTTP/1.1 204 X\r\n\r\n'), applied(204)],
  ['answers after hints', say(`HTTP/1.1 103 X\r\nlink: x\r\n\r\n${answer(201, receipt)}`), applied(201)],
  ['answers 400', say(answer(400, no)), refused(400, 'invalid_arguments')],
  ['answers 401', say(answer(401, no)), refused(401, 'reconnect_required')],
  [
    'answers 401 like OAuth',
    say(answer(401, '{"error":"invalid_token"}')),
    refused(401, 'reconnect_required'),
  ],
  ['answers 403', say(answer(403, no)), refused(403, 'forbidden')],
  ['answers 404', say(answer(404, no)), refused(404, 'not_found')],
  ['answers 409', say(answer(409, no)), refused(409, 'conflict')],
  ['answers 413', say(answer(413, no)), refused(413, 'upload_refused')],
  ['answers 422', say(answer(422, no)), refused(422, 'invalid_arguments')],
  ['answers 429', say(answer(429, no, 'retry-after: 7')), refused(429, 'rate_limited')],
  ['answers 408', say(answer(408, no)), unavailable(408)],
  ['answers 403 with HTML', say(answer(403, '<html>', html)), { ...useless(403), category: 'forbidden' }],
  ['answers 404 with nothing', say(answer(404, '')), { ...useless(404), category: 'not_found' }],
  ['closes within a refusal', sayAndClose(answer(400, no).slice(0, -5)), cut(400)],
  ['answers 500', say(answer(500, no)), unavailable(500)],
  ['answers 502 with HTML', say(answer(502, '<html>', html)), unavailable(502)],
  [
    'answers 503 with a code',
    say(answer(503, '{"error":{"code":"set_creation_upload.outcome_unresolved","message":"?"}}')),
    { ...unavailable(503), code: 'set_creation_upload.outcome_unresolved' },
  ],
  ['redirects for ever', say(answer(301, '', 'location: /x')), useless(301)],
  ['redirects for now', say(answer(302, '', 'location: /x')), useless(302)],
  ['redirects to what was done', say(answer(303, '', 'location: /x')), useless(303)],
  ['redirects with the method', say(answer(307, '', 'location: /x')), refused(307, 'bad_response')],
  ['redirects for ever with the method', say(answer(308, '', 'location: /x')), refused(308, 'bad_response')],
];

describe.each(Object.entries(bodies))('%s as the body', (_name, body) => {
  describe.each([
    ['a new connection', 0],
    ['a connection in use', 1],
  ])('on %s, a service that has the whole request', (_where, nth) => {
    test.concurrent.for(afterTheRequest)('%s', async ([, fault, expected], { onTestFinished, expect }) => {
      const script: PostScript = {
        whole: (socket, request) => (request.nth < nth ? say(answer(201, receipt))(socket) : fault(socket)),
      };
      const server = await servePosts(script, onTestFinished);
      const catalogue = catalogueAt(server.origin, {}, onTestFinished);
      for (let before = 0; before < nth; before++) {
        expect(await post(catalogue, body())).toMatchObject({ outcome: 'applied' });
      }
      const outcome = await post(catalogue, body(), deadline(expected));
      const { category, code, forEver, ...rest } = expected;
      expect(outcome).toMatchObject(rest);
      if (category !== undefined) expect(outcome).toMatchObject({ error: { category } });
      if (code !== undefined) expect(outcome).toMatchObject({ error: { code } });
      if (outcome.outcome === 'unknown') expect(outcome.bodyComplete).toBe(true);
      await nothingSentTwice(expect, server.received, nth + 1);
      expect(server.received.every(({ connection }) => connection === 0)).toBe(true);
    });
  });
});

describe('while the request is still being sent', () => {
  /** Sends its head and first part, and then waits until the test lets go. */
  function heldBody() {
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const body: SendRequest['body'] = {
      length: content.length,
      async *open() {
        yield content.subarray(0, 10);
        yield content.subarray(10, 20);
        await released;
        yield content.subarray(20);
      },
    };
    return { body, release };
  }

  const midway: readonly (readonly [string, Fault, Expected])[] = [
    ['closes', close, lost],
    ['resets', reset, lost],
    ['says nothing', stall, { ...lost, forEver: true }],
    ['answers garbage', say('nonsense\r\n\r\n'), notHttp],
    ['says yes too early', say(answer(201, receipt)), useless(201)],
    ['says no', say(answer(413, no)), refused(413, 'upload_refused')],
    [
      'says no and closes',
      sayAndClose(answer(401, no, 'connection: close')),
      refused(401, 'reconnect_required'),
    ],
    ['fails', say(answer(500, no)), unavailable(500)],
  ];

  test.concurrent.for(midway)('the service %s', async ([, fault, expected], { onTestFinished, expect }) => {
    const server = await servePosts({ head: (socket) => fault(socket) }, onTestFinished);
    const { body, release } = heldBody();
    const outcome = await post(catalogueAt(server.origin, {}, onTestFinished), body, deadline(expected));
    release();
    const { category, forEver, ...rest } = expected;
    expect(outcome).toMatchObject({ ...rest, error: { category } });
    if (outcome.outcome === 'unknown') expect(outcome.bodyComplete).toBe(false);
    await nothingSentTwice(expect, server.received, 1);
    expect(server.received).toMatchObject([{ whole: false, bodyBytes: 10 }]);
  });
});

describe('a connection that is closed as soon as it is made', () => {
  const hasty: readonly (readonly [string, Fault])[] = [
    ['closed', close],
    ['reset', reset],
    ['greeted with something else than HTTP', say('220 mail.example ESMTP\r\n')],
  ];
  describe.each(Object.entries(bodies))('%s', (_name, body) => {
    test.concurrent.for(hasty)('%s', async ([, fault], { onTestFinished, expect }) => {
      const server = await servePosts({ connected: (socket) => fault(socket) }, onTestFinished);
      const outcome = await post(catalogueAt(server.origin, {}, onTestFinished), body());
      await nothingSentTwice(expect, server.received, 1);
      // Whether the request was faster is chance; that nothing is claimed about it is not.
      expect(['not_sent', 'unknown']).toContain(outcome.outcome);
      if (outcome.outcome === 'not_sent') expect(server.bytes()).toBe(0);
    });
  });
});

async function nothingSentTwice(
  expect: ExpectStatic,
  received: readonly unknown[],
  most: number,
): Promise<void> {
  // Long enough for a second request that something underneath had begun.
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(received.length).toBeLessThanOrEqual(most);
}
