import { showsSimulation } from './shows-simulation.ts';

showsSimulation('singles', 200, 1);
showsSimulation('submissions', 50, 1);
