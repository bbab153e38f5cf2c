import { lifePlants } from '../simulation/life/plants.ts';
import { runLife } from '../simulation/life/schedule.ts';
import { plants } from '../simulation/plants.ts';
import { runSchedule } from '../simulation/schedule.ts';
import { catches } from '../simulation/shows.ts';

for (const { name, caught, plant, only, of = 'submissions' } of plants)
  catches(name, caught, 10_000, (seed, traced) => runSchedule({ seed, traced, plant, only, of }));

for (const { name, caught, plant } of lifePlants)
  catches(name, caught, 400, (seed, traced) => runLife({ seed, traced, plant }));
