import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, startHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { read } from '../support/follower.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { argumentsOf, toolFiles } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';

let household: Household;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;
let workshop: Workshop;

beforeAll(async () => {
  [household, folder] = await Promise.all([startHousehold(), temporaryFolder()]);
  server = await startConnected(household, {
    ...(await registered(household)),
    ARTWORK_UPLOAD_ROOTS: folder.path,
    ARTWORK_DOWNLOAD_ROOT: folder.path,
  });
  workshop = new Workshop(server, folder.path);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await folder.remove();
});

// A sign-in that waits would be ended by a sign-out, and each other call needs the account.
const lasts = ['connect_account', 'disconnect_account'];
const inOrder = toolFiles.toSorted((one, other) => lasts.indexOf(one.name) - lasts.indexOf(other.name));

it('each tool has a file of its own in test/tools, and no file is of a tool that is not there', async () => {
  const offered = (await server.client.listTools()).tools.map(({ name }) => name);
  expect(toolFiles.map(({ name }) => name).toSorted()).toEqual(offered.toSorted());
});

it.each(inOrder)('$name succeeds through a real client', async (tool) => {
  const args = await argumentsOf(tool, workshop);
  const result = await server.call(tool.name, args);
  expect([tool.name, result.isError === true ? result.content : []]).toEqual([tool.name, []]);
  expect(read({ tool: tool.name, arguments: args }, result).error).toBeUndefined();
});
