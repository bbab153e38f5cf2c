import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer } from '../support/client.ts';
import { registered, startConnected } from '../support/connected.ts';
import { temporaryFolder } from '../support/temporary.ts';
import type { Call } from '../support/tool-file.ts';
import { changes, submissions, toolFiles } from '../support/tool-files.ts';
import { writePoster } from '../support/unique-pictures.ts';
import { Workshop } from '../support/workshop.ts';

const uses = [...changes, ...submissions];

let household: Household;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let workshop: Workshop;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  const env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startConnected(household, env);
  workshop = new Workshop(server, pictures.path);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const schema = z.looseObject({
  required: z.array(z.string()).default([]),
  properties: z.record(z.string(), z.unknown()),
});

/** Without an id a call leads to another, which can be made. */
async function leadsToAnId(tool: string, args: Record<string, unknown>, to: Call): Promise<void> {
  for (const rest of [args, { ...args, expectedUpdatedAt: 'r1' }]) {
    const { error, next } = errorOf(await server.call(tool, rest));
    expect(error).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining('clientMutationId is missing'),
    });
    expect(next).toMatchObject(to);
    expect((await server.call(to.tool, to.arguments)).isError).toBeUndefined();
  }
}

async function withoutRevision(tool: string, args: Record<string, unknown>) {
  const told = errorOf(await server.call(tool, args));
  expect(told.error.message).toContain('expectedUpdatedAt is missing');
  expect(JSON.stringify(told.error.issues)).toBe(
    '[{"code":"missing","message":"is missing","path":["expectedUpdatedAt"]}]',
  );
  return told;
}

describe('the tools that change something', () => {
  it('require both guards, or say in their file why not', async () => {
    const { tools } = await server.client.listTools();
    expect(toolFiles.map(({ name }) => name).sort()).toEqual(tools.map(({ name }) => name).sort());
    for (const { name, inputSchema, annotations } of tools) {
      const { required } = schema.parse(inputSchema);
      const isGuarded = required.includes('clientMutationId') && required.includes('expectedUpdatedAt');
      const { unguarded } = toolFiles.find((tool) => tool.name === name) ?? {};
      const isFree = unguarded !== undefined || annotations?.readOnlyHint === true;
      expect([name, isFree]).toEqual([name, !isGuarded]);
      const isTried = name === 'resume_mutation' || uses.some(({ tool }) => tool === name);
      expect([name, isTried]).toEqual([name, isGuarded]);
    }
  });

  it.each(uses)('$name without its guards leads to what it lacks', async ({ tool, revision, prepare }) => {
    const prepared = await prepare(workshop);
    const { clientMutationId, expectedUpdatedAt: _, ...args } = prepared.arguments;
    expect(prepared.read === null).toBe(revision === 'none');
    await leadsToAnId(tool, args, { tool: 'new_mutation_ids', arguments: { count: 1 } });
    const { error, next } = await withoutRevision(tool, { ...args, clientMutationId });
    expect(error.message).toContain(prepared.read?.tool ?? '"none"');
    expect(next).toMatchObject(
      prepared.read ?? { tool, arguments: { ...args, clientMutationId, expectedUpdatedAt: 'none' } },
    );
    prepared.free?.();
  });

  it('resume_mutation without its guards leads to what is open', async () => {
    await leadsToAnId('resume_mutation', {}, { tool: 'list_mutations', arguments: { state: 'open' } });
    const clientMutationId = randomUUID();
    const { error, next } = await withoutRevision('resume_mutation', { clientMutationId });
    expect(error.message).toContain('first call');
    expect(next).toMatchObject({ tool: 'get_mutation_status', arguments: { clientMutationId } });
  });

  it('say of an argument what was given, what is right, and what was perhaps meant, once', async () => {
    const wrong = {
      clientMutationId: 'mine',
      expectedUpdatedAt: 'none',
      kind: 'box-sett',
      titel: 'A title',
      setIds: ['12', 'x'],
    };
    const { error, next } = errorOf(await server.call('create_group', wrong));
    const message = String(error.message);
    expect(message).toContain('clientMutationId can\'t be "mine"');
    expect(message).toContain(
      'kind can\'t be "box-sett" (did you mean "boxset"?): give one of "boxset", "loadout"',
    );
    expect(message).toContain('titel is no argument (did you mean title?)');
    expect(message).toContain('title is missing: give text of 1 to 500 characters');
    expect(message).toContain('setIds.1 can\'t be "x": give a whole number');
    expect(message).not.toMatch(/setIds\.0|Invalid input|received/);
    for (const word of ['box-sett', 'titel is no', '"mine"']) expect(message.split(word)).toHaveLength(2);
    expect(JSON.stringify(error.issues)).not.toContain('did you mean');
    // What the name of a Set stands for is looked for first.
    expect(next).toMatchObject({ tool: 'find_upload_destinations', arguments: { q: 'x' } });
  });

  it('take the digits of an id for the id', async () => {
    const args = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: 'none',
      kind: 'boxset',
      title: 'Of digits',
    };
    const made = await server.call('create_group', { ...args, setIds: [] });
    const { id } = z
      .looseObject({ receipt: z.looseObject({ id: z.int() }) })
      .parse(made.structuredContent).receipt;
    const read = await server.call('get_owned', { type: 'group', id: String(id) });
    const { updatedAt } = z.looseObject({ updatedAt: z.string() }).parse(read.structuredContent);
    const edit = { clientMutationId: randomUUID(), expectedUpdatedAt: updatedAt, title: 'Of an edit' };
    const edited = await server.call('edit_group', { ...edit, groupId: String(id) });
    expect(edited.structuredContent).toMatchObject({ outcome: 'succeeded' });
    // The number is the same intent.
    const again = await server.call('edit_group', { ...edit, groupId: id });
    expect(again.structuredContent).toMatchObject({ outcome: 'succeeded' });
  });

  it('take "none" and null for one intent, of a repeat and of a resume too', async () => {
    const made = { clientMutationId: randomUUID(), kind: 'boxset', title: `Boxset ${randomUUID()}` };
    const answers = [];
    for (const expectedUpdatedAt of ['none', null, 'none']) {
      answers.push((await server.call('create_group', { ...made, expectedUpdatedAt })).structuredContent);
    }
    expect(answers[0]).toMatchObject({ outcome: 'succeeded' });
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
    const { clientMutationId } = made;
    for (const expectedUpdatedAt of ['none', null]) {
      const resumed = await server.call('resume_mutation', { clientMutationId, expectedUpdatedAt });
      expect(resumed.structuredContent).toMatchObject({ outcome: 'succeeded' });
    }
    const other = errorOf(
      await server.call('resume_mutation', { clientMutationId, expectedUpdatedAt: 'r1' }),
    );
    expect(other).toMatchObject({
      error: { category: 'stale_revision' },
      next: { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt: 'none' } },
    });
  });
});

describe('every schema', () => {
  it('holds no union, since some hosts drop it with all that is in it', async () => {
    const { tools } = await server.client.listTools();
    const text = JSON.stringify(
      tools.map(({ inputSchema, outputSchema }) => ({ inputSchema, outputSchema })),
    );
    expect(text).not.toMatch(/"(anyOf|oneOf|allOf)"/);
    expect(text).toContain('["string","null"]');
  });
});

describe('an Asset that is changed with the revision of its Set', () => {
  const own = z.object({
    updatedAt: z.string(),
    data: z.looseObject({
      assets: z.array(
        z.looseObject({
          id: z.string(),
          slot: z.string(),
          updatedAt: z.string(),
          target: z.object({ kind: z.string(), id: z.int() }),
        }),
      ),
    }),
  });
  const readSet = async (id: number) =>
    own.parse((await server.call('get_owned', { type: 'set', id })).structuredContent);
  const edit = (asset: { id: string; updatedAt: string }, languageCode: string) =>
    server.call('edit_asset_metadata', {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: asset.updatedAt,
      assetId: asset.id,
      languageCode,
    });

  /** A Set of two Assets, which another change has moved to a revision of its own. */
  async function setWithPoster() {
    const { id: setId } = await workshop.ownSet();
    const { data } = await readSet(setId);
    const poster = data.assets.find(({ slot }) => slot === 'poster');
    const other = data.assets.find(({ slot }) => slot !== 'poster');
    if (poster === undefined || other === undefined) throw new Error('The Set lacks a picture.');
    expect((await edit(other, 'de')).isError).toBeUndefined();
    const { updatedAt } = await readSet(setId);
    const replacement = {
      clientMutationId: randomUUID(),
      expectedUpdatedAt: updatedAt,
      operation: 'replace',
      previousAssetId: poster.id,
      slot: 'poster',
      setId,
      targetKind: poster.target.kind,
      targetId: poster.target.id,
      file: await writePoster(pictures.path),
    };
    return { setId, poster, replacement };
  }

  it('is told so, with the call that has its own', async () => {
    const { setId, poster, replacement } = await setWithPoster();
    for (const dryRun of [true, false]) {
      const { error, next } = errorOf(await server.call('upload_asset', { ...replacement, dryRun }));
      expect(error).toMatchObject({
        category: 'stale_revision',
        message: expect.stringContaining(`What was given is the revision of the Set ${setId}`),
      });
      const { dryRun: _, ...call } = { dryRun, ...replacement, expectedUpdatedAt: poster.updatedAt };
      expect(next).toMatchObject({ tool: 'upload_asset', arguments: dryRun ? { ...call, dryRun } : call });
    }
    const { next } = errorOf(await server.call('upload_asset', replacement));
    const { arguments: args } = z.looseObject({ arguments: z.looseObject({}) }).parse(next);
    expect((await server.call('upload_asset', args)).structuredContent).toMatchObject({
      outcome: 'succeeded',
    });
  });

  it('gets no ready call if the Asset was changed after the Set was read', async () => {
    const { setId, poster, replacement } = await setWithPoster();
    expect((await edit(poster, 'fr')).isError).toBeUndefined();
    const { error, next } = errorOf(await server.call('upload_asset', replacement));
    expect(error.message).toContain(`the revision of the Set ${setId}`);
    expect(next).toMatchObject({ tool: 'get_owned', arguments: { type: 'asset', id: poster.id } });
  });
});
