import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorOf, type StartedServer } from '../support/client.ts';
import { startSignedIn } from './answers/sign-in.ts';
import { startWholeService, type WholeService } from './answers/whole-service.ts';

let service: WholeService;
let server: StartedServer;

beforeAll(async () => {
  service = await startWholeService();
  server = await startSignedIn(service);
});
afterAll(async () => {
  await server.stop();
  await service.close();
});

it('the word to empty a group is for the Sets that its dry run has named, whatever the revision says', async () => {
  let sets = [{ id: 3, title: 'One' }];
  const group = () => ({ id: 21, kind: 'boxset', updatedAt: 'r1', title: 'Group', sets });
  service.spoil('GET owned group', () => JSON.stringify({ data: group() }));
  const edit = { groupId: 21, expectedUpdatedAt: 'r1', setIds: [] };
  const empty = (clientMutationId: string, dryRun = false) =>
    server.call('edit_group', { ...edit, clientMutationId, dryRun });
  const word = async () => {
    const dry = JSON.stringify(await empty(randomUUID(), true));
    return /has the clientMutationId ([0-9a-f-]{36})/.exec(dry)?.[1] ?? '';
  };
  const given = await word();
  sets = [...sets, { id: 4, title: 'Two' }];
  const { error } = errorOf(await empty(given));
  expect(error).toMatchObject({ code: 'removes_all_members', message: expect.stringContaining('Two') });
  expect(service.requests.filter(({ url, method }) => method === 'POST' && url === '/me/groups/21')).toEqual(
    [],
  );
  expect((await empty(await word())).structuredContent).toMatchObject({ outcome: 'succeeded' });
});

it.each([
  ['a list of Sets under another name', { sets: [] }, 'setIds'],
  ['Sets to take out', { changes: { removeSetIds: [3] } }, 'setIds'],
  ['the revision in another spelling', { ExpectedUpdatedAt: 'r0' }, 'expectedUpdatedAt'],
])('extra can not say %s', async (_what, extra, argument) => {
  const group = { id: 21, kind: 'boxset', updatedAt: 'r1', title: 'Group', sets: [{ id: 3, title: 'One' }] };
  service.spoil('GET owned group', () => JSON.stringify({ data: group }));
  const sent = service.requests.length;
  for (const dryRun of [true, false]) {
    const edit = { groupId: 21, expectedUpdatedAt: 'r1', title: 'Other', extra, dryRun };
    const { error } = errorOf(await server.call('edit_group', { clientMutationId: randomUUID(), ...edit }));
    expect(error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining(`another word for the argument ${argument}: give that one instead.`),
    });
  }
  expect(service.requests.slice(sent).filter(({ method }) => method === 'POST')).toEqual([]);
});
