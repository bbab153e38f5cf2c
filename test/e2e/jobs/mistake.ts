import { expect } from 'vitest';
import type { ErrorCategory } from '../../../src/errors.ts';
import { read } from '../../support/follower.ts';
import type { Scene } from './scene.ts';
import { type Counting, type Tally, wordsOf } from './tally.ts';

/** Where a mistake is made: a server whose account has signed in, or one that lacks something. */
export type Place = 'connected' | 'unconnected' | 'narrow' | 'readOnly' | 'rootless';

/** A call that a new user's agent gets wrong. */
export interface Mistake {
  /** What is wrong with it. */
  readonly what: string;
  readonly tool: string;
  readonly args: (
    scene: Scene,
  ) => Readonly<Record<string, unknown>> | Promise<Readonly<Record<string, unknown>>>;
  /** Null: the answer tells it of the one thing that can't be shown, and is no refusal. */
  readonly category: ErrorCategory | null;
  /** Has to stand in the refusal: it names the right value, or the way to it. */
  readonly right: RegExp;
  /** The tool that its `next` has to name; left out: any, or none where the caller corrects the arguments. */
  readonly next?: string;
  /** Left out: connected. */
  readonly at?: Place;
}

/**
 * Makes the mistake and judges what comes back: the category, a sentence, its length (see `read`), what would be right,
 * and a `next` that can be made as it stands and is not refused for its arguments.
 */
export async function make(mistake: Mistake, scene: Scene, host: Counting, tally: Tally): Promise<void> {
  const { tool, category, right } = mistake;
  const args = { ...(await mistake.args(scene)) };
  const result = await host.call(tool, args);
  const told = read({ tool, arguments: args }, result);
  if (category === null) {
    expect(result.isError).toBeUndefined();
    expect(JSON.stringify(result.content.filter(({ type }) => type === 'text'))).toMatch(right);
    return;
  }
  const words = wordsOf(told);
  const followed = await follow(told.next, host);
  if (!right.test(words) && !followed) tally.withoutNextStep += 1;
  expect(told.error?.category, words).toBe(category);
  if (mistake.next !== undefined) expect(told.next?.tool, words).toBe(mistake.next);
  expect(words).toMatch(right);
}

/** Whether there is a call to follow, and it is not refused for its arguments. */
async function follow(next: ReturnType<typeof read>['next'], host: Counting): Promise<boolean> {
  if (next?.tool === undefined) return false;
  const { tool, arguments: args = {} } = next;
  const { error } = read({ tool, arguments: args }, await host.call(tool, args));
  expect(error?.category, `${tool} ${JSON.stringify(args)}: ${error?.message}`).not.toBe('invalid_arguments');
  return true;
}
