import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { missingScopes, type NeededScopes, protectedError } from '../../src/catalogue/authorization.ts';
import { ArtworkError } from '../../src/errors.ts';
import type { Log } from '../../src/log.ts';
import { handOut, ownedAt, tokenOf } from './owned-access.ts';
import { json, serve } from './scripted-server.ts';

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
});
