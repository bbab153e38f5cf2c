import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonRecord } from '../../../src/catalogue/records/members.ts';
import { ArtworkError, type ErrorFacts } from '../../../src/errors.ts';
import type { Arguments } from '../../../src/mutations/operations/find-operation.ts';
import { picture } from '../../sandbox/me-pictures.ts';
import type { Artist } from '../artist.ts';
import { type Studio, startStudio } from '../studio.ts';
import { told } from '../told.ts';
import { plantShowOf, type Show } from './show.ts';
import { patient } from './until-settled.ts';
import { type Wiretap, wiretap } from './wiretap.ts';

let studio: Studio;
let artist: Artist;
let wire: Wiretap;
let show: Show;
let other: Show;
const reads: string[] = [];
let reachable = true;

beforeAll(async () => {
  studio = await startStudio();
  show = plantShowOf(studio, 12);
  other = plantShowOf(studio, 2);
});
afterAll(() => studio.close());
beforeEach(async () => {
  await studio.forget();
  reachable = true;
  reads.length = 0;
  wire = wiretap();
  artist = await studio.artist({
    ports: (ports) => ({
      ...wire.ports(ports),
      catalogue: {
        nameOf: ports.catalogue.nameOf,
        readEntity(kind, id, call) {
          reads.push(kind);
          if (!reachable) throw new ArtworkError('network', 'The catalogue can not be reached.');
          return ports.catalogue.readEntity(kind, id, call);
        },
      },
    }),
  });
});

const answerTo = (by: Artist, args: Arguments<'create_media_set'>) =>
  told(by.mutations.perform('create_media_set', args, patient));
const create = (args: Arguments<'create_media_set'>) => answerTo(artist, args);

/** The call with one of its files changed. */
async function misplaced(
  changes: Partial<Arguments<'create_media_set'>['declaredFiles'][number]>,
  cards = 3,
) {
  const args = await show.creation(artist, cards);
  return {
    ...args,
    declaredFiles: args.declaredFiles.map((file, index) => (index === 1 ? { ...file, ...changes } : file)),
  };
}

describe('the places of a Set', () => {
  it('are read with few requests', async () => {
    const args = await show.creation(artist, 12);
    expect(await create({ ...args, dryRun: true })).toMatchObject({ outcome: 'dry_run' });
    expect(reads.toSorted()).toEqual(['episode', 'season', 'show']);
  });

  it.each([true, false])(
    'must exist, and nothing is claimed where one does not (dry run: %s)',
    async (dryRun) => {
      const args = { ...(await misplaced({ targetId: 999_999_999 })), dryRun };
      expect(await create(args)).toMatchObject({
        category: 'invalid_arguments',
        outcome: 'not_sent',
        issues: [{ path: ['declaredFiles', '1', 'targetId'], message: 'there is no episode 999999999' }],
      });
      expect(wire.sent).toEqual([]);
      const { mutations } = await artist.mutations.list({ limit: 200 });
      expect(mutations.map((one) => one.clientMutationId)).not.toContain(args.clientMutationId);
    },
  );

  it('must belong to what the Set is for', async () => {
    const [targetId = 0] = other.episodes;
    expect(await create(await misplaced({ targetId }))).toMatchObject({
      category: 'invalid_arguments',
      message: expect.stringContaining(
        `(episode ${targetId}) does not belong to “Planted Show ${show.showId}”`,
      ),
    });
  });

  it('are those of something that exists', async () => {
    const args = await show.creation(artist, 1, { entryTargetId: 999_999_998 });
    expect(await create(args)).toMatchObject({
      category: 'invalid_arguments',
      issues: [{ path: ['entryTargetId'] }],
    });
  });

  it('can not be told without the catalogue: nothing is sent, and later the same call is made', async () => {
    const args = await show.creation(artist, 2);
    reachable = false;
    expect(await create(args)).toMatchObject({ category: 'network', outcome: 'not_sent' });
    expect(wire.sent).toEqual([]);
    reachable = true;
    expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
    // What was sent is looked up, whatever can be read.
    reachable = false;
    expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
    expect(wire.count('admission')).toBe(1);
  });

  it('of an edit must exist too', async () => {
    const { data } = await studio.catalogue
      .get(`/me/sets/${show.setId}`, await studio.catalogue.token(1))
      .then(({ body }) => body as { data: { updatedAt: string } });
    const file = (await show.creation(artist, 1)).declaredFiles[0]?.file ?? '';
    const edit = await told(
      artist.mutations.perform('edit_set', {
        clientMutationId: randomUUID(),
        expectedUpdatedAt: data.updatedAt,
        setId: show.setId,
        setKind: 'media_set',
        items: [{ operation: 'add', file, targetKind: 'movie', targetId: 999_999_997, slot: 'poster' }],
      }),
    );
    expect(edit).toMatchObject({
      category: 'invalid_arguments',
      outcome: 'not_sent',
      issues: [{ path: ['items', '0', 'targetId'] }],
    });
  });
});

describe('a file of a Set', () => {
  it('is an Asset already where it was saved, and is none where it failed', async () => {
    const upright = await artist.file(await picture(360, 640), 'upright.png');
    const args = await misplaced({ file: upright });
    const { outcome, result } = await create(args);
    expect(outcome).toBe('partial');
    const warned = await Promise.all(
      args.declaredFiles.map(async ({ file, targetKind, targetId, slot }) => {
        const guard = { clientMutationId: randomUUID(), expectedUpdatedAt: null, dryRun: true };
        const alone = { ...guard, operation: 'add', file, targetKind, targetId, slot } as const;
        const { warnings = [] } = await artist.mutations.perform('upload_asset', alone);
        return warnings.some(({ code }) => code === 'uploaded_before') ? targetId : null;
      }),
    );
    const saved = (result?.items ?? []).filter(({ status }) => status === 'succeeded');
    expect(saved).toHaveLength(2);
    expect(warned.filter((id) => id !== null).sort()).toEqual(saved.map(({ target }) => target.id).sort());
  });
});

describe('a second Set of the same work', () => {
  const warningsOf = async (args: Arguments<'create_media_set'>) =>
    (await create({ ...args, dryRun: true })).result?.warnings?.map(({ code }) => code) ?? [];
  const renamed = (args: Arguments<'create_media_set'>): Arguments<'create_media_set'> => ({
    ...args,
    clientMutationId: randomUUID(),
    titleBase: 'Another title',
  });

  it('is pointed out where its files were made a Set before', async () => {
    const args = await show.creation(artist, 2);
    expect(await create(args)).toMatchObject({ outcome: 'succeeded' });
    expect(await warningsOf(renamed(args))).toContain('same_set');
    // Other files of the same work are pointed out too, and those of another work are not.
    const codes = await warningsOf(await show.creation(artist, 2));
    expect(codes).toContain('earlier_set');
    expect(codes).not.toContain('same_set');
    expect(await warningsOf(await other.creation(artist, 2))).not.toContain('earlier_set');
  });

  /** The same account an hour later. @param shown what the service shows of each Set */
  const anHourLater = (shown: (record: JsonRecord) => JsonRecord = (record) => record) =>
    artist.another({
      ports: (ports) => ({
        ...wire.ports(ports),
        clock: { ...ports.clock, now: () => ports.clock.now() + 3_600_000 },
        owned: { ...ports.owned, readSet: async (id, call) => shown(await ports.owned.readSet(id, call)) },
      }),
    });

  it('is refused at any time where its title is the same too, until the first one is gone', async () => {
    const args = { ...(await show.creation(artist, 2)), titleBase: 'Caf\u00e9 cards' };
    const { result: made } = await create(args);
    expect(made?.outcome).toBe('succeeded');
    let shown = (record: JsonRecord): JsonRecord => record;
    const later = await anHourLater((record) => shown(record));
    const again = (titleBase = args.titleBase) => ({ ...args, titleBase, clientMutationId: randomUUID() });
    for (const dryRun of [true, false]) {
      const told = await answerTo(later, { ...again(), dryRun });
      expect(told).toMatchObject({
        category: 'conflict',
        outcome: 'not_sent',
        message: expect.stringMatching(new RegExp(`Set ${made?.id?.id} .*another title`)),
        next: { tool: 'get_mutation_status', arguments: { clientMutationId: args.clientMutationId } },
      });
    }
    for (const alike of ['Cafe\u0301 cards', ' Caf\u00e9  cards ']) {
      expect(await answerTo(later, again(alike))).toMatchObject({
        category: 'conflict',
        outcome: 'not_sent',
      });
    }
    const notThere = (facts: ErrorFacts) => () => {
      throw new ArtworkError('not_found', 'Nothing is there.', { status: 404, ...facts });
    };
    // Something on the way may say so of anything.
    shown = notThere({});
    expect(await answerTo(later, again())).toMatchObject({ category: 'not_found' });
    shown = () => {
      throw new ArtworkError('forbidden', 'It may not be read.', { status: 403 });
    };
    expect(await answerTo(later, again())).toMatchObject({ category: 'forbidden' });
    expect(wire.count('admission')).toBe(1);
    shown = (record) => ({ ...record, title: 'Renamed', titleBase: 'Renamed' });
    expect((await answerTo(later, { ...again(), dryRun: true })).result?.outcome).toBe('dry_run');
    shown = (record) => record;
    const renamedSet = await answerTo(later, again('Another title'));
    expect(renamedSet.result?.warnings).toContainEqual({
      code: 'same_set',
      message: expect.not.stringContaining('would'),
    });
    shown = notThere({ code: 'set.notFound' });
    expect((await answerTo(later, again())).outcome).toBe('succeeded');
    await later.leave();
  });

  it('has all its files pointed out that were sent before, however often others were since then', async () => {
    const { declaredFiles, ...rest } = await show.creation(artist, 2);
    const [first, second] = declaredFiles;
    const later = await anHourLater();
    const setOf = (titleBase: string, files: typeof declaredFiles) => ({
      ...rest,
      titleBase,
      declaredFiles: files,
      clientMutationId: randomUUID(),
    });
    for (const [title, file] of [
      ['Old', second],
      ['A', first],
      ['B', first],
    ] as const) {
      if (file === undefined) throw new TypeError('There are two files.');
      expect((await answerTo(later, setOf(title, [file]))).outcome).toBe('succeeded');
    }
    const { result } = await answerTo(later, { ...setOf('Both', declaredFiles), dryRun: true });
    const told = result?.warnings?.find(({ code }) => code === 'uploaded_before')?.message ?? '';
    expect(told.match(/ became Asset /g)).toHaveLength(2);
    await later.leave();
  });

  it('is a conflict while the first one is not finished, whatever its title; another one is warned of', async () => {
    const files = '/me/set-uploads/{submissionId}/assets';
    const body = { error: { code: 'test.forbidden', message: 'No', details: {}, issues: [] } };
    await studio.queue({
      method: 'POST',
      path: files,
      do: 'answer',
      when: 'before',
      status: 403,
      body,
      count: 20,
    });
    const args = await show.creation(artist, 2);
    const { outcome } = await create(args);
    expect(['processing', 'unresolved']).toContain(outcome);
    expect(await create(renamed(args))).toMatchObject({
      category: 'conflict',
      outcome: 'not_sent',
      next: { tool: 'resume_mutation', arguments: { clientMutationId: args.clientMutationId } },
    });
    expect(await warningsOf(await show.creation(artist, 1))).toContain('unfinished_set');
    await studio.forget();
    const resumed = artist.mutations.resume({
      clientMutationId: args.clientMutationId,
      expectedUpdatedAt: null,
    });
    expect((await told(resumed)).outcome).toBe('succeeded');
  });
});
