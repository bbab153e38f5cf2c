import { showsSingles } from '../simulation/singles.ts';

showsSingles(21_900, 601);
