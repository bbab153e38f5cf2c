import { randomUUID } from 'node:crypto';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type FailingHousehold, startFailingHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { hurried, registered, startConnected } from '../support/connected.ts';
import type { Prepared } from '../support/tool-file.ts';
import { mutationTools, submissionTools } from '../support/tool-files.ts';
import { share } from '../support/share.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: FailingHousehold;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let server: StartedServer;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startFailingHousehold(), temporaryFolder()]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path, ...hurried };
  server = await startConnected(household, env);
});
beforeEach(() => household.control.heal());
afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const leading = z.looseObject({ tool: z.string().optional(), why: z.string() });
const told = z.looseObject({ outcome: z.string(), clientMutationId: z.string(), next: leading.optional() });

/** What a result says, of whichever kind it is. */
function tell(result: CallToolResult): z.infer<typeof told> {
  return told.parse(result.isError === true ? errorOf(result) : result.structuredContent);
}

async function prepare(name: string): Promise<{ tool: string; prepared: Prepared }> {
  const tool = mutationTools(server, pictures.path).find((one) => one.name === name);
  if (tool === undefined) throw new Error(`There is no ${name}.`);
  return { tool: tool.tool, prepared: await tool.prepare() };
}

const uploadName = () => {
  const upload = mutationTools(server, pictures.path).find(({ tool }) => tool === 'upload_asset');
  if (upload === undefined) throw new Error('Nothing is uploaded.');
  return upload.name;
};

const again = 1_000_000;
const slowDown = { error: { code: 'slow_down', message: 'Not now.', details: {}, issues: [] } };

const [days, ...others] = [
  ['34 days', '3000000'],
  ['twenty digits', '9'.repeat(20)],
  ['more digits than a number has', '9'.repeat(400)],
  ['the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT'],
] as const;

describe.each(share([days], [days, ...others]))('Retry-After of %s', (_what, retryAfter) => {
  const refuse = { status: 429, when: 'before', headers: { 'retry-after': retryAfter }, body: slowDown };

  it('ends a submission as processing, without a second request, and it can be resumed', async () => {
    const [create] = submissionTools(server, pictures.path);
    if (create === undefined) throw new Error('There is no submission.');
    const { arguments: args, posts } = await create.prepare();
    const { path } = posts.completion;
    await household.control.fail({ method: 'POST', path, do: 'answer', count: again, ...refuse });
    const first = tell(await server.call(create.name, args));
    expect(first).toMatchObject({
      outcome: 'processing',
      error: { code: 'slow_down', message: expect.stringMatching(/left alone until \d{4}-/) },
      next: { tool: 'resume_mutation', why: expect.stringMatching(/left alone until \d{4}-/) },
    });
    expect(await household.control.left(path)).toBe(again - 1);
    await household.control.heal();
    const { clientMutationId, expectedUpdatedAt } = args;
    const resumed = await server.call('resume_mutation', { clientMutationId, expectedUpdatedAt });
    expect(tell(resumed)).toMatchObject({ outcome: 'succeeded', clientMutationId });
  });

  it('leaves a refused upload refused, and the same call may be made again', async () => {
    const { tool, prepared } = await prepare(uploadName());
    await household.control.fail({ method: 'POST', ...prepared.post, do: 'answer', ...refuse });
    const { clientMutationId } = prepared.arguments;
    const refused = await server.call(tool, prepared.arguments);
    expect(errorOf(refused).error).toMatchObject({ category: 'rate_limited', code: 'slow_down' });
    expect(tell(refused)).toMatchObject({ outcome: 'refused', clientMutationId });
    expect(tell(await server.call(tool, prepared.arguments))).toMatchObject({ outcome: 'succeeded' });
  });

  it('ends a read, which says until when', async () => {
    await household.control.fail({ method: 'GET', path: '/me/relationships', do: 'answer', ...refuse });
    const { error, next } = errorOf(await server.call('list_relationships'));
    expect(error).toMatchObject({ category: 'rate_limited', details: { retryAt: expect.any(String) } });
    expect(next).toMatchObject({ why: expect.stringMatching(/left alone until \d{4}-/) });
    expect(await household.control.left('/me/relationships')).toBe(0);
  });
});

/** What a person never writes, and a broken service may send. */
const long = 'm\u202eé\u001b[31m '.repeat(7000);
const half = long.slice(0, 6000);
const longError = {
  code: `set.${half}`,
  message: long,
  details: {
    maxBytes: 5,
    [half]: half,
    why: long,
    all: Array.from({ length: 3000 }, () => long.slice(0, 9)),
  },
  issues: Array.from({ length: 6 }, () => ({ code: half, message: half, path: [half, 'items'] })),
};

describe('60 KB where the document shows a word', () => {
  it('in a receipt: the call, and every later one about it, says how it ended', async () => {
    const { tool, prepared } = await prepare(uploadName());
    const assetId = randomUUID();
    const body = {
      data: {
        assetId,
        updatedAt: long,
        publicationStatus: long,
        filename: long,
        asset: { id: assetId, updatedAt: long, [half]: half },
        more: { half, [half]: 1 },
      },
    };
    await household.control.fail({ method: 'POST', ...prepared.post, do: 'answer', status: 201, body });
    const { clientMutationId } = prepared.arguments;
    const settled = { outcome: 'succeeded', clientMutationId, receipt: { assetId } };
    const first = tell(await server.call(tool, prepared.arguments));
    expect(first).toMatchObject(settled);
    // A part of a revision is another one.
    expect(first).not.toHaveProperty('updatedAt');
    for (const call of [
      () => server.call(tool, prepared.arguments),
      () => server.call('get_mutation_status', { clientMutationId }),
      () => server.call('resume_mutation', { clientMutationId, expectedUpdatedAt: null }),
    ]) {
      expect(tell(await call())).toMatchObject(settled);
    }
    const listed = await server.call('list_mutations', { state: 'succeeded' });
    expect(JSON.stringify(listed.structuredContent)).toContain(clientMutationId);
  });

  it('in a refusal: it is refused, and stays so', async () => {
    const { tool, prepared } = await prepare(uploadName());
    const body = { error: longError };
    await household.control.fail({
      method: 'POST',
      ...prepared.post,
      do: 'answer',
      when: 'before',
      status: 422,
      body,
    });
    const { clientMutationId } = prepared.arguments;
    for (const call of [
      () => server.call(tool, prepared.arguments),
      () => server.call('get_mutation_status', { clientMutationId }),
    ]) {
      const result = await call();
      expect(tell(result)).toMatchObject({
        outcome: 'refused',
        clientMutationId,
        next: { why: expect.any(String) },
      });
      expect(errorOf(result).error).toMatchObject({ category: 'invalid_arguments', status: 422 });
    }
  });

  it('in what a lookup shows: it is failed, with what there is room for', async () => {
    const { tool, prepared } = await prepare(uploadName());
    const { clientMutationId } = prepared.arguments;
    const body = {
      data: {
        processingStatus: 'failed',
        publicationStatus: half,
        error: { ...longError, issues: [] },
        [half]: half,
      },
    };
    const lookup = `/me/asset-uploads/${clientMutationId}`;
    await household.control.fail(
      {
        method: 'POST',
        ...prepared.post,
        do: 'answer',
        when: 'before',
        status: 202,
        body: { data: { processingStatus: long } },
      },
      { method: 'GET', path: lookup, do: 'answer', when: 'before', status: 200, count: again, body },
    );
    expect(tell(await server.call(tool, prepared.arguments))).toMatchObject({
      outcome: 'failed',
      clientMutationId,
    });
    const status = tell(await server.call('get_mutation_status', { clientMutationId }));
    expect(status).toMatchObject({ outcome: 'failed', error: { details: { maxBytes: 5 } } });
  });

  it('in a submission: it says how it stands, and goes on', async () => {
    const [create] = submissionTools(server, pictures.path);
    if (create === undefined) throw new Error('There is no submission.');
    const { arguments: args, posts } = await create.prepare();
    const body = {
      data: {
        outcome: long,
        updatedAt: half,
        error: { ...longError, issues: [] },
        items: [{ itemId: half, status: half }],
      },
    };
    await household.control.fail({
      method: 'POST',
      path: posts.completion.path,
      do: 'answer',
      status: 200,
      body,
    });
    const { clientMutationId } = args;
    let last = tell(await server.call(create.name, args));
    for (let asked = 0; last.outcome === 'processing' && asked < 10; asked += 1) {
      last = tell(await server.call('get_mutation_status', { clientMutationId }));
    }
    expect(last).toMatchObject({ outcome: 'succeeded', clientMutationId });
  });

  it('in a record: its revision is ours, and changes with it', async () => {
    const where = { method: 'GET', path: '/me/sets/77', do: 'answer', when: 'before', status: 200 } as const;
    const revisions = new Set<string>();
    for (const updatedAt of [`${half}1`, `${half}2`]) {
      await household.control.fail({ ...where, body: { data: { id: 77, updatedAt } } });
      const { structuredContent } = await server.call('get_owned', { type: 'set', id: 77 });
      const read = z.looseObject({ updatedAt: z.string().regex(/^sha256:[0-9a-f]{64}$/) });
      revisions.add(read.parse(structuredContent).updatedAt);
    }
    expect(revisions.size).toBe(2);
  });
});
