import type { Lettering } from './lettering.ts';
import { createPalette, type Palette } from './palette.ts';
import { createRandom, type Random } from './random.ts';
import type { Scene } from './scenes/canvas.ts';
import { leaves } from './scenes/figures.ts';
import { bands, beams, contours, facets, planets, rings, sunset, tiles } from './scenes/geometry.ts';
import { dunes, forest, ridges, sea, skyline } from './scenes/landscapes.ts';

/** A style: what the pictures of one creator's Set have in common. */
export interface Style {
  readonly palette: Palette;
  readonly scene: Scene;
  readonly lettering: Lettering;
  /** Chooses among a manner's layouts, 0–1. */
  readonly turn: number;
  /** For the details that differ between pictures of one style. */
  readonly details: Random;
}

const scenes: readonly [Scene, ...Scene[]] = [
  ridges,
  sea,
  dunes,
  forest,
  skyline,
  sunset,
  rings,
  bands,
  tiles,
  beams,
  planets,
  contours,
  facets,
  leaves,
];

const letterings: readonly [Lettering, ...Lettering[]] = [
  { face: 'sans', capitals: false, tracking: -0.02 },
  { face: 'sans', capitals: true, tracking: 0.02 },
  { face: 'condensed', capitals: true, tracking: 0 },
  { face: 'condensed', capitals: true, tracking: 0.08 },
  { face: 'slanted', capitals: true, tracking: -0.01 },
  { face: 'light', capitals: true, tracking: 0.14 },
  { face: 'serif', capitals: false, tracking: 0 },
  { face: 'narrowSerif', capitals: true, tracking: 0.04 },
  { face: 'italic', capitals: false, tracking: 0 },
  { face: 'mono', capitals: false, tracking: 0 },
];

/**
 * The part of a seed before its first `/` decides the style, the whole seed the details: the pictures of
 * `set-12/season-1` and `set-12/season-2` have one style.
 */
export function styleOf(seed: string): Style {
  const hand = createRandom(`style ${seed.split('/', 1)[0]}`);
  const details = createRandom(`details ${seed}`);
  const palette = createPalette(hand);
  const lettering = hand.pick(letterings);
  const turn = hand.between(0, 1);
  const some: readonly [Scene, ...Scene[]] = [hand.pick(scenes), hand.pick(scenes), hand.pick(scenes)];
  return { palette, lettering, turn, scene: details.pick(some), details };
}
