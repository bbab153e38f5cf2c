import { plants } from '../simulation/plants.ts';
import { runSchedule } from '../simulation/schedule.ts';
import { catches } from '../simulation/shows.ts';

for (const { name, caught, plant, only, of = 'submissions' } of plants)
  catches(name, caught, 10_000, (seed, traced) => runSchedule({ seed, traced, plant, only, of }));
