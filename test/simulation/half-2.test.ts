import { showsNoViolation } from './shows-no-violation.ts';

showsNoViolation({ schedules: 10_000, seed: 10_001 });
