import { describe, expect, it } from 'vitest';
import { type Change, changes, idOf, perform, toEnd } from './changes.ts';
import { type Said, Stage, type Treatment } from './stage.ts';

const id = idOf(1);
const lost: Treatment = { undone: 'and unheard' };

interface Situation {
  readonly name: string;
  /** Brings a change there, and answers what is said of it then. */
  reach(stage: Stage, change: Change): Promise<Said>;
  /** The outcome, and the tool of `next`; null: there is none. */
  readonly said: Readonly<
    Record<Change['told'] | 'files', readonly [outcome: string | undefined, next: string | null]>
  >;
}

const always = (outcome: string | undefined, next: string | null) =>
  ({
    id: [outcome, next],
    revision: [outcome, next],
    nothing: [outcome, next],
    files: [outcome, next],
  }) as const;

/** Every request of it is lost, as often as it goes. */
const loseAll = (stage: Stage, { path }: Change) =>
  stage.treat(path, ...Array.from({ length: 12 }, () => lost));

const situations: readonly Situation[] = [
  {
    name: 'done',
    reach: async (stage, change) => {
      const one = stage.start();
      return toEnd(stage, one, await perform(stage, one, change, change.args(stage, id)));
    },
    said: always('succeeded', null),
  },
  {
    name: 'surely not sent',
    reach: async (stage, change) => {
      stage.treat(change.path, { undone: 'unsent' });
      return perform(stage, stage.start(), change, change.args(stage, id));
    },
    said: always('not_sent', 'resume_mutation'),
  },
  {
    name: 'surely not sent, three times',
    reach: async (stage, change) => {
      stage.treat(change.path, ...Array.from({ length: 3 }, () => ({ undone: 'unsent' }) as const));
      const [one, args] = [stage.start(), change.args(stage, id)];
      // A process that ends before it could send has tried nothing.
      const ended = stage.start({ ledger: (ledger) => ({ ...ledger, send: () => new Promise(() => {}) }) });
      await perform(stage, ended, change, args, 2_000);
      stage.kill(ended);
      for (let times = 0; times < 2; times += 1)
        expect(await perform(stage, one, change, args)).toMatchObject({
          next: { tool: 'resume_mutation' },
        });
      return perform(stage, one, change, args);
    },
    said: always('not_sent', null),
  },
  {
    name: 'refused for good',
    reach: async (stage, change) => {
      stage.treat(change.path, { undone: 422 });
      return perform(stage, stage.start(), change, change.args(stage, id));
    },
    said: always('refused', 'new_mutation_ids'),
  },
  {
    name: 'worked on by another process',
    reach: async (stage, change) => {
      const args = change.args(stage, id);
      const slow = stage.start({
        send: () => () => new Promise(() => {}),
      });
      await perform(stage, slow, change, args, 2_000);
      return perform(stage, stage.start(), change, args, 2_000);
    },
    said: always('processing', 'get_mutation_status'),
  },
  {
    name: 'lost',
    reach: async (stage, change) => {
      loseAll(stage, change);
      return perform(stage, stage.start(), change, change.args(stage, id));
    },
    said: always('unresolved', 'get_mutation_status'),
  },
  {
    name: 'lost, and the service shows nothing of it',
    reach: async (stage, change) => {
      loseAll(stage, change);
      const one = stage.start();
      await perform(stage, one, change, change.args(stage, id));
      return stage.call(one, (mutations, call) => mutations.status(id, call));
    },
    said: {
      id: ['unresolved', 'resume_mutation'],
      files: ['unresolved', 'resume_mutation'],
      revision: ['unresolved', 'get_mutation_status'],
      nothing: ['unresolved', 'get_mutation_status'],
    },
  },
  {
    name: 'lost with the process that sent it',
    reach: async (stage, change) => {
      const args = change.args(stage, id);
      const one = stage.start({ send: () => () => new Promise(() => {}) });
      await perform(stage, one, change, args, 2_000);
      await stage.pass(1_000);
      stage.kill(one);
      return perform(stage, stage.start(), change, args);
    },
    said: always('unresolved', 'get_mutation_status'),
  },
  {
    name: 'at a person',
    reach: async (stage, change) => {
      loseAll(stage, change);
      const one = stage.start();
      const args = change.args(stage, id);
      return toEnd(stage, one, await perform(stage, one, change, args));
    },
    said: always('unresolved', null),
  },
  {
    name: 'given up by a person',
    reach: async (stage, change) => {
      loseAll(stage, change);
      const one = stage.start();
      const args = change.args(stage, id);
      await perform(stage, one, change, args);
      await stage.ask(one, (mutations) => mutations.abandon(id));
      return perform(stage, one, change, args);
    },
    said: always('unresolved', null),
  },
  {
    name: 'of another account',
    reach: async (stage, change) => {
      loseAll(stage, change);
      const one = stage.start();
      await perform(stage, one, change, change.args(stage, id));
      stage.world.accounts.signIn('stranger', true);
      return stage.call(one, (mutations, call) => mutations.status(id, call));
    },
    said: always(undefined, null),
  },
  {
    name: 'not known here',
    reach: async (stage) => stage.call(stage.start(), (mutations, call) => mutations.status(id, call)),
    said: always(undefined, null),
  },
];

const isOfFiles = ({ tool }: Change) => tool === 'create_media_set' || tool === 'edit_set';

describe.each(situations)('$name', ({ reach, said }) => {
  it.each(changes)('$name', async (change) => {
    const stage = await Stage.open();
    const answer = await reach(stage, change);
    const [outcome, next] = said[isOfFiles(change) ? 'files' : change.told];
    expect([answer.outcome, answer.next?.tool ?? null]).toEqual([outcome, next]);
    if (answer.next !== undefined) expect(answer.next.why).not.toBe('');
    if (outcome !== undefined) expect(answer.clientMutationId).toBe(id);
    if (answer.error === undefined) expect(answer.says).not.toBe('');
  });
});
