// Puts two things in each other's place, for as long as it runs: node swapper.mjs PLACE OTHER
import { renameSync } from 'node:fs';

const [, , place, other] = process.argv;
const aside = `${place}.aside`;
process.stdout.write('swapping\n');
for (;;) {
  renameSync(place, aside);
  renameSync(other, place);
  renameSync(aside, other);
}
