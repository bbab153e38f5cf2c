import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import type { Effect, SeenRequest } from '../support/catalogue-control.ts';
import type { StartedServer } from '../support/client.ts';
import { hurried, registered, startConnected } from '../support/connected.ts';
import { describeJourney, follow, type Journey, writeJourneys } from '../support/follower.ts';
import type { Prepared, Where } from '../support/tool-file.ts';
import { changes, type MutationTool, mutationTools } from '../support/tool-files.ts';
import { temporaryFolder } from '../support/temporary.ts';
import { readTroubles, type Trouble } from '../support/troubles.ts';
import { Locks, Turns } from '../support/turns.ts';

/** Those whose guard reads something that is theirs alone. */
const guarded = changes
  .filter(({ revision, sharedPath }) => revision === 'read' && sharedPath === undefined)
  .map(({ name }) => name);
/** One of each way in which the service is asked what became of something. */
const lookedUp = [
  'upload_asset, add',
  'edit_asset_metadata',
  'create_group',
  'edit_group',
  'assign_grouping_assets',
];

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
const turns = new Turns(8);
const locks = new Locks();
/** More tries than any journey makes. */
const always = 200;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startConnected(household, { ...env, ...hurried });
  const tools = mutationTools(server, pictures.path, (path, work) => locks.of(path).with(work));
  const named = (names: readonly string[]) => tools.filter(({ name }) => names.includes(name));
  await Promise.all(
    readTroubles.flatMap((trouble) => [
      ...named(lookedUp).map((tool) =>
        note(`lookup ${tool.name}: ${trouble.name}`, afterDoubt(tool, trouble)),
      ),
      ...named(guarded).map((tool) =>
        note(`guard ${tool.name}: ${trouble.name}`, beforeClaim(tool, trouble)),
      ),
    ]),
  );
  [effects, requests] = await Promise.all([household.control.effects(), household.control.requests()]);
});

afterAll(async () => {
  await writeJourneys('follower-reads');
  await server.stop();
  await household.remove();
  await pictures.remove();
});

async function note(name: string, work: Promise<Seen>): Promise<void> {
  seen.set(
    name,
    await work.catch((error: unknown) => (error instanceof Error ? error : new Error(String(error)))),
  );
}

function found(name: string): Seen {
  const one = seen.get(name);
  if (one === undefined || one instanceof Error) throw one ?? new Error('It was not tried.');
  return one;
}

function lasting(where: Where | null, { fault }: Trouble, skip: number) {
  if (where === null) throw new Error('There is nothing to read.');
  return { ...fault, ...where, method: 'GET', skip, count: always } as const;
}

/** What the guard reads can't be read. */
async function beforeClaim(tool: MutationTool, trouble: Trouble): Promise<Seen> {
  return turns.with(async () => {
    const prepared = await tool.prepare();
    await household.control.fail(lasting(prepared.guard, trouble, 0));
    return { prepared, journey: await follow(server, { tool: tool.tool, arguments: prepared.arguments }) };
  });
}

/** The request is lost, and what would tell of its fate can't be read. */
async function afterDoubt(tool: MutationTool, trouble: Trouble): Promise<Seen> {
  const giveTurn = await turns.take();
  const givePath = tool.sharedPath === null ? giveTurn : await locks.of(tool.sharedPath).take();
  const giveBack = () => {
    giveTurn();
    givePath();
  };
  try {
    const prepared = await tool.prepare();
    const { lookup, guard, post } = prepared;
    // What is read before the request is sent is read well.
    const readsFirst = tool.tool === 'upload_asset' || lookup?.path === guard?.path;
    const skip = tool.sharedPath !== null || readsFirst ? 1 : 0;
    await household.control.fail(
      { method: 'POST', ...post, do: 'cut', when: 'before' },
      lasting(lookup, trouble, skip),
    );
    const journey = await follow(server, { tool: tool.tool, arguments: prepared.arguments }, giveBack);
    return { prepared, journey };
  } finally {
    giveBack();
  }
}

function postsTo({ path, query }: Where): SeenRequest[] {
  const id = query?.clientMutationId;
  return requests.filter(
    (one) =>
      one.method === 'POST' &&
      one.path === path &&
      (id === undefined || new URLSearchParams(one.query).get('clientMutationId') === id),
  );
}

describe.each(guarded)('%s: what is read before it can’t be read', (tool) => {
  it.each(readTroubles)('$name: nothing is sent, and next ends', ({ name }) => {
    const { prepared, journey } = found(`guard ${tool}: ${name}`);
    const words = describeJourney(journey);
    expect(journey.end, words).not.toBe('astray');
    expect(postsTo(prepared.post), words).toEqual([]);
    // A call that sends a file answers before it knows, if a read takes longer than a call may.
    const heard = journey.steps.find(({ told }) => told.outcome !== 'processing');
    expect(heard?.told, words).toMatchObject({ error: {}, outcome: 'not_sent' });
  });
});

describe.each(lookedUp)('%s: what became of it can’t be read', (tool) => {
  it.each(readTroubles)('$name: nothing is sent twice, and next ends', ({ name }) => {
    const { prepared, journey } = found(`lookup ${tool}: ${name}`);
    const words = describeJourney(journey);
    expect(journey.end, words).not.toBe('astray');
    // On a busy machine the first call may answer before it knows.
    expect(
      journey.steps.map(({ told }) => told.outcome),
      words,
    ).toContain('unresolved');
    expect(effects.filter(prepared.made).length, words).toBeLessThanOrEqual(1);
    const resumes = journey.steps.filter((step) => step.tool === 'resume_mutation').length;
    if (tool !== 'create_group')
      expect(postsTo(prepared.post).length, words).toBeLessThanOrEqual(1 + resumes);
    else expect(effects.filter(prepared.made), words).toEqual([]);
  });
});
