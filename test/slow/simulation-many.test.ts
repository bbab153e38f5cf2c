import { showsNoViolation } from '../simulation/shows.ts';

showsNoViolation('singles', 6_000, 601);
showsNoViolation('submissions', 1_500, 101);
showsNoViolation('connections', 4_000, 1_001);
