// Loaded into a server by `--import`: its dates are as many ms ahead as the file of TEST_DATES_AHEAD says at that
// moment, like those of a machine that has slept while its timers and its monotonic clock stood still.
import { readFileSync } from 'node:fs';

const file = process.env.TEST_DATES_AHEAD ?? '';
const now = Date.now.bind(Date);
Date.now = () => now() + Number(readFileSync(file, 'utf8'));
