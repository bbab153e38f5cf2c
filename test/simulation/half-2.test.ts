import { showsSingles } from './singles.ts';

showsSingles(10_001);
