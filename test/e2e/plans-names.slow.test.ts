import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fillFolder } from '../curation/folders.ts';
import { type Household, startHousehold } from '../support/account.ts';
import { errorOf, type StartedServer, startServer } from '../support/client.ts';
import { registered, signInThrough } from '../support/connected.ts';
import { answerOf, findShow, findWexmoor, outcome, planned, title } from '../support/plans.ts';
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
        'Which one is “Mad Max - Backdrop.png”: backdrop of “Mad Max (collection)”; backdrop of “Mad Max (1979)”?',
      );
      expect(asked.get('Mad Max (1990).png')).toContain('poster of “Mad Max (1979)');
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
    expect(question).toContain(`Is “Wexmoor”, as 62 files or their folders have it, this show: “${title}`);
    expect(question).toContain('alsoCalled ["Wexmoor"]');
    expect(first.next.tool).toBeUndefined();
    expect(first.next.why).toContain('alsoCalled');

    const second = await plan({ ...args, alsoCalled: ['Wexmoor'], limit: 10 });
    expect(second.counts).toMatchObject({ files: 62, matched: 62, missing: 0, toSend: 62 });
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
    await fillFolder(folder, { 'square S01E02.png': { colour: 1 }, 'Screenshots/S01E03.png': { colour: 2 } });
    const { data } = await plan({ folder, entryTargetKind: 'show', entryTargetId: showId });
    const why = new Map(data.map((entry) => [entry.file, entry.why]));
    expect(why.get('square S01E02.png')).toContain('no slot for here: “square”.');
    expect(why.get('Screenshots/S01E03.png')).toContain('no slot for here: “screenshots”.');
  });

  it('asks about a picture that lies otherwise than its place, and takes no film for an episode', async () => {
    const { showId, episodes } = await findShow(server, 'Firefly');
    const folder = path.join(pictures.path, 'proportions');
    const upright = (colour: number) => ({ colour, width: 1000, height: 1500 });
    await fillFolder(folder, {
      'Serenity (2005).png': upright(1),
      'Serenity.png': upright(2),
      'Firefly 1x02.png': upright(3),
      'Firefly 1x03.png': { colour: 4 },
      'Firefly - Poster.png': { colour: 5 },
    });
    const args = { folder, entryTargetKind: 'show', entryTargetId: showId };
    for (const more of [{}, { slot: 'titlecard' }]) {
      const { data } = await plan({ ...args, ...more });
      const entryOf = (name: string) => data.find(({ file }) => file === name);
      expect(entryOf('Serenity (2005).png')).toMatchObject({ status: 'unmatched' });
      expect(entryOf('Firefly 1x03.png')).toMatchObject({ status: 'matched' });
      for (const [name, at] of [
        ['Serenity.png', 0],
        ['Firefly 1x02.png', 1],
      ] as const) {
        expect(entryOf(name)).toMatchObject({
          status: 'ambiguous',
          why: expect.stringContaining('proportions'),
          ask: expect.stringContaining(name),
          candidates: [{ targetKind: 'episode', targetId: episodes[at]?.id, slot: 'titlecard' }],
          warnings: [
            { code: 'unusual_ratio', message: expect.stringContaining('1000×1500') },
            expect.anything(),
          ],
        });
      }
    }
    const { data } = await plan(args);
    expect(data.find(({ file }) => file === 'Firefly - Poster.png')).toMatchObject({
      status: 'ambiguous',
      candidates: [{ targetKind: 'show', targetId: showId, slot: 'poster' }],
    });
  });

  it('reads past what file managers call copies, and nothing into what devices call pictures', async () => {
    const { showId, episodes } = await findShow(server, 'Firefly');
    const folder = path.join(pictures.path, 'typed');
    const idOf = (code: string) => episodes.find((one) => one.code === code)?.id;
    const copies = {
      'Copy of Firefly 1x03.png': 'S01E03',
      'Kopie von Firefly - S01E04.png': 'S01E04',
      'Copie de Firefly S01E05.png': 'S01E05',
      'copia de S01E06.png': 'S01E06',
      'Firefly S01E07 - Copy (2).png': 'S01E07',
      'S01E08 (1).png': 'S01E08',
    };
    const squares = { 'Firefly square.png': 'show', 'Firefly S01 square.png': 'show' };
    const devices = [
      'IMG_2034.png',
      'DSC_0034.png',
      'PXL_20260102_101112345.png',
      'Screenshot 2026-01-02 at 10.11.12.png',
      'WhatsApp Image 2026-01-02 at 10.11.12.png',
      'photo_2026-01-02_10-11-12.png',
      'c2a14bf0-5d0e-4f39-8a57-93e7b6d20c11.png',
      'Scan 3.png',
      'Season 1/IMG_0003.png',
    ];
    const names = [...Object.keys(copies), ...devices];
    await fillFolder(folder, {
      ...Object.fromEntries(names.map((name, at) => [name, { colour: at }])),
      ...Object.fromEntries(
        Object.keys(squares).map((name, at) => [name, { colour: 100 + at, width: 1000, height: 1000 }]),
      ),
    });
    const { data } = await plan({ folder, entryTargetKind: 'show', entryTargetId: showId, limit: 100 });
    const entryOf = (name: string) => data.find(({ file }) => file === name);
    for (const [name, code] of Object.entries(copies)) {
      expect({ name, ...entryOf(name) }).toMatchObject({
        name,
        status: 'matched',
        target: { id: idOf(code) },
      });
    }
    const square = { targetKind: 'show', targetId: showId, slot: 'squareArt' };
    expect(entryOf('Firefly square.png')).toMatchObject({ status: 'matched', slot: 'squareArt' });
    expect(entryOf('Firefly S01 square.png')).toMatchObject({ status: 'ambiguous', candidates: [square] });
    for (const name of devices) {
      expect({ name, ...entryOf(name) }).toMatchObject({
        name,
        status: 'unmatched',
        why: expect.stringContaining('does not say what it is for'),
      });
    }
  });

  it('does not ask again for an edit what was answered for the Set', async () => {
    const { showId, episodes } = await findWexmoor(server);
    const folder = path.join(pictures.path, 'answered');
    const [first, second, third] = episodes;
    await fillFolder(folder, {
      [`The Doors ${first?.code}.png`]: { colour: 1 },
      [`The Doors ${second?.code}.png`]: { colour: 2 },
      'The Doors 003.png': { colour: 3 },
    });
    const args = { folder, entryTargetKind: 'show', entryTargetId: showId, slot: 'titlecard' };
    expect((await plan(args)).counts).toMatchObject({ matched: 0, ambiguous: 3 });
    const told = await plan({ ...args, alsoCalled: ['The Doors'] });
    expect(told.counts).toMatchObject({ matched: 2, ambiguous: 1 });
    const answer = {
      file: 'The Doors 003.png',
      targetKind: 'episode',
      targetId: third?.id,
      slot: 'titlecard',
    };
    const created = answerOf(
      outcome,
      await server.call('create_media_set', {
        ...told.next.arguments,
        dryRun: false,
        declaredFiles: [answer],
      }),
    );
    expect(created).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 3 } });
    // Another Set of the same work is another matter.
    expect((await plan(args)).counts).toMatchObject({ matched: 0, ambiguous: 3 });

    await fillFolder(folder, { [`The Doors ${second?.code}.png`]: { colour: 4 } });
    const edit = await plan({ ...args, setId: created.receipt?.setId });
    expect(edit).toMatchObject({
      counts: { ambiguous: 0, unchanged: 2, replace: 1, toSend: 1 },
      work: { alsoCalled: ['The Doors'] },
    });
    // Whatever is given is all that counts.
    const other = await plan({ ...args, setId: created.receipt?.setId, alsoCalled: ['Doors of Wexmoor'] });
    expect(other.counts).toMatchObject({ toSend: 0 });
    const anew = await plan({ ...args, setId: created.receipt?.setId });
    // Nothing was made of that plan, so it confirms nothing.
    expect(anew.work).toMatchObject({ alsoCalled: ['The Doors'] });
  });

  it('refuses a name that says nothing', async () => {
    const args = { folder: pictures.path, ...madMax, alsoCalled: ['Max', ' – '] };
    expect(errorOf(await server.call('plan_set', args))).toMatchObject({
      error: { category: 'invalid_arguments', issues: [{ path: ['alsoCalled', '1'] }] },
    });
  });
});
