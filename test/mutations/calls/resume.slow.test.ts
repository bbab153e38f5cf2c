import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { identifyProcess } from '../../../src/storage/lease.ts';
import { openLedger } from '../../../src/ledger/open-ledger.ts';
import type { MutationPorts } from '../../../src/mutations/ports.ts';
import { openStorage } from '../../../src/storage/open.ts';
import { poster } from '../../sandbox/me-pictures.ts';
import { indexOf } from '../../support/ledger-index.ts';
import { gate } from '../gate.ts';
import { openStudio } from '../studio.ts';
import { told } from '../told.ts';
import { guardedOf, type Wish } from '../wishes.ts';

const { studio, artist, prepare } = await openStudio();

/** A mutation that was lost on its way. */
const lost = async (name: string): Promise<Wish> => {
  const wish = await prepare(name);
  await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'before' });
  expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('unresolved');
  return wish;
};

describe('resuming', () => {
  it.each(['an upload', 'an upload into a Set', 'a group’s poster', 'a replacement'])(
    'sends %s again under its first identity, once the lookup goes on saying 404',
    async (name) => {
      const wish = await lost(name);
      const guarded = guardedOf(wish);
      expect(await told(artist.mutations.resume({ ...guarded, dryRun: true }))).toMatchObject({
        outcome: 'dry_run',
        result: { requests: [{ path: wish.path }] },
      });
      expect((await told(artist.mutations.resume(guarded))).outcome).toBe('succeeded');
      expect(await studio.posts(wish.path)).toBe(2);
      expect(await studio.applied(guarded.clientMutationId)).toBe(1);
    },
  );

  it('sends nothing where the lookup knows the upload', async () => {
    const wish = await prepare('an upload');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'after' });
    await told(wish.make(artist.mutations, guardedOf(wish)));
    expect(await told(artist.mutations.resume(guardedOf(wish)))).toMatchObject({
      outcome: 'succeeded',
      result: { evidence: { by: 'lookup' } },
    });
    expect(await studio.posts(wish.path)).toBe(1);
  });

  it('gets the first receipt where the first request has arrived after all', async () => {
    const wish = await prepare('an upload');
    await studio.queue({ method: 'POST', path: wish.path, do: 'cut', when: 'after' });
    const { clientMutationId } = guardedOf(wish);
    await told(wish.make(artist.mutations, guardedOf(wish)));
    // A lookup that lags behind.
    const notFound = { error: { code: 'not_found', message: 'Unknown', details: {}, issues: [] } };
    const path = `/me/asset-uploads/${clientMutationId}`;
    await studio.queue({ path, do: 'answer', when: 'before', status: 404, body: notFound, count: 2 });
    expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('succeeded');
    expect(await studio.posts(wish.path)).toBe(2);
    expect(await studio.applied(clientMutationId)).toBe(1);
  });

  it.each(['an edit of an Asset', 'a new Boxset', 'a new relationship'])('never repeats %s', async (name) => {
    const wish = await lost(name);
    expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('unresolved');
    expect(await studio.posts(wish.path)).toBe(1);
  });

  it('sends what was not sent as if for the first time, with its guard', async () => {
    const wish = await prepare('an edit of an Asset');
    const never = await artist.another({
      ports: (ports) => ({
        ...ports,
        send: async () => {
          const { ArtworkError } = await import('../../../src/errors.ts');
          return { outcome: 'not_sent', error: new ArtworkError('network', 'The cable is out.') };
        },
      }),
    });
    expect((await told(wish.make(never.mutations, guardedOf(wish)))).outcome).toBe('not_sent');
    expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('succeeded');
    expect(await studio.posts(wish.path)).toBe(1);
    await never.leave();
  });

  it('needs the revision of the first call', async () => {
    const wish = await lost('an upload');
    const { clientMutationId } = guardedOf(wish);
    expect(await told(artist.mutations.resume({ clientMutationId, expectedUpdatedAt: 'r1' }))).toMatchObject({
      category: 'stale_revision',
      details: { expectedUpdatedAt: 'r1', firstExpectedUpdatedAt: null },
      next: { tool: 'resume_mutation', arguments: { clientMutationId, expectedUpdatedAt: 'none' } },
    });
  });

  it('needs the very same bytes', async () => {
    const wish = await lost('an upload');
    await writeFile(String(wish.arguments.file), await poster());
    const answer = await told(artist.mutations.resume(guardedOf(wish)));
    expect(answer).toMatchObject({
      category: 'upload_refused',
      next: { why: expect.stringContaining('person') },
    });
    expect(answer.next?.tool).toBeUndefined();
    expect(await studio.posts(wish.path)).toBe(1);
  });

  it('tells what is settled, and knows nothing of strangers', async () => {
    const wish = await prepare('an upload');
    await told(wish.make(artist.mutations, guardedOf(wish)));
    expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('succeeded');
    const clientMutationId = crypto.randomUUID();
    expect(await told(artist.mutations.resume({ clientMutationId, expectedUpdatedAt: null }))).toMatchObject({
      category: 'not_found',
      next: { tool: 'get_mutation_status' },
    });
    expect(await studio.posts(wish.path)).toBe(1);
  });

  it('is answered `processing` beside somebody who is at it', async () => {
    const wish = await prepare('an upload');
    await studio.queue({ method: 'POST', path: wish.path, do: 'delay', when: 'before', milliseconds: 2_500 });
    const first = told(wish.make(artist.mutations, guardedOf(wish)));
    const other = await artist.another();
    while ((await studio.posts(wish.path)) === 0) await sleep(10);
    const { clientMutationId } = guardedOf(wish);
    expect(await told(other.mutations.resume(guardedOf(wish)))).toMatchObject({ outcome: 'processing' });
    expect(await told(wish.make(other.mutations, guardedOf(wish)))).toMatchObject({ outcome: 'processing' });
    const waiting = told(other.mutations.status(clientMutationId));
    expect((await first).outcome).toBe('succeeded');
    expect((await waiting).outcome).toBe('succeeded');
    expect(await studio.posts(wish.path)).toBe(1);
    await other.leave();
  });
});

/** So that each signs in by itself before all of them are at work. */
function noted(
  connections: MutationPorts['connections'],
  all: MutationPorts['connections'][],
): MutationPorts['connections'] {
  all.push(connections);
  return connections;
}

/** A caller who has had time to read what became of the call before. */
const later = () =>
  artist.another({
    ports: (ports) => ({ ...ports, clock: { ...ports.clock, now: () => ports.clock.now() + 60_000 } }),
  });

describe('a place that is held', () => {
  it.each(['an upload into a Set', 'a group’s poster'])(
    'takes no second %s before the first is settled',
    async (name) => {
      const wish = await lost(name);
      await studio.forget();
      const second = { ...guardedOf(wish), clientMutationId: crypto.randomUUID() };
      const answer = await told(wish.make(artist.mutations, second));
      expect(answer).toMatchObject({
        category: 'conflict',
        outcome: 'not_sent',
        details: { heldBy: guardedOf(wish).clientMutationId },
        next: { tool: 'resume_mutation', arguments: guardedOf(wish) },
      });
      expect(await studio.posts(wish.path)).toBe(0);
      expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('succeeded');
      // Settled, it holds nothing any more: the revision is what stops the second now.
      const host = await later();
      expect(await told(wish.make(host.mutations, second))).toMatchObject({ category: 'stale_revision' });
      await host.leave();
    },
  );

  it('lets two of the same bytes at the same moment not both through', async () => {
    const wish = await prepare('an upload');
    let waiting = 2;
    let go = () => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    const signedIn: MutationPorts['connections'][] = [];
    const keep = (connections: MutationPorts['connections']) => {
      signedIn.push(connections);
      return connections;
    };
    // Both have looked before either claims.
    const together = (ports: MutationPorts): MutationPorts => ({
      ...ports,
      connections: keep(ports.connections),
      async ledger() {
        const ledger = await ports.ledger();
        return {
          ...ledger,
          async claim(...what) {
            waiting -= 1;
            if (waiting === 0) go();
            await both;
            return ledger.claim(...what);
          },
        };
      },
    });
    const hosts = await Promise.all([
      artist.another({ ports: together }),
      artist.another({ ports: together }),
    ]);
    for (const connections of signedIn) await connections.bearer();
    await studio.forget();
    const ids = [crypto.randomUUID(), crypto.randomUUID()];
    const answers = await Promise.all(
      hosts.map((host, index) =>
        told(wish.make(host.mutations, { ...guardedOf(wish), clientMutationId: ids[index] ?? '' })),
      ),
    );
    const [sent, conflict] = answers[0]?.outcome === 'succeeded' ? [0, 1] : [1, 0];
    expect(answers[sent]).toMatchObject({ outcome: 'succeeded' });
    expect(await studio.posts(wish.path)).toBe(1);
    const other = { tool: 'get_mutation_status', arguments: { clientMutationId: ids[sent] } };
    for (const answer of [answers[conflict], await told(artist.mutations.status(ids[conflict] ?? ''))]) {
      expect(answer).toMatchObject({ category: 'conflict', outcome: 'not_sent', next: other });
    }
    await Promise.all(hosts.map((host) => host.leave()));
  });

  it('is held by nothing that was never sent, and nobody works on any more', async () => {
    const wish = await prepare('an upload into a Set');
    const first = guardedOf(wish);
    const second = { ...first, clientMutationId: crypto.randomUUID() };
    const stopped: (() => void)[] = [];
    const opened: { close(): void }[] = [];
    /** A process that stops for good once it has claimed: neither of two sees the other's claim. */
    const connections: MutationPorts['connections'][] = [];
    const stopping = () =>
      artist.another({
        ports: (ports) => ({
          ...ports,
          connections: noted(ports.connections, connections),
          async ledger() {
            const self = {
              ...identifyProcess(),
              pid: 2 ** 30,
              instance: crypto.randomUUID(),
            };
            const storage = await openStorage({
              home: path.join(artist.home, 'data'),
              keyring: null,
              indexOf,
            });
            const ledger = openLedger({
              store: storage.atomic,
              clock: systemClock,
              self,
              mayRun: async () => true,
            });
            opened.push(storage);
            return {
              ...ledger,
              findOpen: async () => [],
              async send(lease) {
                await new Promise<void>((resolve) => stopped.push(resolve));
                return ledger.send(lease);
              },
            };
          },
        }),
      });
    const both = [await stopping(), await stopping()] as const;
    for (const each of connections) await each.bearer();
    const [one, other] = [
      told(wish.make(both[0].mutations, first)),
      told(wish.make(both[1].mutations, second)),
    ];
    while (stopped.length < 2) await sleep(10);

    expect((await told(artist.mutations.resume(first))).outcome).toBe('succeeded');
    // Both go on after all: neither has its claim any more.
    for (const goOn of stopped) goOn();
    expect((await one).outcome).toBe('succeeded');
    expect((await other).outcome).toBe('not_sent');
    expect(await studio.posts(wish.path)).toBe(1);
    for (const process of both) await process.leave();
    for (const storage of opened) storage.close();
  });

  /** Two of one place that have both claimed it before either looks what else is claimed. */
  async function meet(wish: Wish, change: (ports: MutationPorts) => MutationPorts = (ports) => ports) {
    const connections: MutationPorts['connections'][] = [];
    const meetings = () => {
      let there = 0;
      return async () => {
        there += 1;
        while (there < 2) await sleep(5);
      };
    };
    const [looked, claimed] = [meetings(), meetings()];
    const meeting = () =>
      artist.another({
        ports: (ports) => ({
          ...change(ports),
          connections: noted(ports.connections, connections),
          async ledger() {
            const ledger = await ports.ledger();
            return {
              ...ledger,
              async claim(scope, meant) {
                await looked();
                const claiming = await ledger.claim(scope, meant);
                await claimed();
                return claiming;
              },
            };
          },
        }),
      });
    const both = [await meeting(), await meeting()] as const;
    for (const each of connections) await each.bearer();
    const first = guardedOf(wish);
    const guards = [first, { ...first, clientMutationId: crypto.randomUUID() }] as const;
    const answers = await Promise.all([
      told(wish.make(both[0].mutations, guards[0])),
      told(wish.make(both[1].mutations, guards[1])),
    ]);
    for (const process of both) await process.leave();
    const sides = answers.map((answer, at) => ({ answer, id: guards[at]?.clientMutationId ?? '' }));
    const [conflict] = sides.filter(({ answer }) => answer.category === 'conflict');
    const [other] = sides.filter((side) => side !== conflict);
    if (conflict === undefined || other === undefined) throw new Error(JSON.stringify(answers));
    return { conflict, other };
  }

  it('is filled by one of two that claim it at the same moment, and the other one leads to it', async () => {
    const wish = await prepare('an upload into a Set');
    const { conflict, other } = await meet(wish);
    expect(other.answer.outcome).toBe('succeeded');
    expect(conflict.answer).toMatchObject({ outcome: 'not_sent', details: { heldBy: other.id } });
    expect(await told(artist.mutations.status(conflict.id))).toMatchObject({
      category: 'conflict',
      next: { tool: 'get_mutation_status', arguments: { clientMutationId: other.id } },
    });
    expect(await studio.posts(wish.path)).toBe(1);
  });

  it('is a conflict as well where the other one ended while the call was on its way', async () => {
    const wish = await prepare('an upload');
    let goOn = () => {};
    const first = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = await artist.another({
      ports: (ports) => ({
        ...ports,
        async ledger() {
          await first;
          return ports.ledger();
        },
      }),
    });
    const id = crypto.randomUUID();
    const second = told(wish.make(slow.mutations, { ...guardedOf(wish), clientMutationId: id }));
    expect((await told(wish.make(artist.mutations, guardedOf(wish)))).outcome).toBe('succeeded');
    goOn();
    const { clientMutationId } = guardedOf(wish);
    expect(await second).toMatchObject({
      category: 'conflict',
      outcome: 'not_sent',
      details: { heldBy: clientMutationId },
      next: { tool: 'get_mutation_status', arguments: { clientMutationId } },
    });
    expect(await studio.posts(wish.path)).toBe(1);
    await slow.leave();
  });

  it('leads to a person where the one that went before was not sent in the end', async () => {
    const wish = await prepare('an upload into a Set');
    const { ArtworkError } = await import('../../../src/errors.ts');
    const { conflict, other } = await meet(wish, (ports) => ({
      ...ports,
      send: async () => ({ outcome: 'not_sent', error: new ArtworkError('network', 'The cable is out.') }),
    }));
    expect(other.answer).toMatchObject({ category: 'network', outcome: 'not_sent' });
    const status = await told(artist.mutations.status(conflict.id));
    expect(status).toMatchObject({ outcome: 'not_sent', next: { why: expect.stringContaining('person') } });
    expect(status.next?.tool).toBeUndefined();
    expect(await studio.posts(wish.path)).toBe(0);
  });

  it('takes the same bytes no second time before they are settled, and points them out after', async () => {
    const wish = await lost('an upload');
    const second = { ...guardedOf(wish), clientMutationId: crypto.randomUUID() };
    expect(await told(wish.make(artist.mutations, second))).toMatchObject({
      category: 'conflict',
      next: {
        tool: 'get_mutation_status',
        arguments: { clientMutationId: guardedOf(wish).clientMutationId },
      },
    });
    expect((await told(artist.mutations.resume(guardedOf(wish)))).outcome).toBe('succeeded');
    const dry = await told(wish.make(artist.mutations, { ...second, dryRun: true }));
    expect(dry.result?.warnings).toContainEqual(expect.objectContaining({ code: 'same_bytes' }));
    const told2: string[] = [];
    const progress = (_done: number, _total: number | null, message: string) => told2.push(message);
    expect(await told(wish.make(artist.mutations, second))).toMatchObject({
      category: 'conflict',
      message: expect.stringContaining('just been done'),
    });
    const host = await later();
    const again = await told(wish.make(host.mutations, second, { progress }));
    expect(again).toMatchObject({ outcome: 'succeeded' });
    await host.leave();
    expect(told2.join('\n')).toContain('The same bytes were uploaded');
  });
});

describe('giving up', () => {
  it('ends what is open, keeps the claim, and frees nothing for another try', async () => {
    const wish = await lost('a new Boxset');
    const { clientMutationId } = guardedOf(wish);
    const person = await artist.mutations.listForPerson({ state: 'open', limit: 200 });
    expect(person.mutations).toContainEqual(expect.objectContaining({ clientMutationId }));
    expect(await artist.mutations.abandon(clientMutationId.toUpperCase())).toMatchObject({
      clientMutationId,
      outcome: 'unresolved',
      abandonedAt: expect.any(String),
    });
    const open = await artist.mutations.list({ state: 'open', limit: 200 });
    expect(open.mutations).not.toContainEqual(expect.objectContaining({ clientMutationId }));
    for (const answer of [
      await told(wish.make(artist.mutations, guardedOf(wish))),
      await told(artist.mutations.resume(guardedOf(wish))),
      await told(artist.mutations.status(clientMutationId)),
    ]) {
      expect(answer).toMatchObject({
        outcome: 'unresolved',
        next: { why: expect.stringContaining('person') },
      });
      expect(answer.next?.tool).toBeUndefined();
    }
    expect(await studio.posts(wish.path)).toBe(1);
    await expect(artist.mutations.abandon(crypto.randomUUID())).rejects.toMatchObject({
      category: 'not_found',
    });
  });

  it('ends at a person too where nothing had been sent', async () => {
    const wish = await prepare('a new Boxset');
    const { clientMutationId } = guardedOf(wish);
    const [claimed, abandoned] = [gate(), gate()];
    const slow = await artist.another({
      ports: (ports) => ({
        ...ports,
        async ledger() {
          const ledger = await ports.ledger();
          return {
            ...ledger,
            async send(lease) {
              claimed.open();
              await abandoned.passed;
              return ledger.send(lease);
            },
          };
        },
      }),
    });
    const making = told(wish.make(slow.mutations, guardedOf(wish)));
    await claimed.passed;
    expect(await artist.mutations.abandon(clientMutationId)).toMatchObject({ outcome: 'not_sent' });
    abandoned.open();
    for (const answer of [
      await making,
      await told(wish.make(artist.mutations, guardedOf(wish))),
      await told(artist.mutations.resume(guardedOf(wish))),
      await told(artist.mutations.status(clientMutationId)),
    ]) {
      expect(answer).toMatchObject({ outcome: 'not_sent', next: { why: expect.stringContaining('person') } });
      expect(answer.next?.tool).toBeUndefined();
    }
    expect(await studio.posts(wish.path)).toBe(0);
    await slow.leave();
  });
});

describe('the list', () => {
  it('pages newest first, by state and by time', async () => {
    const lister = await studio.artist();
    const made: string[] = [];
    for (const _ of [1, 2, 3]) {
      const wish = await prepare('a new Boxset');
      await told(wish.make(lister.mutations, guardedOf(wish)));
      made.unshift(guardedOf(wish).clientMutationId);
    }
    const first = await lister.mutations.list({ limit: 2 });
    const ids = (page: typeof first) => page.mutations.map(({ clientMutationId }) => clientMutationId);
    expect(ids(first)).toEqual(made.slice(0, 2));
    const second = await lister.mutations.list({ limit: 2, after: first.next ?? undefined });
    expect(ids(second)).toEqual(made.slice(2));
    expect(second.next).toBeNull();
    expect(ids(await lister.mutations.list({ state: 'open', limit: 10 }))).toEqual([]);
    expect(ids(await lister.mutations.list({ state: 'succeeded', limit: 10 }))).toEqual(made);
    const since = new Date(Date.now() + 60_000).toISOString();
    expect(ids(await lister.mutations.list({ since, limit: 10 }))).toEqual([]);
    await expect(lister.mutations.list({ state: 'dry_run', limit: 10 })).rejects.toMatchObject({
      category: 'invalid_arguments',
    });
  });
});
