import { ArtworkError } from '../../../src/errors.ts';
import { noFaults } from '../faults.ts';
import { assets } from './owned-set.ts';
import { type Planted, startProcess, type World } from './process.ts';
import type { Wish } from './wishes.ts';

/** When the last of them happens at the latest, ms. */
const latest = 150_000;

interface Misfortune {
  readonly chance: number;
  readonly what: string;
  happen(): void;
}

/** What befalls the account, its folder and its Set while submissions are made. */
export function planMisfortunes(world: World, signals: readonly Wish[], plant: () => Planted): void {
  const { scheduler, random, weather, access, folder, copies, set, reach } = world;
  const paths = signals.flatMap(({ pictures }) => [...pictures.values()].map(({ path }) => path));
  const all: readonly Misfortune[] = [
    { chance: 0.6, what: 'the access token ends', happen: () => access.end() },
    {
      chance: 0.2,
      what: 'the pictures in the folder change',
      happen: () => folder.change(paths),
    },
    {
      chance: 0.1,
      what: 'the pictures in the folder are deleted',
      happen: () => folder.remove(paths),
    },
    {
      chance: 0.06,
      what: 'somebody cleans up',
      happen() {
        if (copies.lose()) reach('the kept bytes are deleted');
      },
    },
    { chance: 0.06, what: 'the disk is full for a while', happen: () => fill(world) },
    { chance: 0.08, what: 'somebody else changes the Set', happen: () => set.change(null) },
    { chance: 0.08, what: 'somebody else changes an Asset', happen: () => set.change(assets.replaced.id) },
    { chance: 0.25, what: 'a host ends its server', happen: () => void endServer(world) },
    { chance: 0.06, what: 'a person gives up', happen: () => giveUp(world, signals, plant) },
  ];
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

function fill({ disk, scheduler, random }: World): void {
  disk.full = true;
  scheduler.after(random.below(30_000), null, () => {
    disk.full = false;
  });
}

/** What is under way is told to stop, and what it still has to note is waited for. */
async function endServer({ servers, random, scheduler }: World): Promise<void> {
  const living = [...servers].filter(({ actor }) => actor.alive);
  const ended = living[random.below(living.length)];
  if (ended === undefined) return;
  await ended.mutations.close();
  if (ended.actor.alive) scheduler.kill(ended.actor);
}

function giveUp(world: World, [wish]: readonly Wish[], plant: () => Planted): void {
  const { mutations } = startProcess(world, 'person', plant());
  mutations.abandon(wish?.clientMutationId ?? '').then(
    () => world.reach('given up'),
    // There may be nothing to give up yet.
    (error: unknown) => {
      if (!(error instanceof ArtworkError)) throw error;
    },
  );
}
