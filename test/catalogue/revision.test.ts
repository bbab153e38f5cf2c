import fc from 'fast-check';
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

test('the digest is of what the record says, not of how it is written', async () => {
  const revision = await revisionRead('{"data":{"id":1,"title":"A","tags":[1,{"a":1,"b":2}],"n":10}}');
  const same = ' {"data": {"n":1e1, "tags":[1.0,{"b":2,"a":1}],"title":"\\u0041","id":1}, "meta":{"x":1}}';
  expect(await revisionRead(same)).toBe(revision);
  for (const other of [
    '{"data":{"id":1,"title":"B","tags":[1,{"a":1,"b":2}],"n":10}}',
    '{"data":{"id":1,"title":"A","tags":[{"a":1,"b":2},1],"n":10}}',
    '{"data":{"id":1,"title":"A","tags":[1,{"a":1,"b":2}],"n":"10"}}',
    '{"data":{"id":1,"title":"A","tags":[1,{"a":1,"b":2}],"n":10,"new":null}}',
    '{"data":{"id":1,"title":"A","tags":[1,{"a":1,"b":2}],"n":10,"updatedAt":3}}',
    '{"data":{"id":1,"title":"A","tags":[1,{"a":1,"b":2}],"n":10,"updatedAt":4}}',
  ]) {
    expect(await revisionRead(other)).not.toBe(revision);
  }
});

test('two revisions that are numbers differ', async () => {
  const one = await revisionRead('{"data":{"id":1,"updatedAt":3}}');
  expect(await revisionRead('{"data":{"id":1,"updatedAt":4}}')).not.toBe(one);
});

test('records have the same digest exactly when they are equal as JSON', () => {
  const json = fc.jsonValue({ maxDepth: 3 });
  const record = fc.dictionary(
    fc.string().filter((name) => name !== 'updatedAt' && name !== '__proto__'),
    json,
  );
  const shuffled = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, shuffled(member)]),
    );
  };
  const digestOf = (value: unknown) => revisionOf(JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(record, record, (one, other) => {
      expect(digestOf(shuffled(one))).toBe(digestOf(one));
      const equal = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      expect(digestOf(one) === digestOf(other)).toBe(equal);
    }),
    { numRuns: 1000 },
  );
});

/** As a list of pairs, so that no order of members is left to chance. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return ['list', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.keys(value).sort();
  return ['record', ...names.map((name) => [name, sorted(Reflect.get(value, name))])];
}
