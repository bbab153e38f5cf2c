import { showsSingles } from './singles.ts';

showsSingles(2_500, 1);
