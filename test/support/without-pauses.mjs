// Loaded into a program by `--import`: no pause of a second or less takes any time. The longer ones, such as the
// limits of requests, stay.
import { syncBuiltinESMExports } from 'node:module';
import promises from 'node:timers/promises';

const wait = promises.setTimeout;
promises.setTimeout = (milliseconds, ...rest) => wait(milliseconds > 1_000 ? milliseconds : 0, ...rest);
syncBuiltinESMExports();
