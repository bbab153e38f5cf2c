import { showsSimulation } from './shows-simulation.ts';

showsSimulation('singles', 400, 1);
showsSimulation('submissions', 100, 1);
