import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { Effect, SeenRequest } from '../support/catalogue-control.ts';
import type { StartedServer } from '../support/client.ts';
import { hurried, registered, startConnected } from '../support/connected.ts';
import { describeJourney, follow, type Journey, writeJourneys } from '../support/follower.ts';
import type { Prepared } from '../support/tool-file.ts';
import { changes, type MutationTool, mutationTools } from '../support/tool-files.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { type Trouble, troubles } from '../support/troubles.ts';
import { Locks, onceOnly, Turns } from '../support/turns.ts';

const toolNames = changes.map(({ name }) => name);

interface Seen {
  readonly prepared: Prepared;
  readonly journey: Journey;
}

let household: FailingHousehold;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
const seen = new Map<string, Seen | Error>();
let effects: readonly Effect[];
let requests: readonly SeenRequest[];
const sharedPaths = new Set(changes.flatMap(({ sharedPath = [] }) => sharedPath));

/** So many calls at once: enough to keep two cores busy, few enough to keep a hurried clock's promises. */
const turns = new Turns(8);
/** Where nothing tells requests to a path apart, one case after the other has it. */
const locks = new Locks();

beforeAll(async () => {
  [household, pictures] = await Promise.all([
    startFailingHousehold(['--publication-lag', '0.5']),
    temporaryFolder(),
  ]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startConnected(household, { ...env, ...hurried });
  const tools = mutationTools(server, pictures.path, (path, work) => locks.of(path).with(work));
  // The slow ones first, so that the others run while they wait.
  const inOrder = troubles.toSorted((one, other) => Number(other.slow) - Number(one.slow));
  await Promise.all(
    inOrder.flatMap((trouble) =>
      tools.map(async (tool) => {
        const work =
          tool.sharedPath === null ? meet(tool, trouble) : meetAlone(tool, trouble, tool.sharedPath);
        const result = await work.catch((error: unknown) =>
          error instanceof Error ? error : new Error(String(error)),
        );
        seen.set(`${tool.name}: ${trouble.name}`, result);
      }),
    ),
  );
  [effects, requests] = await Promise.all([household.control.effects(), household.control.requests()]);
});

afterAll(async () => {
  await writeJourneys('follower-faults');
  await server.stop();
  await household.remove();
  await pictures.remove();
});

async function meet(tool: MutationTool, trouble: Trouble): Promise<Seen> {
  const giveBack = await turns.take();
  try {
    const prepared = await tool.prepare();
    await household.control.fail({ ...trouble.fault, method: 'POST', ...prepared.post });
    const going = follow(server, { tool: tool.tool, arguments: prepared.arguments }, ({ next }) => {
      if (next?.tool !== tool.tool) giveBack();
    });
    if (trouble.slow) giveBack();
    return { prepared, journey: await going };
  } finally {
    giveBack();
  }
}

async function meetAlone(tool: MutationTool, trouble: Trouble, path: string): Promise<Seen> {
  const { control } = household;
  const giveBack = await locks.of(path).take();
  const prepared = await tool.prepare();
  try {
    await mark(path, 'begin', prepared);
    await control.fail({ ...trouble.fault, method: 'POST', path });
    const release = onceOnly(async () => {
      while (trouble.slow && (await control.left(path)) > 0) await sleep(20);
      await mark(path, 'end', prepared);
      // What was not met by this case must not be met by the next.
      while ((await control.left(path)) > 0) await fetch(household.baseUrl + path, { method: 'POST' });
      giveBack();
    });
    const going = follow(server, { tool: tool.tool, arguments: prepared.arguments }, async ({ next }) => {
      if (next?.tool !== tool.tool) await release();
    });
    if (trouble.slow) await release();
    return { prepared, journey: await going };
  } finally {
    prepared.free?.();
    giveBack();
  }
}

/** Leaves a trace in the catalogue's log of requests, where nothing else tells one case's from another's. */
async function mark(path: string, edge: 'begin' | 'end', { arguments: args }: Prepared): Promise<void> {
  await fetch(`${household.baseUrl}${path}?${edge}=${args.clientMutationId}`);
}

/** A case's requests, in their order. */
function postsOf({ post, arguments: { clientMutationId } }: Prepared, sharedPath: boolean): SeenRequest[] {
  const edge = (name: string) =>
    requests.findIndex(({ path, query }) => path === post.path && query === `${name}=${clientMutationId}`);
  const [first, last] = sharedPath ? [edge('begin'), edge('end')] : [0, requests.length];
  const id = post.query?.clientMutationId;
  return requests
    .slice(first, last)
    .filter(
      ({ method, path, query }) =>
        method === 'POST' &&
        path === post.path &&
        (id === undefined || new URLSearchParams(query).get('clientMutationId') === id),
    );
}

/** Repetitions that nothing allows: only what was turned away, and an upload by its resume, is sent again. */
function sentTwice(posts: readonly SeenRequest[], { steps }: Journey): readonly SeenRequest[] {
  const resumes = steps.filter(({ tool }) => tool === 'resume_mutation').length;
  const repeated = posts.slice(0, -1).filter(({ status }) => ![401, 403, 429].includes(status ?? 0));
  return repeated.slice(resumes);
}

describe.each(toolNames)('%s: whoever only follows next', (tool) => {
  it.each(troubles)('ends after $name, having sent nothing twice', ({ name, lies }) => {
    const found = seen.get(`${tool}: ${name}`);
    if (found === undefined || found instanceof Error) throw found ?? new Error('It was not tried.');
    const { prepared, journey } = found;
    const words = describeJourney(journey);
    const posts = postsOf(prepared, sharedPaths.has(prepared.post.path));
    const made = effects.filter(prepared.made);
    expect(journey.end, words).not.toBe('astray');
    expect(posts.length, words).toBeGreaterThan(0);
    expect(sentTwice(posts, journey), words).toEqual([]);
    expect(made.length, words).toBeLessThanOrEqual(1);
    const { clientMutationId } = prepared.arguments;
    const last = journey.steps.findLast(({ told }) => told.clientMutationId === clientMutationId)?.told
      .outcome;
    if (last === 'succeeded') expect(made.length, words).toBe(1);
    if ((last === 'refused' || last === 'not_sent') && !lies) expect(made.length, words).toBe(0);
  });
});
