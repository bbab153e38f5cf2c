import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillFolder } from '../curation/folders.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { answerOf, findWexmoor, planned, title } from '../support/plans.ts';
import { temporaryFolder } from '../support/temporary.ts';

let household: Household;
let server: StartedServer;
let pictures: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  [household, pictures] = await Promise.all([startHousehold(), temporaryFolder()]);
  server = await startServer({ ...(await registered(household)), ARTWORK_UPLOAD_ROOTS: pictures.path });
  await signInThrough(server, household);
});

afterAll(async () => {
  await server.stop();
  await household.remove();
  await pictures.remove();
});

const plan = async (args: Record<string, unknown>) => answerOf(planned, await server.call('plan_set', args));
const portrait = (colour: number) => ({ colour, width: 680, height: 1020 });

const madMax = { entryTargetKind: 'collection', entryTargetId: 9357 };
const withFilms = z.object({
  data: z.looseObject({
    title: z.string(),
    movies: z.array(z.looseObject({ id: z.int(), title: z.string() })),
  }),
});

describe('plan_set', () => {
  it('plans a collection that is called as its first film is, whatever the folder is called', async () => {
    const read = await server.call('get_entity', { kind: 'collection', id: 9357, include: ['movies'] });
    const { title: called, movies } = answerOf(withFilms, read).data;
    expect(called).toBe('Mad Max');
    const idOf = (film: string) => movies.find(({ title: own }) => own === film)?.id;
    for (const name of ['Mad Max', 'Mad Max Collection', 'Filme']) {
      const folder = path.join(pictures.path, name);
      await fillFolder(folder, {
        'poster.png': portrait(1),
        'Mad Max (1979).png': portrait(2),
        'Mad Max 2 (1981).png': portrait(3),
        'Mad Max Beyond Thunderdome (1985).png': portrait(4),
        'Mad Max Fury Road (2015)/poster.png': portrait(5),
        'Furiosa A Mad Max Saga (2024).png': portrait(6),
        'Mad Max (1990).png': portrait(7),
        'Mad Max - Backdrop.png': { colour: 8 },
      });
      const { counts, data } = await plan({ folder, ...madMax });
      expect(counts).toMatchObject({ files: 8, matched: 6, ambiguous: 2 });
      const targets = data.flatMap(({ status, file, target }) =>
        status === 'matched' ? [[file, target?.kind, target?.id]] : [],
      );
      expect(new Map(targets.map(([file, ...target]) => [file, target]))).toEqual(
        new Map([
          ['poster.png', ['collection', 9357]],
          ['Mad Max (1979).png', ['movie', idOf('Mad Max')]],
          ['Mad Max 2 (1981).png', ['movie', idOf('Mad Max 2')]],
          ['Mad Max Beyond Thunderdome (1985).png', ['movie', idOf('Mad Max Beyond Thunderdome')]],
          ['Mad Max Fury Road (2015)/poster.png', ['movie', idOf('Mad Max: Fury Road')]],
          ['Furiosa A Mad Max Saga (2024).png', ['movie', idOf('Furiosa: A Mad Max Saga')]],
        ]),
      );
      const asked = new Map(data.flatMap(({ file, ask }) => (ask === undefined ? [] : [[file, ask]])));
      expect(asked.get('Mad Max - Backdrop.png')).toBe(
        'Which one is Mad Max - Backdrop.png: backdrop of Mad Max (collection); backdrop of Mad Max (1979)?',
      );
      expect(asked.get('Mad Max (1990).png')).toContain('poster of Mad Max (1979)');
    }
  });

  it('asks one question about a short name of a show, and takes the answer for all its files', async () => {
    const { showId, episodes } = await findWexmoor(server);
    const folder = path.join(pictures.path, 'cards');
    await fillFolder(
      folder,
      Object.fromEntries(episodes.map(({ code }, at) => [`Wexmoor ${code}.png`, { colour: at }])),
    );
    const args = { folder, entryTargetKind: 'show', entryTargetId: showId, slot: 'titlecard', limit: 70 };
    const first = await plan(args);
    expect(first.counts).toMatchObject({ files: 62, matched: 0, ambiguous: 62 });
    const questions = first.data.flatMap(({ ask }) => ask ?? []);
    expect(questions).toHaveLength(1);
    const [question = ''] = questions;
    expect(question).toContain(`Is “Wexmoor”, as 62 files or their folders have it, this show: ${title}`);
    expect(question).toContain('alsoCalled ["Wexmoor"]');
    expect(first.next.tool).toBeUndefined();
    expect(first.next.why).toContain('alsoCalled');

    const second = await plan({ ...args, alsoCalled: ['Wexmoor'], limit: 10 });
    expect(second.counts).toMatchObject({ files: 62, matched: 62, missing: 0, sent: 62 });
    expect(second.next.why).not.toContain('see work');
    const cursor = second.nextCursor;
    const more = await plan({ ...args, alsoCalled: ['Wexmoor'], limit: 10, cursor });
    expect(more.planId).toBe(second.planId);

    // Whatever asks for a new plan repeats what was confirmed.
    await fillFolder(folder, { 'Wexmoor S01E01.png': { colour: 200 } });
    const changed = errorOf(await server.call(second.next.tool ?? '', second.next.arguments));
    expect(changed.next).toMatchObject({ tool: 'plan_set', arguments: { alsoCalled: ['Wexmoor'] } });
    const third = await plan(z.record(z.string(), z.unknown()).parse(changed.next?.arguments));
    expect(third.counts).toMatchObject({ matched: 62 });
  });

  it('says which word it took for artwork that has no slot', async () => {
    const { showId } = await findWexmoor(server);
    const folder = path.join(pictures.path, 'squares');
    await fillFolder(folder, { 'square S01E02.png': { colour: 1 }, 'Banners/S01E03.png': { colour: 2 } });
    const { data } = await plan({ folder, entryTargetKind: 'show', entryTargetId: showId });
    const why = new Map(data.map((entry) => [entry.file, entry.why]));
    expect(why.get('square S01E02.png')).toContain('no slot for here: “square”.');
    expect(why.get('Banners/S01E03.png')).toContain('no slot for here: “banners”.');
  });

  it('refuses a name that says nothing', async () => {
    const args = { folder: pictures.path, ...madMax, alsoCalled: ['Max', ' – '] };
    expect(errorOf(await server.call('plan_set', args))).toMatchObject({
      error: { category: 'invalid_arguments', issues: [{ path: ['alsoCalled', '1'] }] },
    });
  });
});
