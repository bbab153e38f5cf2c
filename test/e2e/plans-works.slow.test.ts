import { rm } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ListRootsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillFolder } from '../curation/folders.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { diesWhenClaimed } from '../support/die-when-claimed.ts';
import { answerOf, findWexmoor, outcome, planned } from '../support/plans.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: Household;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;
let env: Record<string, string>;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  env = { ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path };
  server = await startServer(env);
  await signInThrough(server, household);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const feed = z.object({ data: z.array(z.looseObject({ target: z.looseObject({ id: z.int() }) })) });
const film = z.looseObject({ id: z.int(), title: z.string(), releaseDate: z.string() });

/** The first collection in the feed that has films, with them. */
async function someCollection() {
  const page = await server.call('read_feed', { feed: 'assets', targetKind: 'collection', limit: 50 });
  const ids = new Set(answerOf(feed, page).data.map(({ target }) => target.id));
  const shape = z.object({ data: z.looseObject({ title: z.string(), movies: z.array(film) }) });
  for (const id of ids) {
    const read = await server.call('get_entity', { kind: 'collection', id, include: ['movies'] });
    const whole = shape.safeParse(read.structuredContent);
    if (whole.success && whole.data.data.movies.length > 1) return { id, ...whole.data.data };
  }
  throw new Error('The catalogue has no collection of films.');
}

const named = ({ title, releaseDate }: z.output<typeof film>) =>
  `${title.replace(/[/:?*"<>|\\]/g, '')} (${releaseDate.slice(0, 4)})`;
const portrait = (colour: number) => ({ colour, width: 680, height: 1020 });

/** Plans, and makes the Set of it. */
async function makeSet(args: Record<string, unknown>) {
  const { next, counts } = answerOf(planned, await server.call('plan_set', args));
  const made = await server.call('create_media_set', { ...next.arguments, dryRun: false });
  return { counts, next, made: answerOf(outcome, made) };
}

describe('plan_set', () => {
  it('plans a collection with its films, and one film alone', async () => {
    const collection = await someCollection();
    // A film that is called as its collection is asked about.
    const [one, two] = collection.movies.filter(({ title }) => title !== collection.title);
    if (one === undefined || two === undefined) throw new Error('Too few films.');
    const folder = path.join(pictures.path, 'films');
    await fillFolder(folder, {
      [`${named(one)}.png`]: portrait(1),
      [`${named(two)}/poster.png`]: portrait(2),
      [`${named(two)}/background.png`]: { colour: 3 },
      'A Film That Nobody Made (1999).png': portrait(4),
    });
    const whole = await makeSet({ folder, entryTargetKind: 'collection', entryTargetId: collection.id });
    expect(whole.counts).toMatchObject({ files: 4, matched: 3, unmatched: 1 });
    expect(whole.next.arguments).toMatchObject({
      entryTargetKind: 'collection',
      titleBase: collection.title,
    });
    expect(whole.made).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 3 } });

    const inner = pathToFileURL(path.join(folder, named(two))).href;
    const alone = await makeSet({
      folder: inner,
      entryTargetKind: 'movie',
      entryTargetId: two.id,
      languageCode: 'fr',
    });
    expect(alone.next.arguments).toMatchObject({
      entryTargetKind: 'movie',
      entryTargetId: two.id,
      languageCode: 'fr',
    });
    expect(alone.made).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 } });
  });

  it('goes on from kept bytes where a call died, whatever became of the folder since', async () => {
    const { showId } = await findWexmoor(server);
    const folder = path.join(pictures.path, 'killed');
    await fillFolder(folder, { 'S01E01.png': { colour: 11 }, 'S01E02.png': { colour: 12 } });
    const args = { folder, entryTargetKind: 'show', entryTargetId: showId };
    const { next } = answerOf(planned, await server.call('plan_set', args));
    const call = { ...next.arguments, dryRun: false, titleBase: 'Planned, killed, finished' };

    const doomed = await startServer({ ...env, ...diesWhenClaimed });
    await expect(doomed.call('create_media_set', call)).rejects.toThrow('Connection closed');
    await doomed.stop();

    await fillFolder(folder, { 'S01E01.png': { colour: 13 } });
    await rm(path.join(folder, 'S01E02.png'));
    const finished = answerOf(outcome, await server.call('create_media_set', call));
    expect(finished).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 } });
    const fresh = errorOf(
      await server.call('create_media_set', { ...call, clientMutationId: crypto.randomUUID() }),
    );
    expect(fresh).toMatchObject({ error: { category: 'upload_refused' }, next: { tool: 'plan_set' } });
  });

  it('reads folders that the host offers', async () => {
    const { showId } = await findWexmoor(server);
    const offered = await temporaryFolder();
    await fillFolder(offered.path, { 'S02E01.png': { colour: 21 } });
    const { ARTWORK_UPLOAD_ROOTS: _, ...without } = env;
    const host = await startServer(without, (client) => {
      client.registerCapabilities({ roots: {} });
      client.setRequestHandler(ListRootsRequestSchema, () => ({
        roots: [{ uri: pathToFileURL(offered.path).href, name: 'artwork' }, { uri: 'file://nas/share' }],
      }));
    });
    try {
      const args = { folder: offered.path, entryTargetKind: 'show', entryTargetId: showId };
      const { next, view } = answerOf(planned, await host.call('plan_set', args));
      const dry = answerOf(outcome, await host.call(next.tool ?? '', next.arguments));
      expect(dry.outcome).toBe('dry_run');
      const shown = await host.call('view_artwork', view[0]?.arguments);
      expect(shown.content.some(({ type }) => type === 'image')).toBe(true);
      const closed = await server.call('view_artwork', view[0]?.arguments);
      expect(JSON.stringify(closed.content)).toContain('upload_refused');
      // A path of this system can't name another machine: what to do instead is told where it matters.
      const other = await host.call('plan_set', { ...args, folder: path.join(offered.path, '..') });
      expect(errorOf(other).error.message).toContain(
        'The host offers file://nas/share, which names another machine: a person mounts it here',
      );
    } finally {
      await host.stop();
      await offered.remove();
    }
  });
});
