import { describe, expect, it } from 'vitest';
import { storeError } from '../../src/store/errors.ts';
import type { Planted } from '../simulation/process.ts';
import { changes, followNext, idOf, perform, toEnd } from './changes.ts';
import { Stage, type Treatment } from './stage.ts';

const id = idOf(1);
const kinds = changes.filter(({ tool }) => tool === 'create_media_set' || tool === 'edit_set');
const transfer = /\/(set-uploads|set-updates)\/[^/]+\/assets$/;
const completion = /\/complete$/;

/** Which items' files the service got, in their order. */
const sentFiles = ({ got }: Stage) =>
  got.filter(({ path }) => transfer.test(path)).map(({ query }) => String(query.itemId));

/** How the service has the items in the end. */
const statuses = (stage: Stage) =>
  stage.world.service.submissions.of(id)?.items.map(({ status }) => status.latest);

describe.each(kinds)('$name', (change) => {
  const begin = async (habits: Parameters<typeof Stage.open>[0] = {}, plant: Planted = {}) => {
    const stage = await Stage.open(habits);
    return { stage, args: change.args(stage, id), one: stage.start(plant) };
  };

  it('is admitted, gets each file once, is completed, and told by its items', async () => {
    const { stage, args, one } = await begin();
    const made = await toEnd(stage, one, await perform(stage, one, change, args));
    expect(made).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 }, clientMutationId: id });
    expect(made.items ?? []).toEqual([]);
    expect(new Set(sentFiles(stage)).size).toBe(2);
    expect([stage.count(transfer), stage.count(completion)]).toEqual([2, 1]);
    const page = { all: true, from: 0, limit: 1, receipt: true };
    const whole = await stage.call(one, (its, call) => its.status(id, call, page));
    expect(whole).toMatchObject({ items: [{ status: 'succeeded' }], nextItems: 1 });
    expect(whole.receipt).toBeDefined();
  });

  it.each<[string, RegExp]>([
    ['a file', transfer],
    ['the completion', completion],
  ])('comes to its end where the answer to %s is lost, and nothing goes twice', async (_, path) => {
    for (const done of ['and unheard', 503] as const) {
      const { stage, args, one } = await begin();
      stage.treat(path, { done });
      const made = await toEnd(stage, one, await perform(stage, one, change, args));
      expect(made).toMatchObject({ outcome: 'succeeded' });
      expect(new Set(sentFiles(stage)).size).toBe(stage.count(transfer));
      expect(stage.count(completion)).toBe(1);
    }
  });

  it('is told as unresolved while the service does not know the result itself, and then as it ended', async () => {
    const stage = await Stage.open({ doubtsItself: true });
    // The answer to the completion is lost, and the service takes its time with the result.
    stage.treat(completion, { done: 'and unheard' });
    const settlesAt = stage.world.scheduler.time + 60_000;
    const one = stage.start({
      send: (send) => (request, deadline) =>
        send(request, deadline).finally(() => {
          const submission = stage.world.service.submissions.of(id);
          if (!completion.test(request.path) || !submission?.completion) return;
          submission.completion = { ...submission.completion, settlesAt };
        }),
    });
    const outcomes: unknown[] = [];
    let said = await perform(stage, one, change, change.args(stage, id));
    for (let steps = 0; said.next !== undefined && steps < 12; steps += 1) {
      outcomes.push(said.outcome);
      said = await followNext(stage, one, said);
    }
    expect(new Set(outcomes)).toEqual(new Set(['unresolved']));
    expect(said).toMatchObject({ outcome: 'succeeded', counts: { succeeded: 2 } });
    expect(stage.count(transfer)).toBe(2);
    expect(stage.world.watch.violations).toEqual([]);
  });

  it('sends a file again only once the service shows twice that it lacks it', async () => {
    const { stage, args, one } = await begin();
    stage.treat(transfer, { undone: 'and unheard' });
    const made = await toEnd(stage, one, await perform(stage, one, change, args));
    expect(made).toMatchObject({ outcome: 'succeeded' });
    expect(stage.count(transfer)).toBe(3);
    expect(statuses(stage)).toEqual(['succeeded', 'succeeded']);
  });

  it.each([401, 429])(
    'goes on where a file is turned away with %i, before its effect and after it',
    async (status) => {
      for (const treatment of [{ done: status }, { undone: status }] satisfies Treatment[]) {
        for (const words of ['plain', 'mute'] as const) {
          const { stage, args, one } = await begin({ words });
          stage.treat(transfer, treatment);
          const made = await toEnd(stage, one, await perform(stage, one, change, args));
          expect([words, treatment, made.outcome]).toEqual([words, treatment, 'succeeded']);
          expect(stage.count(transfer)).toBeLessThanOrEqual('done' in treatment ? 2 : 3);
        }
      }
    },
  );

  it.each([401, 429, 'and unheard'] as const)(
    'is at a person within two minutes where a file ends with %j and nothing ever tells of it',
    async (undone) => {
      // Each item has the same word from the beginning, and a completion is refused without a name.
      const refused = (): Planted => ({
        send: (send) => (request, deadline) => {
          if (completion.test(request.path)) stage.treat(completion, { undone: 409 });
          return send(request, deadline);
        },
      });
      const { stage, args, one } = await begin({ words: 'mute' }, refused());
      stage.treat(transfer, { undone });
      const first = await perform(stage, one, change, args);
      const since = stage.world.scheduler.time;
      const steps: (string | undefined)[] = [];
      let said = first;
      while (said.next?.tool !== undefined && steps.length < 20) {
        steps.push(said.next.tool);
        said = await followNext(stage, one, said);
      }
      expect(said).toMatchObject({ outcome: 'interrupted', error: { code: 'files_untold' } });
      expect(new Set(steps)).toEqual(new Set(['get_mutation_status']));
      expect(stage.world.scheduler.time - since).toBeLessThan(120_000);
      expect(stage.count(transfer)).toBe(2);
      expect(stage.world.watch.violations).toEqual([]);
    },
  );

  it('says which file the service has refused for good, and what to do with it', async () => {
    const { stage, args, one } = await begin();
    stage.treat(transfer, { undone: 422, error: { code: 'asset.file.damaged' } });
    // The service settles what it has refused.
    const first = await perform(stage, one, change, args, 3_000);
    const item = stage.world.service.submissions
      .of(id)
      ?.items.find(({ itemId }) => itemId === sentFiles(stage)[0]);
    item?.status.set('failed', stage.world.scheduler.time);
    const made = await toEnd(stage, one, first);
    expect(made).toMatchObject({ outcome: 'partial', items: [{ status: 'failed' }] });
    expect(made.next?.tool).toBe('new_mutation_ids');
    expect(stage.count(transfer)).toBe(2);
  });

  it('is told as interrupted once its process is dead, and goes on from its copies in another one', async () => {
    let sent = 0;
    // The second file never comes through: its process dies over it.
    const dying: Planted = {
      send: (send) => (request, deadline) => {
        if (transfer.test(request.path)) sent += 1;
        return sent === 2 ? new Promise(() => {}) : send(request, deadline);
      },
    };
    const { stage, args, one } = await begin({}, dying);
    await perform(stage, one, change, args, 10_000);
    stage.kill(one);
    stage.world.folder.change();
    const other = stage.start();
    const said = await stage.call(other, (its, call) => its.status(id, call));
    expect(said).toMatchObject({ outcome: 'interrupted', next: { tool: 'resume_mutation' } });
    expect(said.items).toHaveLength(2);
    const made = await toEnd(stage, other, said);
    expect(made).toMatchObject({ outcome: 'succeeded' });
    expect(new Set(sentFiles(stage)).size).toBe(2);
    expect(stage.count(change.path)).toBe(1);
    expect(stage.world.watch.violations).toEqual([]);
  });

  it('waits for a person while the copies of its files are gone, and goes on once they are back', async () => {
    const { stage, args, one } = await begin({}, { send: stoppedBefore(transfer) });
    await perform(stage, one, change, args, 10_000);
    stage.kill(one);
    stage.world.folder.loseCopies();
    const other = stage.start();
    const said = await toEnd(stage, other, await stage.call(other, (its, call) => its.status(id, call)));
    expect(said.outcome).toBe('interrupted');
    expect(said.next?.tool).toBeUndefined();
    stage.world.folder.bringBack();
    const guarded = { clientMutationId: id, expectedUpdatedAt: args.expectedUpdatedAt };
    const made = await toEnd(stage, other, await stage.call(other, (its, call) => its.resume(guarded, call)));
    expect(made).toMatchObject({ outcome: 'succeeded' });
  });

  it('keeps the copies that another process goes on with, where nobody heard that their claim had come through', async () => {
    let wake = () => {};
    const woken = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const deaf: Planted = {
      sql: (sql) => ({
        ...sql,
        async write(...statements) {
          const rows = await sql.write(...statements);
          if (!statements.some(({ text }) => text.includes('INSERT INTO artwork.mutation_body'))) return rows;
          await woken;
          throw storeError('store.unreachable', 'The store went away.');
        },
      }),
    };
    const { stage, args, one } = await begin({}, deaf);
    void perform(stage, one, change, args, 10_000).catch(() => {});
    await stage.pass(120_000);
    const other = stage.start(slowly(20_000));
    const guarded = { clientMutationId: id, expectedUpdatedAt: args.expectedUpdatedAt };
    const said = await stage.call(other, (its, call) => its.resume(guarded, call), 10_000);
    wake();
    await stage.pass(5_000);
    expect(await toEnd(stage, other, said)).toMatchObject({ outcome: 'succeeded' });
    expect(stage.count(transfer)).toBe(2);
  });

  it('names the machine that has the copies, where that is another one', async () => {
    const { stage, args, one } = await begin({}, { send: stoppedBefore(transfer) });
    await perform(stage, one, change, args, 10_000);
    stage.kill(one);
    const elsewhere = stage.start({ copies: (copies) => ({ ...copies, machine: 'the other one' }) });
    const said = await stage.call(elsewhere, (its, call) => its.status(id, call));
    expect(said.outcome).toBe('interrupted');
    expect(said.next?.tool).toBeUndefined();
    expect(said.says).toContain('"m"');
  });

  it('tells a success whose items say otherwise', async () => {
    const { stage, args, one } = await begin();
    stage.world.service.submissions.record = (submission) => ({
      ...{ submissionId: submission.id, clientMutationId: id, status: 'completed', outcome: 'succeeded' },
      items: submission.items.map(({ itemId }, index) => ({
        itemId,
        status: index === 0 ? 'succeeded' : 'rejected',
      })),
    });
    stage.treat(change.path, { done: 'and unheard' });
    const made = await toEnd(stage, one, await perform(stage, one, change, args));
    expect(made).toMatchObject({ items: [{ status: 'rejected' }], counts: { succeeded: 1, rejected: 1 } });
    expect(made.says).toContain('rejected');
  });

  it('does not take what was made elsewhere under its id for its own', async () => {
    for (const taken of ['another', 'completed'] as const) {
      const { stage, args, one } = await begin();
      stage.world.service.submissions.takeId(id, taken);
      expect(await perform(stage, one, change, args)).toMatchObject({
        outcome: 'refused',
        clientMutationId: id,
      });
      expect(stage.count(transfer)).toBe(0);
    }
  });

  it('is refused before anything is claimed where a file can’t be kept', async () => {
    const { stage, args, one } = await begin(
      {},
      {
        copies: (copies, folder) => ({
          ...copies,
          keep(...given) {
            folder.remove();
            return copies.keep(...given);
          },
        }),
      },
    );
    expect(await perform(stage, one, change, args)).toMatchObject({ error: { category: 'upload_refused' } });
    expect(stage.got).toEqual([]);
    expect(await stage.ask(one, (its) => its.countOpen())).toBe(0);
  });

  it('answers within its time, and goes on behind it', async () => {
    const { stage, args, one } = await begin({}, slowly(20_000));
    const said = await perform(stage, one, change, args);
    expect(said).toMatchObject({ outcome: 'processing', next: { tool: 'get_mutation_status' } });
    await stage.pass(120_000);
    expect(await followNext(stage, one, said)).toMatchObject({ outcome: 'succeeded' });
  });

  it('lets nothing begin any more once its server is closed, and another one goes on', async () => {
    const { stage, args, one } = await begin({}, slowly(5_000));
    await perform(stage, one, change, args, 3_000);
    await stage.ask(one, (its) => its.close());
    const posts = stage.got.length;
    await stage.pass(60_000);
    expect(stage.got).toHaveLength(posts);
    const other = stage.start();
    const said = await stage.call(other, (its, call) => its.status(id, call));
    expect(await toEnd(stage, other, said)).toMatchObject({ outcome: 'succeeded' });
    expect(stage.count(completion)).toBe(1);
  });
});

it('a place that an open Set holds is not given away', async () => {
  const [creation, edit] = kinds;
  const stage = await Stage.open();
  if (creation === undefined || edit === undefined) throw new TypeError('There are two.');
  const one = stage.start({ send: stoppedBefore(transfer) });
  await perform(stage, one, edit, edit.args(stage, id), 10_000);
  stage.kill(one);
  const other = stage.start();
  const second = await perform(stage, other, edit, {
    ...edit.args(stage, idOf(2)),
    metadata: { titleBase: 'Other' },
  });
  expect(second).toMatchObject({ error: { category: 'conflict' }, next: { tool: 'resume_mutation' } });
  expect(second.next?.arguments).toMatchObject({ clientMutationId: id });
  expect(await toEnd(stage, other, second)).toMatchObject({ outcome: 'succeeded', clientMutationId: id });
});

/** What is posted to a path never leaves, and never comes back either. */
function stoppedBefore(path: RegExp): NonNullable<Planted['send']> {
  return (send) => (request, deadline) =>
    path.test(request.path) ? new Promise(() => {}) : send(request, deadline);
}

/** Each request takes so long before it leaves. ms */
function slowly(milliseconds: number): Planted {
  let sleep: (ms: number) => Promise<void> = async () => {};
  return {
    clock(clock) {
      sleep = clock.sleep;
      return clock;
    },
    send: (send) => async (request, deadline) => {
      await sleep(milliseconds);
      return send(request, deadline);
    },
  };
}
