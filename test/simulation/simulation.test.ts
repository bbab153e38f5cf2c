import { showsNoViolation } from './shows.ts';

showsNoViolation('singles', 200, 1);
showsNoViolation('submissions', 50, 1);
showsNoViolation('connections', 1_000, 1);
