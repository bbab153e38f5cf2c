import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { cp, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../support/temporary.ts';
import { join } from './artist.ts';
import { card } from './pictures.ts';
import { create, creationOf, keptFolders, keptRoot, placeOf, resume, untilSettled } from './show.ts';
import { openStudio } from './studio.ts';
import { told } from './told.ts';
import { revisionOf } from './wishes.ts';
import { wiretap } from './wiretap.ts';

const { studio } = await openStudio();
beforeEach(() => studio.forget());

const transfer = '/me/set-uploads/*/assets';

/** A Set of six whose making was ended by the program's end after three transfers. */
async function interrupted() {
  const wire = wiretap();
  const artist = await studio.artist({ ports: wire.ports });
  const args = await creationOf(artist, 6);
  studio.queue({ method: 'POST', path: transfer, skip: 3, count: 1_000, do: 'cut', when: 'before' });
  const creating = create(artist, args);
  const arrived = () =>
    wire.sent.filter(({ what, outcome }) => what !== 'admission' && outcome === 'applied');
  while (arrived().length < 3 || !wire.sent.some(({ outcome }) => outcome === 'unknown')) await sleep(10);
  await artist.mutations.close();
  expect(await creating).toMatchObject({ outcome: 'processing' });
  studio.forget();
  return { artist, wire, args };
}

describe('a submission that was interrupted', () => {
  it('is finished by another process: only what is lacking is sent', async () => {
    const { artist, args, wire } = await interrupted();
    expect(await keptFolders(artist)).not.toEqual([]);
    const later = wiretap();
    const other = await artist.another({ ports: later.ports });
    const status = await told(other.mutations.status(args.clientMutationId));
    expect(status).toMatchObject({
      outcome: 'processing',
      next: {
        tool: 'resume_mutation',
        arguments: { clientMutationId: args.clientMutationId, expectedUpdatedAt: 'none' },
      },
      result: { counts: { processing: 3, pending: 3 } },
    });
    expect(status.result?.items?.slice(0, 3).map((item) => item.status)).not.toContain('succeeded');
    const dry = await told(
      other.mutations.resume({
        clientMutationId: args.clientMutationId,
        expectedUpdatedAt: null,
        dryRun: true,
      }),
    );
    expect(dry.result?.requests).toMatchObject([
      { path: expect.stringMatching(/\/assets$/), leftOut: { transfers: 2 } },
      { path: expect.stringMatching(/\/complete$/) },
    ]);
    expect(later.sent).toEqual([]);
    expect(await resume(other, args)).toMatchObject({
      outcome: 'succeeded',
      result: { counts: { succeeded: 6 } },
    });
    const arrived = wire.sent.filter(({ outcome }) => outcome === 'applied').map(({ what }) => what);
    expect(later.sent.filter(({ what }) => arrived.includes(what) && what !== 'admission')).toEqual([]);
    expect(later.count('admission')).toBe(0);
    expect(later.sent).toHaveLength(4);
    expect(await keptFolders(artist)).toEqual([]);
    await other.leave();
  });

  it('is worked on by one of two that resume it at once', async () => {
    const { artist, args } = await interrupted();
    const wires = [0, 1].map(() =>
      wiretap(async (_, send) => {
        await sleep(100);
        return send();
      }),
    );
    const hosts = await Promise.all(wires.map(({ ports }) => artist.another({ ports })));
    // Both sign in before.
    for (const host of hosts) await told(host.mutations.status(crypto.randomUUID()));
    const answers = await Promise.all(hosts.map((host) => resume(host, args)));
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual(['processing', 'succeeded']);
    const loser = answers.find(({ outcome }) => outcome === 'processing');
    expect(loser?.next).toMatchObject({ tool: 'get_mutation_status' });
    expect(wires.map(({ sent }) => sent.length).sort()).toEqual([0, 4]);
    for (const host of hosts) {
      const { clientMutationId } = args;
      expect(await untilSettled(host, clientMutationId)).toMatchObject({ outcome: 'succeeded' });
      await host.leave();
    }
  });

  it('is finished from a copy of the data directory in another place, which knows what had ended', async () => {
    const { artist, args } = await interrupted();
    const ended = await creationOf(artist, 1);
    const plain = await artist.another();
    const made = await create(plain, ended);
    expect(made).toMatchObject({ outcome: 'succeeded' });
    await plain.leave();
    const place = await temporaryFolder();
    await cp(artist.home, place.path, { recursive: true });
    const later = wiretap();
    const { baseUrl } = studio.service;
    const restored = await join(place.path, { baseUrl, token: async () => 'token', ports: later.ports });
    const known = await told(restored.mutations.status(ended.clientMutationId));
    expect(known.result).toEqual(made.result);
    expect(later.sent).toEqual([]);
    expect(await resume(restored, args)).toMatchObject({ outcome: 'succeeded' });
    expect(later.count('admission')).toBe(0);
    await restored.leave();
    await place.remove();
  });

  it('says where its bytes are when they are not here', async () => {
    const { artist, args } = await interrupted();
    const elsewhere = await artist.another({
      ports: (ports) => ({
        ...ports,
        blobs: { ...ports.blobs, machine: 'another-machine', missing: async (_, files) => files },
      }),
    });
    const answer = await resume(elsewhere, args);
    expect(answer).toMatchObject({
      outcome: 'processing',
      code: 'upload_refused',
      message: expect.stringContaining(hostname()),
    });
    await elsewhere.leave();
    const home = await artist.another();
    expect(await resume(home, args)).toMatchObject({ outcome: 'succeeded' });
    await home.leave();
  });

  it('sends nothing of a kept copy that is damaged, and ends at a person', async () => {
    const { artist, args } = await interrupted();
    const root = keptRoot(artist);
    const copies = (await keptFolders(artist)).filter((name) => name.includes(path.sep));
    for (const name of copies) {
      const bytes = await readFile(path.join(root, name));
      await writeFile(path.join(root, name), bytes.fill(0, 60));
    }
    const other = await artist.another({ ports: wiretap().ports });
    const ends = [await resume(other, args)];
    for (; ends.at(-1)?.next?.tool === 'resume_mutation' && ends.length < 9; )
      ends.push(await resume(other, args));
    expect(ends.at(-1)).toMatchObject({ outcome: 'processing', code: 'upload_refused' });
    expect(ends.at(-1)?.next).toEqual({
      why: expect.stringMatching(/person.*damaged: .*\.png/),
      doNot: expect.any(String),
    });
    // Its admission and three files.
    expect(studio.effects(args.clientMutationId)).toHaveLength(4);
    await other.leave();
  });

  it('holds its places: another mutation there is a conflict', async () => {
    const plain = await studio.artist({ ports: wiretap().ports });
    const { service } = studio;
    const setId = service.plantSet('show_set', { kind: 'show', id: 7 });
    const expectedUpdatedAt = revisionOf(service, 'set', setId);
    const common = () => ({ clientMutationId: randomUUID(), expectedUpdatedAt, setId });
    const adding = async (episode: number) => ({
      ...{ operation: 'add' as const, ...placeOf(7, episode), file: await plain.file(await card()) },
    });
    const edit = async (episode: number, dryRun = false) => ({
      ...{ ...common(), setKind: 'media_set' as const, items: [await adding(episode)], dryRun },
    });
    const path = '/me/set-updates/*/assets';
    studio.queue({ method: 'POST', path, do: 'cut', when: 'before', count: 1_000 });
    const first = await edit(0);
    const begun = await told(plain.mutations.perform('edit_set', first, plain.within(5_000)));
    expect(begun.outcome).toBe('processing');
    const { clientMutationId } = first;
    const lease = {
      category: 'conflict',
      outcome: 'not_sent',
      next: { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt } },
    };
    expect(await told(plain.mutations.perform('edit_set', await edit(0)))).toMatchObject(lease);
    const single = { ...common(), ...(await adding(0)) };
    expect(await told(plain.mutations.perform('upload_asset', single))).toMatchObject(lease);
    const free = await told(plain.mutations.perform('edit_set', await edit(1, true)));
    expect(free.outcome).toBe('dry_run');
  });
});
