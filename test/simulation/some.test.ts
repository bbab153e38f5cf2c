import { showsSingles } from './singles.ts';

showsSingles(300, 1);
