import fc from 'fast-check';
import { expect, test } from 'vitest';
import { path } from '../../src/catalogue/call.ts';
import type { SendOutcome } from '../../src/catalogue/client.ts';
import { isRecord } from '../../src/catalogue/records/members.ts';
import { share } from '../support/share.ts';
import { servePosts } from './post-server.ts';
import { catalogueAt } from './scripted-server.ts';

/** What nobody expects where a value should be. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
  fc.constantFrom<unknown>(
    { toString: 1, valueOf: 2 },
    [[[[]]]],
    -0,
    'x'.repeat(70_000),
    Array.from({ length: 2000 }, () => 'y'),
  ),
);
/** Raw JSON that no value of JavaScript is written as. */
const raw = fc.constantFrom(
  '{"__proto__":{"a":1},"constructor":{"prototype":1}}',
  '{"a":1,"a":2}',
  '1e999',
  '"\\ud800"',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
);
const json = fc.oneof(
  odd.map((value) => JSON.stringify(value)),
  raw,
);

const issues = fc
  .array(fc.record({ code: odd, message: odd, path: fc.oneof(fc.array(odd, { maxLength: 3 }), odd) }), {
    maxLength: 3,
  })
  .map((list) => JSON.stringify(list));
/** With the service's envelope: a 4xx with it is a definite answer. */
const envelope = fc
  .record({
    code: fc.constantFrom('set.no', 'x'),
    message: fc.string({ unit: 'binary' }),
    details: json,
    issues: fc.oneof(issues, json),
  })
  .map(
    ({ code, message, details, issues: all }) =>
      `{"error":{"code":${JSON.stringify(code)},"message":${JSON.stringify(message)},"details":${details},"issues":${all}}}`,
  );
const body = fc.oneof(
  { weight: 3, arbitrary: envelope },
  json.map((data) => `{"data":${data}}`),
  json,
  fc.string({ unit: 'binary' }),
);

const wait = fc.oneof(
  fc.constantFrom('3000000', '9'.repeat(20), '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT', '-1', 'soon'),
  fc.stringMatching(/^[!-~]{1,30}$/),
);
const header = fc.oneof(
  wait.map((value) => `retry-after: ${value}`),
  wait.map((value) => `retry-after: ${value}\r\nretry-after: 5`),
  fc.constantFrom(
    'content-type: text/html',
    'content-encoding: gzip',
    'content-encoding: identity\r\ncontent-encoding: identity',
    'set-cookie: a=b\r\nset-cookie: c=d',
    'location: https://elsewhere.example/',
    'transfer-encoding: chunked',
  ),
  fc.stringMatching(/^[a-z]{1,8}: [!-~]{1,20}$/),
);
const status = fc.oneof(
  fc.constantFrom(200, 201, 204, 400, 401, 403, 404, 409, 422, 429, 503),
  fc.integer({ min: 200, max: 599 }),
);

const say = (code: number, headers: readonly string[], text: string) => {
  const lines = [
    `HTTP/1.1 ${code} X`,
    ...headers,
    'connection: close',
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
};

test('whatever is answered, send says what became of the request, and a definite answer stays one', async () => {
  let said = '';
  const server = await servePosts({ whole: (socket) => void socket.end(said) });
  const catalogue = catalogueAt(server.origin);
  const send = (): Promise<SendOutcome> =>
    catalogue.send({
      path: path`/me/groups`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from('{}'),
      bearer: 'a-token-of-some-length',
    });
  await fc.assert(
    fc.asyncProperty(status, fc.array(header, { maxLength: 3 }), body, async (code, headers, text) => {
      said = say(code, headers, text);
      const outcome = await send();
      // It has left, and was answered.
      expect(outcome.outcome).not.toBe('not_sent');
      if (outcome.outcome === 'refused') expect(outcome.error.message).not.toBe('');
      const encoded = headers.some((one) => /^(content-encoding|transfer-encoding)/.test(one));
      const passed = code === 408 || code === 425 || code === 499;
      if (code < 400 || code > 499 || encoded || passed || !isEnvelope(text)) return;
      expect(outcome, said.slice(0, 2000)).toMatchObject({ outcome: 'refused', status: code });
    }),
    { numRuns: share(100, 1_000) },
  );
});

function isEnvelope(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return isRecord(parsed) && isRecord(parsed.error) && typeof parsed.error.code === 'string';
  } catch {
    return false;
  }
}
