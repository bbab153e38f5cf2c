import { showsSingles } from './singles.ts';

showsSingles(21_900, 601);
