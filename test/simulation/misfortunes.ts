import { noFaults } from './faults.ts';
import type { Surroundings } from './host.ts';
import { seeded } from './random.ts';
import { signInAgain } from './sign-in.ts';

/** When the last of them happens at the latest, ms. */
const latest = 150_000;

export interface Misfortune {
  readonly chance: number;
  readonly what: string;
  happen(): void;
}

/** Each of them happens or not, at some moment while everything goes wrong. */
export function planMisfortunes(world: Surroundings, all: readonly Misfortune[]): void {
  const { scheduler, random, weather, reach } = world;
  for (const { chance, what, happen } of all) {
    if (!random.chance(chance)) continue;
    scheduler.after(random.below(latest), null, () => {
      // In the end all is well.
      if (weather.faults === noFaults) return;
      scheduler.note(what);
      reach(what);
      happen();
    });
  }
}

/** What many schedules must have met of all this, or they show nothing. */
export const misfortunesMet = [
  'the owner signs in again',
  'the owner signs in again, unnamed',
  'a stranger signs in',
  'a stranger signs in, unnamed',
  'the store is replaced',
  'the store was replaced under it',
  'the disk is full for a while',
  ...['claimed', 'sending', 'processing', '(settled|unresolved)'].map(
    (state) => `the disk is full: ledger:${state}`,
  ),
  'another token after a 401',
  'no other token after a 401',
];

/** What befalls a machine and its connection, whatever is changed. */
export function misfortunesOfMachine(world: Surroundings): readonly Misfortune[] {
  const { disk, access } = world;
  const signIn = (account: 'owner' | 'stranger', named: boolean) => () =>
    void signInAgain(disk, access, account, named);
  return [
    { chance: 0.06, what: 'the owner signs in again', happen: signIn('owner', true) },
    { chance: 0.06, what: 'the owner signs in again, unnamed', happen: signIn('owner', false) },
    { chance: 0.06, what: 'a stranger signs in', happen: signIn('stranger', true) },
    { chance: 0.04, what: 'a stranger signs in, unnamed', happen: signIn('stranger', false) },
    { chance: 0.08, what: 'the store is replaced', happen: () => replaceStore(world) },
  ];
}

/** The disk is full for a while. */
export function fillDisk({ disk, scheduler, random }: Surroundings): void {
  disk.full = true;
  scheduler.after(random.below(30_000), null, () => {
    disk.full = false;
  });
}

/** Somebody puts a copy in the place of the store, and sooner or later ends the programs that have the old one open. */
function replaceStore({ disk, scheduler, random }: Surroundings): void {
  const before = [...scheduler.actors];
  disk.replace();
  scheduler.after(random.below(90_000), null, () => {
    for (const actor of before) if (actor.alive) scheduler.kill(actor);
  });
}

/** Draws of their own: a seed deals out the same fates as ever, but for these. */
export function ownDraws(seed: number): ReturnType<typeof seeded> {
  return seeded(seed ^ 0x3c6ef372);
}
