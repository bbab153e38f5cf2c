import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { manners, startSpoken } from '../support/eras.ts';
import { inEachRequest, type RawServer, startRawServer } from '../support/raw-server.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { argumentsOf, toolFiles } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';

// Hosts of 2026-07-28 are asked for their folders by an answer, after which they call once more.

let household: FailingHousehold;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;
let signedIn: StartedServer;
let workshop: Workshop;
let host: RawServer;
let id = 0;

beforeAll(async () => {
  [household, folder] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), HOME: folder.path };
  signedIn = await startConnected(household, { ...env, ARTWORK_UPLOAD_ROOTS: folder.path });
  workshop = new Workshop(signedIn, folder.path);
  host = await startRawServer(env);
});

afterAll(async () => {
  host.process.stdin.end();
  await host.exit();
  await host.remove();
  await signedIn.stop();
  await household.remove();
  await folder.remove();
});

async function newUpload(): Promise<Record<string, unknown>> {
  const tool = toolFiles.find(({ name }) => name === 'upload_asset');
  if (tool === undefined) throw new Error('There is no upload_asset.');
  return argumentsOf(tool, workshop);
}

async function call(name: string, args: object, capabilities: object, more: object = {}) {
  id += 1;
  const params = { name, arguments: args, ...inEachRequest(capabilities), ...more };
  host.send({ id, method: 'tools/call', params });
  const { result } = await host.answer(id);
  return z.looseObject({ resultType: z.string() }).parse(result);
}

const roots = { roots: {} };
const told = () => ({ inputResponses: { roots: { roots: [{ uri: pathToFileURL(folder.path).href }] } } });
const done = { resultType: 'complete', structuredContent: { outcome: 'succeeded' } };
const refused = { resultType: 'complete', isError: true };

it('asks before anything is done, does it once it is told, and does nothing twice', async () => {
  const args = await newUpload();
  const [effects, requests] = await Promise.all([household.control.effects(), household.control.requests()]);
  for (let time = 0; time < 2; time++) {
    expect(await call('upload_asset', args, roots)).toEqual({
      resultType: 'input_required',
      inputRequests: { roots: { method: 'roots/list' } },
      _meta: expect.anything(),
    });
  }
  expect(await household.control.requests()).toEqual(requests);
  const known = await call('get_mutation_status', { clientMutationId: args.clientMutationId }, roots);
  expect(JSON.stringify(known)).toContain('not_found');

  const first = await call('upload_asset', args, roots, told());
  expect(first).toMatchObject(done);
  expect(await household.control.effects()).toHaveLength(effects.length + 1);
  const second = await call('upload_asset', args, roots, told());
  expect(second).toMatchObject(done);
  expect(second.structuredContent).toMatchObject({ receipt: Object(first.structuredContent).receipt });
  expect(await household.control.effects()).toHaveLength(effects.length + 1);
});

it('asks no host that declares none, and takes no folder from it', async () => {
  const args = await newUpload();
  expect(await call('upload_asset', args, {})).toMatchObject(refused);
  expect(await call('upload_asset', args, {}, told())).toMatchObject(refused);
});

it('does not ask again where a host has called once more without its folders', async () => {
  const args = await newUpload();
  for (const inputResponses of [{}, { other: {} }, { roots: {} }, { roots: { roots: [5, null] } }])
    expect(await call('upload_asset', args, roots, { inputResponses })).toMatchObject(refused);
});

it('asks for no call that reads no file, or that is refused whatever the folders are', async () => {
  expect(await call('new_mutation_ids', { count: 1 }, roots)).toMatchObject({ resultType: 'complete' });
  expect(await call('upload_asset', { file: 5 }, roots)).toMatchObject(refused);
});

it.each(manners)('%s uploads from a folder that it offers', async (manner) => {
  const spoken = await startSpoken(manner, { env, roots: [pathToFileURL(folder.path).href] });
  try {
    expect(await spoken.call('upload_asset', await newUpload())).toMatchObject({
      structuredContent: done.structuredContent,
    });
  } finally {
    await spoken.stop();
  }
});
