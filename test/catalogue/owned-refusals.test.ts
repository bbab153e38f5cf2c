import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { missingScopes, type NeededScopes, protectedError } from '../../src/catalogue/authorization.ts';
import { path } from '../../src/catalogue/call.ts';
import { deadlineIn } from '../../src/deadline.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { Log } from '../../src/log.ts';
import { handOut, ownedAt, tokenOf } from './owned-access.ts';
import { catalogueAt, json, serve } from './scripted-server.ts';

const refuse = (code: string, message = 'No.', more: object = {}) => ({ error: { code, message, ...more } });

describe('401', () => {
  test('gives the token up once, and reads with the next one', async () => {
    const access = handOut();
    const server = await serve((request, response) =>
      request.headers.authorization === `Bearer ${tokenOf(1)}`
        ? json(response, 401, refuse('token_expired'))
        : json(response, 200, { data: { id: 1 } }),
    );
    const owned = ownedAt(server.origin, access);
    expect(await owned.readSet(1)).toEqual({ id: 1 });
    expect(access.asked).toEqual(['bearer', 'rejected 0']);
    expect(server.headers.map(({ authorization }) => authorization)).toEqual([
      `Bearer ${tokenOf(1)}`,
      `Bearer ${tokenOf(2)}`,
    ]);
  });

  test('a second time ends it', async () => {
    const access = handOut({ tokens: [1, 2, 3].map(tokenOf) });
    const server = await serve((_request, response) => json(response, 401, refuse('token_expired')));
    await expect(ownedAt(server.origin, access).readSet(1)).rejects.toMatchObject({
      category: 'reconnect_required',
      code: 'token_expired',
      status: 401,
      next: { tool: 'connect_account', arguments: {} },
    });
    expect(server.seen).toHaveLength(2);
    expect(access.asked).toEqual(['bearer', 'rejected 0']);
  });

  test('without another token ends in the reason for that', async () => {
    const then = new ArtworkError('reconnect_required', 'The connection has ended.', {
      next: { why: 'Sign in.' },
    });
    const server = await serve((_request, response) => json(response, 401, refuse('token_expired')));
    const owned = ownedAt(server.origin, handOut({ tokens: [tokenOf(1)], then }));
    await expect(owned.readSet(1)).rejects.toBe(then);
    expect(server.seen).toHaveLength(1);
  });

  test('by a gateway that says nothing more is a 401 too', async () => {
    const access = handOut();
    const server = await serve((_request, response) => void response.writeHead(401).end('<html>'));
    await expect(ownedAt(server.origin, access).findAssetUpload('a')).rejects.toMatchObject({
      category: 'reconnect_required',
    });
    expect(access.asked).toEqual(['bearer', 'rejected 0']);
  });

  test('where the next token was granted less, nothing more is sent', async () => {
    const first = handOut();
    const less = handOut({ scopes: ['openid'], tokens: [tokenOf(2)] });
    const access = {
      bearer: first.bearer,
      rejected: (_: unknown, signal: AbortSignal) => less.bearer(signal),
    };
    const server = await serve((_request, response) => json(response, 401, refuse('token_expired')));
    await expect(ownedAt(server.origin, access).readSet(1)).rejects.toMatchObject({
      category: 'scope_missing',
    });
    expect(server.seen).toHaveLength(1);
  });
});

describe('403', () => {
  test('with every needed scope granted is somebody else’s', async () => {
    const server = await serve((_request, response) =>
      json(response, 403, refuse('set.not_owned', 'Not\u202e yours.', { details: { setId: 1 } })),
    );
    await expect(ownedAt(server.origin).readSet(1)).rejects.toMatchObject({
      category: 'forbidden',
      code: 'set.not_owned',
      status: 403,
      message: expect.stringContaining('Not yours'),
      details: { setId: 1 },
    });
  });

  const denied = new ArtworkError('forbidden', 'No.', { status: 403, code: 'insufficient_scope' });
  const cases: readonly (readonly [NeededScopes, string[], string[]])[] = [
    [{ allOf: ['sets:write'] }, [], ['sets:write']],
    [{ allOf: ['groups:write', 'assets:write'] }, ['assets:write'], ['groups:write']],
    [{ allOf: ['groups:write', 'assets:write'] }, ['openid'], ['groups:write', 'assets:write']],
    [{ anyOf: ['assets:write', 'assets:replace'] }, ['sets:write'], ['assets:write']],
    [{ anyOf: ['assets:write', 'assets:replace'] }, ['assets:replace'], []],
    [{ allOf: ['sets:write'] }, ['sets:write', 'unheard:of'], []],
  ];
  test.each(cases)('%j with %j lacks %j', (needed, granted, missing) => {
    expect(missingScopes(needed, granted)).toEqual(missing);
    const error = protectedError(denied, needed, { scopes: granted });
    if (missing.length === 0) {
      expect(error).toMatchObject({ category: 'forbidden', code: 'insufficient_scope', status: 403 });
      // Only words: no call makes it one's own.
      expect(error.next).toEqual({ why: expect.stringContaining('another account’s') });
      return;
    }
    expect(error).toMatchObject({
      category: 'scope_missing',
      code: 'insufficient_scope',
      status: 403,
      next: { tool: 'connect_account', arguments: { scopes: [...granted, ...missing] } },
    });
    for (const scope of missing) expect(error.message).toContain(scope);
  });

  test('is not called another account’s where the service did not say what it granted', () => {
    const scopes = ['openid', 'sets:write'];
    const error = protectedError(denied, { allOf: ['sets:write'] }, { scopes, scopesUntold: true });
    expect(error).toMatchObject({
      category: 'scope_missing',
      status: 403,
      next: { tool: 'connect_account', arguments: { scopes } },
    });
    expect(error.message).toContain('sets:write is missing, or');
  });

  test('every alternative is named', () => {
    const error = protectedError(denied, { anyOf: ['assets:write', 'assets:replace'] }, { scopes: [] });
    expect(error.message).toContain('assets:write or assets:replace');
  });
});

test.each([
  [400, 'invalid_arguments'],
  [404, 'not_found'],
  [409, 'conflict'],
  [410, 'snapshot_expired'],
  [413, 'upload_refused'],
  [422, 'invalid_arguments'],
  [429, 'rate_limited'],
  [500, 'service_unavailable'],
])('%i is %s, with the code, the details and the issues', async (status, category) => {
  const issues = [{ code: 'odd', message: 'Odd\u0000.', path: ['items', 0, 'slot'] }];
  const details = { maxBytes: 5, text: 'a\u2066b' };
  const server = await serve((_request, response) =>
    json(response, status, refuse('its.own_code', 'It said so.', { details, issues })),
  );
  await expect(ownedAt(server.origin).readSet(1)).rejects.toMatchObject({
    category,
    code: 'its.own_code',
    status,
    message: expect.stringContaining('It said so'),
    details: { maxBytes: 5, text: 'ab' },
    issues: [{ code: 'odd', message: 'Odd.', path: ['items', '0', 'slot'] }],
  });
});

describe('the access token shows nowhere', () => {
  const echoes: readonly (readonly [string, number, (token: string) => unknown])[] = [
    ['a refusal', 401, (token) => refuse('bad_token', `${token} has expired`, { details: { token } })],
    ['a refused scope', 403, (token) => refuse(token, 'No.', { issues: [{ code: token, path: [token] }] })],
    ['an error', 500, (token) => refuse('broken', encodeURIComponent(token))],
    ['a record', 200, (token) => ({ data: { id: 1, updatedAt: 'r', seenHeader: `Bearer ${token}` } })],
  ];
  test.each(echoes)('when %s quotes it', async (_what, status, body) => {
    const lines: string[] = [];
    const keep = (line: string) => lines.push(line);
    const log: Log = { error: keep, warn: keep, info: keep, debug: keep };
    const server = await serve((request, response) => {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
      // Some writers of JSON escape slashes.
      const text = JSON.stringify(body(token)).replaceAll('/', status === 401 ? '\\/' : '/');
      response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    });
    const owned = ownedAt(server.origin, handOut(), { log });
    const outcome = await owned.readSet(1).catch((error: unknown) => error);
    const shown = `${inspect(outcome, { depth: 20, showHidden: true })}${JSON.stringify(outcome)}${lines}`;
    expect(shown).toContain('[secret]');
    expect(shown).not.toContain('canary');
    expect(shown).not.toContain('0123456789abcdef');
  });

  test.each(echoes)('when %s that answers a mutation quotes it', async (_what, status, body) => {
    const server = await serve((request, response) => {
      const token = request.headers.authorization?.slice('Bearer '.length) ?? '';
      json(response, status, body(token));
    });
    const outcome = await catalogueAt(server.origin).send({
      path: path`/me/assets`,
      headers: {},
      body: Buffer.from('x'),
      bearer: tokenOf(1),
    });
    const shown = `${inspect(outcome, { depth: 20, showHidden: true })}${JSON.stringify(outcome)}`;
    expect(shown).toContain('[secret]');
    expect(shown).not.toContain('canary');
  });

  test('when the name of a member quotes it', async () => {
    const server = await serve((_request, response) =>
      response.writeHead(200).end(String.raw`{"data":{"id":1,"abcd\u002defgh-1234":"x"}}`),
    );
    const access = handOut({ tokens: ['abcd-efgh-1234'] });
    expect(await ownedAt(server.origin, access).readSet(1)).toEqual({ id: 1, member2: 'x' });
  });

  test('when the content type of what is no JSON quotes it', async () => {
    const server = await serve((_request, response) =>
      response
        .writeHead(200, { 'content-type': `text/html; of="${tokenOf(1)}"` })
        .end(`<p>${tokenOf(1)}</p>`),
    );
    const error = await ownedAt(server.origin)
      .readSet(1)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: expect.stringContaining('content type text/html; of="[secret]"'),
    });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('canary');
  });

  test('when it is as long as a header can carry', async () => {
    const token = 'Ab0-_.'.repeat(2_000);
    const server = await serve((_request, response) =>
      json(response, 200, { data: { id: 1, seen: `Bearer ${encodeURIComponent(`${token}=`)}` } }),
    );
    const access = handOut({ tokens: [`${token}=`] });
    expect(await ownedAt(server.origin, access).readSet(1)).toEqual({ id: 1, seen: 'Bearer [secret]' });
  });

  test('when no header can carry it', async () => {
    const server = await serve((_request, response) => json(response, 200, { data: { id: 1 } }));
    const access = handOut({ tokens: ['canary\r\nx-injected: 1'] });
    const outcome = await ownedAt(server.origin, access)
      .readSet(1)
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ category: 'reconnect_required' });
    expect(inspect(outcome, { depth: 20, showHidden: true })).not.toContain('canary');
    expect(server.seen).toEqual([]);
  });

  test('when the connection breaks', async () => {
    const server = await serve((request) => void request.socket.destroy());
    const outcome = await ownedAt(server.origin)
      .readSet(1, deadlineIn(500))
      .catch((error: unknown) => error);
    expect(outcome).toMatchObject({ category: 'network' });
    expect(inspect(outcome, { depth: 20, showHidden: true })).not.toContain('canary');
  });
});
