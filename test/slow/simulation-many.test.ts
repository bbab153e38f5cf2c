import { showsSingles } from '../simulation/singles.ts';

showsSingles(9_900, 601);
