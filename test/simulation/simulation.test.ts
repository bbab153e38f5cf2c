import { lifePlants } from './life/plants.ts';
import { runLife } from './life/schedule.ts';
import { catches, showsNoViolation } from './shows.ts';

showsNoViolation('singles', 200, 1);
showsNoViolation('submissions', 50, 1);
showsNoViolation('connections', 1_000, 1);

for (const { name, caught, plant } of lifePlants)
  catches(name, caught, 400, (seed, traced) => runLife({ seed, traced, plant }));
