import { showsSimulation } from '../simulation/shows-simulation.ts';

showsSimulation('singles', 21_900, 601);
showsSimulation('submissions', 7_400, 101);
