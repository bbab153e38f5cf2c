import { showsSingles } from './singles.ts';

showsSingles(600, 1);
