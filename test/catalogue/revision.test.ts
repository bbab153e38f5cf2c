import { expect, test } from 'vitest';
import { revisionOf, serviceRevision } from '../../src/catalogue/records/owned.ts';
import { ownedAt } from './owned-access.ts';
import { serve } from './scripted-server.ts';

const digest = /^sha256:[0-9a-f]{64}$/;

async function revisionRead(body: string) {
  const server = await serve((_request, response) => void response.writeHead(200).end(body));
  return revisionOf(await ownedAt(server.origin).readSet(1));
}

test.each([
  '2026-03-04T05:06:07.123456Z',
  '2026-03-04T05:06:07.123456+00:00',
  ' 2026-03-04 ',
  'W/"17"',
  'é',
  'e\u0301',
])('updatedAt is kept to the byte: %j', async (updatedAt) => {
  const revision = await revisionRead(JSON.stringify({ data: { id: 1, updatedAt } }));
  expect(Buffer.from(revision)).toEqual(Buffer.from(updatedAt));
  expect(serviceRevision(revision)).toBe(updatedAt);
});

test('a record without one has a digest, which is never sent', async () => {
  const bare = await revisionRead('{"data":{"id":1,"title":"A"}}');
  expect(bare).toMatch(digest);
  expect(serviceRevision(bare)).toBeNull();
  expect(serviceRevision('')).toBeNull();
  for (const none of ['null', '""', '17', '{}']) {
    expect(await revisionRead(`{"data":{"id":1,"title":"A","updatedAt":${none}}}`)).toMatch(digest);
  }
});
