import { ArtworkError } from '../../../src/errors.ts';
import { fillDisk, type Misfortune } from '../misfortunes.ts';
import { assets } from './owned-set.ts';
import { type Planted, startProcess, type World } from './process.ts';
import type { Wish } from './wishes.ts';

/** What befalls the account, its folder and its Set while submissions are made. */
export function misfortunesOfSubmissions(
  world: World,
  wishes: readonly Wish[],
  plant: () => Planted,
): readonly Misfortune[] {
  const { access, folder, copies, set, reach } = world;
  const paths = wishes.flatMap(({ pictures }) => [...pictures.values()].map(({ path }) => path));
  return [
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
    { chance: 0.06, what: 'the disk is full for a while', happen: () => fillDisk(world) },
    { chance: 0.08, what: 'somebody else changes the Set', happen: () => set.change(null) },
    { chance: 0.08, what: 'somebody else changes an Asset', happen: () => set.change(assets.replaced.id) },
    { chance: 0.25, what: 'a host ends its server', happen: () => void endServer(world) },
    { chance: 0.06, what: 'a person gives up', happen: () => giveUp(world, wishes, plant) },
  ];
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
