import { showsSingles } from './singles.ts';

showsSingles(1);
