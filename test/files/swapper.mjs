// Puts two things in each other's place, for as long as it runs: node swapper.mjs PLACE OTHER
import { renameSync } from 'node:fs';

const [, , place, other] = process.argv;
const aside = `${place}.aside`;
process.stdout.write('swapping\n');
for (;;) {
  renameSync(place, aside);
  renameSync(other, place);
  renameSync(aside, other);
  // Mostly for less time than a look takes, and now and then for long enough that all of them agree.
  const until = performance.now() + (Math.random() < 0.1 ? 5 : Math.random() / 10);
  while (performance.now() < until);
}
