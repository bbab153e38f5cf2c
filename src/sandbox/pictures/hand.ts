import { type Colour, mix } from './colour.ts';
import type { FaceName } from './fonts.ts';
import { createRandom, type Random } from './random.ts';
import type { Manner } from '../artwork/slots.ts';

/** The colours of one picture. */
export interface Palette {
  readonly skyTop: Colour;
  readonly skyLow: Colour;
  readonly sun: Colour;
  /** The farthest layer of the land, and the nearest. */
  readonly far: Colour;
  readonly near: Colour;
  /** Beneath the words, and the words. */
  readonly ground: Colour;
  readonly ink: Colour;
  readonly accent: Colour;
  /** Lettering on nothing: seen on a dark screen and on a pale one. */
  readonly bright: Colour;
}

/** How one creator works: what tells their pictures from all others. */
export interface Hand {
  readonly palette: Palette;
  readonly face: FaceName;
  readonly capitals: boolean;
  readonly align: 'left' | 'centre';
  /** Where the words are; wide pictures have them at the side. */
  readonly place: 'foot' | 'head';
  /** The words stand on a plain field rather than on a scene that fades. */
  readonly plain: boolean;
  /** The scene has a border of paper. */
  readonly bordered: boolean;
}

type Tone = readonly [lightness: number, chroma: number];

/** Times of day and ways of printing, as lightness and chroma; hues come from the seed. */
const moods: readonly [Mood, ...Mood[]] = [
  { skyTop: [0.19, 0.06], skyLow: [0.46, 0.13], far: [0.42, 0.12], near: [0.14, 0.04], sun: [0.93, 0.05] },
  { skyTop: [0.34, 0.13], skyLow: [0.79, 0.15], far: [0.58, 0.14], near: [0.18, 0.06], sun: [0.94, 0.11] },
  { skyTop: [0.78, 0.08], skyLow: [0.95, 0.045], far: [0.77, 0.09], near: [0.33, 0.09], sun: [0.99, 0.03] },
  { skyTop: [0.93, 0.035], skyLow: [0.89, 0.06], far: [0.74, 0.13], near: [0.36, 0.11], sun: [0.68, 0.19] },
  { skyTop: [0.26, 0.01], skyLow: [0.66, 0.015], far: [0.52, 0.015], near: [0.17, 0.01], sun: [0.66, 0.22] },
  { skyTop: [0.2, 0.1], skyLow: [0.42, 0.21], far: [0.46, 0.22], near: [0.15, 0.08], sun: [0.82, 0.18] },
];

const grounds = { deep: [0.19, 0.045], vivid: [0.38, 0.13], pale: [0.955, 0.025] } as const;

interface Mood {
  readonly skyTop: Tone;
  readonly skyLow: Tone;
  readonly far: Tone;
  readonly near: Tone;
  readonly sun: Tone;
}

/**
 * @param creator decides how pictures are made
 * @param series what has colours in common, such as a Set
 */
export function handOf(creator: string, series: string, manner: Manner): Hand {
  const own = createRandom(`style of ${creator}`);
  const usual = own.pick<keyof typeof grounds>(['deep', 'deep', 'deep', 'vivid', 'vivid', 'pale', 'pale']);
  // No field and no mist lies on a picture that is to have no words.
  const ground = manner === 'wordless' ? 'deep' : usual;
  const plain = ground !== 'deep';
  const mayBorder = own.chance(0.5);
  return {
    face: own.chance(0.7) ? 'display' : 'text',
    capitals: own.chance(0.4),
    align: own.pick(['left', 'left', 'centre']),
    place: own.pick(['foot', 'foot', 'foot', 'head']),
    plain,
    bordered: plain && mayBorder,
    palette: paletteOf(own.pick(moods), ground, createRandom(`colours ${creator} ${series}`)),
  };
}

function paletteOf(mood: Mood, ground: keyof typeof grounds, random: Random): Palette {
  const hue = clear(random.between(0, 360));
  const other = clear(hue + random.pick([32, -38, 62, -75, 120, 150, 180, -150]));
  const tone = ([l, c]: Tone, h: number): Colour => ({ l, c, h });
  return {
    skyTop: tone(mood.skyTop, hue),
    skyLow: tone(mood.skyLow, other),
    sun: tone(mood.sun, other),
    far: tone(mood.far, mix(tone(mood.far, hue), tone(mood.far, other), 0.6).h),
    near: tone(mood.near, hue),
    ground: tone(grounds[ground], ground === 'pale' ? other : hue),
    ink: ground === 'pale' ? tone([0.22, 0.06], hue) : tone([0.97, 0.018], other),
    accent: ground === 'pale' ? tone([0.5, 0.18], other) : tone([0.84, 0.14], other),
    bright: tone([0.74, 0.16], other),
  };
}

/** Dark yellows look like mud: such a hue moves to orange or green. */
function clear(hue: number): number {
  const turned = ((hue % 360) + 360) % 360;
  if (turned < 72 || turned > 142) return turned;
  return turned < 107 ? 66 : 148;
}
