import { showsSingles } from './singles.ts';

showsSingles(20_000, 2_501);
