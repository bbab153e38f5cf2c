import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { hurried, registered, startConnected } from '../support/connected.ts';
import { describeJourney, follow, type Journey, writeJourneys } from '../support/follower.ts';
import { freePort } from '../support/free-port.ts';
import { startScriptedService } from '../support/scripted-service.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { argumentsOf, type MutationTool, mutationTools, toolFiles } from '../support/tool-files.ts';
import { Workshop } from '../support/workshop.ts';

let household: FailingHousehold;
let env: Record<string, string>;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
/** Knows the catalogue as its own, and starts it again when it is gone. */
let embedded: StartedServer;
/** Knows the same one as a service elsewhere. */
let remote: StartedServer;
let mutations: readonly MutationTool[];
const calls = new Map<string, Record<string, unknown>>();

beforeAll(async () => {
  [household, pictures] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path, ...hurried };
  embedded = await startConnected(household, env);
  const elsewhere = { ...env, ARTWORK_BASE_URL: household.baseUrl, ARTWORK_USER: 'elsewhere' };
  remote = await startConnected(household, elsewhere);
  mutations = mutationTools(embedded, pictures.path);
  const workshop = new Workshop(embedded, pictures.path);
  for (const tool of toolFiles) calls.set(tool.name, await argumentsOf(tool, workshop));
});

afterAll(async () => {
  await writeJourneys('follower-service');
  await embedded.stop();
  await remote.stop();
  await household.remove();
  await pictures.remove();
});

async function journey(
  host: StartedServer,
  tool: string,
  args = calls.get(tool),
  between: () => Promise<void> | void = () => {},
): Promise<Journey> {
  if (args === undefined) throw new Error(`No call of ${tool} is known.`);
  const found = await follow(host, { tool, arguments: args }, between);
  expect(found.end, describeJourney(found)).not.toBe('astray');
  return found;
}

const everyTool = toolFiles.map(({ name }) => name).filter((name) => name !== 'disconnect_account');

describe('whoever follows next when the catalogue is killed in the middle of a request', () => {
  const cases = [
    { name: 'upload_asset, add', when: 'received' },
    { name: 'upload_asset, add', when: 'after' },
    { name: 'edit_asset_metadata', when: 'after' },
    { name: 'create_group', when: 'after' },
    { name: 'edit_group', when: 'received' },
    { name: 'change_relationship', when: 'after' },
  ];
  it.each(cases)('ends: $name, $when', async ({ name, when }) => {
    const tool = mutations.find((one) => one.name === name);
    const prepared = await tool?.prepare();
    if (tool === undefined || prepared === undefined) throw new Error(`There is no ${name}.`);
    const { control } = household;
    await control.fail({ method: 'POST', ...prepared.post, do: 'silence', when, milliseconds: 20_000 });
    // The server would start one itself, which nobody could ask for its effects.
    let restart = () => {};
    const restarted = new Promise<void>((resolve) => {
      restart = resolve;
    });
    const going = journey(embedded, tool.tool, prepared.arguments, () => restarted);
    while ((await control.left(prepared.post.path)) > 0);
    while (when === 'after' && !(await control.effects()).some(prepared.made));
    await household.killCatalogue();
    await household.restartCatalogue();
    restart();
    const { steps, end } = await going;
    prepared.free?.();
    const made = (await control.effects()).filter(prepared.made).length;
    expect(steps[0]?.told.outcome).toBe('unresolved');
    const last = steps.findLast(({ told }) => told.outcome !== undefined)?.told.outcome;
    // What is created shows no identity, so nothing proves that it is this call's.
    if (tool.tool === 'create_group') expect([end, last, made]).toEqual(['person', 'unresolved', 1]);
    else if (when === 'after') expect([last, made]).toEqual(['succeeded', 1]);
    else expect([last, made]).toEqual(tool.tool === 'upload_asset' ? ['succeeded', 1] : ['unresolved', 0]);
  });
});

describe('whoever follows next when the service is gone', () => {
  beforeAll(() => household.killCatalogue());
  afterAll(() => household.restartCatalogue());

  it.each(everyTool)('ends: %s', async (tool) => {
    const { steps } = await journey(remote, tool);
    for (const { told } of steps) expect(told.outcome ?? 'not_sent').toBe('not_sent');
  });
});

describe('whoever follows next when the address is not the service’s', () => {
  const pages = [
    { name: 'a page for everything', status: 200, body: '<h1>Welcome</h1>' },
    { name: 'nothing anywhere', status: 404, body: '<h1>Nothing</h1>' },
    { name: 'an empty object for everything', status: 200, body: '{}' },
  ];
  describe.each(pages)('$name', ({ status, body }) => {
    let service: Awaited<ReturnType<typeof startScriptedService>>;
    let lost: StartedServer;
    beforeAll(async () => {
      service = await startScriptedService((_, response) => response.writeHead(status).end(body));
      const redirectUri = `http://127.0.0.1:${await freePort()}/callback`;
      lost = await startServer({
        ...env,
        ARTWORK_BASE_URL: service.baseUrl,
        ARTWORK_REDIRECT_URI: redirectUri,
      });
    });
    afterAll(async () => {
      await lost.stop();
      await service.close();
    });

    it.each(everyTool)('ends: %s', async (tool) => {
      await journey(lost, tool);
      expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
    });
  });
});
