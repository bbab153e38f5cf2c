import { showsSimulation } from '../simulation/shows-simulation.ts';

showsSimulation('singles', 6_000, 601);
showsSimulation('submissions', 1_500, 101);
