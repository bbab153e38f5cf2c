import { type Colour, colour, mix } from './colour.ts';
import type { Random } from './random.ts';

/** The colours of one picture, from the farthest to the nearest. */
export interface Palette {
  readonly skyTop: Colour;
  readonly skyLow: Colour;
  readonly sun: Colour;
  readonly far: Colour;
  readonly near: Colour;
  readonly accent: Colour;
  readonly second: Colour;
  /** The darkest and the palest, for lettering and its ground. */
  readonly deep: Colour;
  readonly pale: Colour;
}

type Tone = readonly [lightness: number, chroma: number];

/** Lightness and chroma of a time of day or a way of printing; the hues come from the seed. */
interface Mood {
  readonly skyTop: Tone;
  readonly skyLow: Tone;
  readonly far: Tone;
  readonly near: Tone;
  readonly sun: Tone;
  readonly accent: Tone;
}

const night: Mood = {
  skyTop: [0.19, 0.06],
  skyLow: [0.46, 0.13],
  far: [0.42, 0.12],
  near: [0.14, 0.04],
  sun: [0.93, 0.05],
  accent: [0.82, 0.15],
};
const dusk: Mood = {
  skyTop: [0.34, 0.13],
  skyLow: [0.79, 0.15],
  far: [0.58, 0.14],
  near: [0.18, 0.06],
  sun: [0.94, 0.11],
  accent: [0.84, 0.16],
};
const day: Mood = {
  skyTop: [0.78, 0.08],
  skyLow: [0.95, 0.045],
  far: [0.77, 0.09],
  near: [0.33, 0.09],
  sun: [0.99, 0.03],
  accent: [0.66, 0.19],
};
const print: Mood = {
  skyTop: [0.93, 0.035],
  skyLow: [0.89, 0.06],
  far: [0.74, 0.13],
  near: [0.36, 0.11],
  sun: [0.68, 0.19],
  accent: [0.62, 0.21],
};
const grey: Mood = {
  skyTop: [0.26, 0.008],
  skyLow: [0.66, 0.012],
  far: [0.52, 0.012],
  near: [0.17, 0.008],
  sun: [0.66, 0.22],
  accent: [0.7, 0.2],
};
const neon: Mood = {
  skyTop: [0.2, 0.1],
  skyLow: [0.42, 0.21],
  far: [0.46, 0.22],
  near: [0.15, 0.08],
  sun: [0.82, 0.18],
  accent: [0.85, 0.19],
};

const moods: readonly [Mood, ...Mood[]] = [night, dusk, dusk, day, day, print, neon, neon, grey];

/** Degrees between the picture's two hues. */
const intervals: readonly [number, ...number[]] = [32, -38, 62, -75, 120, 150, 180, -150];

export function createPalette(random: Random): Palette {
  const mood = random.pick(moods);
  const hue = random.between(145, 425);
  const other = clear(hue + random.pick(intervals));
  const make = ([l, c]: Tone, h: number): Colour => colour(l, c, h);
  const near = make(mood.near, hue);
  return {
    skyTop: make(mood.skyTop, hue),
    skyLow: make(mood.skyLow, other),
    far: make(mood.far, clear(mix(make(mood.far, hue), make(mood.far, other), 0.6).h)),
    near,
    sun: make(mood.sun, other),
    accent: make(mood.accent, other + 12),
    second: make([mood.accent[0] - 0.1, mood.accent[1]], hue),
    deep: colour(0.15, Math.min(0.05, near.c), hue),
    pale: colour(0.97, 0.018, other),
  };
}

/** Dark yellows look like mud: such a hue moves to orange or green. */
function clear(hue: number): number {
  const turned = ((hue % 360) + 360) % 360;
  if (turned < 72 || turned > 142) return turned;
  return turned < 107 ? 66 : 148;
}

/** The colour at a distance: 0 is the farthest layer, 1 the nearest. */
export function layer(palette: Palette, nearness: number): Colour {
  return mix(palette.far, palette.near, nearness);
}
