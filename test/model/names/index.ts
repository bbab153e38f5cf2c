export { heldOut } from './held-out/index.ts';
export { seen } from './seen/index.ts';
