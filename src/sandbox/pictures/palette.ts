import { createHash } from 'node:crypto';

/** Pseudorandom numbers: the same for the same seed, on every machine. */
export interface Random {
  between(low: number, high: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  chance(share: number): boolean;
}

/** Mulberry32 over the SHA-256 of the seed. */
export function randomOf(seed: string): Random {
  let state = createHash('sha256').update(seed).digest().readUInt32LE(0);
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    between: (low, high) => low + next() * (high - low),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    chance: (share) => next() < share,
  };
}

/** A colour in OKLCH, where equal steps look equal: lightness 0–1, chroma 0–0.37, hue in degrees. */
export type Colour = readonly [lightness: number, chroma: number, hue: number];

/** `share` 0 is the first colour, 1 the second; the hue takes the shorter way. */
export function mix(first: Colour, second: Colour, share: number): Colour {
  const turn = ((((second[2] - first[2]) % 360) + 540) % 360) - 180;
  const between = (one: number, other: number) => one + (other - one) * share;
  return [between(first[0], second[0]), between(first[1], second[1]), first[2] + turn * share];
}

/** `#rrggbb`. Where a screen can't show the colour its chroma shrinks, so that lightness and hue stay. */
export function css([lightness, chroma, hue]: Colour): string {
  let rgb = linearRgb(lightness, chroma, hue);
  for (let c = chroma; c > 0.005 && rgb.some((part) => part < 0 || part > 1); ) {
    c *= 0.92;
    rgb = linearRgb(lightness, c, hue);
  }
  const hex = rgb.map((part) => {
    const share = Math.min(1, Math.max(0, part));
    const encoded = share <= 0.0031308 ? share * 12.92 : 1.055 * share ** (1 / 2.4) - 0.055;
    return Math.round(255 * encoded)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${hex.join('')}`;
}

function linearRgb(lightness: number, chroma: number, hue: number): readonly number[] {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** How one creator works, and the colours of one series of pictures, such as a Set. */
export interface Hand {
  readonly sky: readonly [top: Colour, low: Colour];
  readonly sun: Colour;
  /** The farthest layer of the land, and the nearest. */
  readonly land: readonly [far: Colour, near: Colour];
  /** Beneath the words, the words, and the number. */
  readonly ground: Colour;
  readonly ink: Colour;
  readonly accent: Colour;
  /** Lettering on nothing: seen on a dark screen and on a pale one. */
  readonly bright: Colour;
  readonly isNight: boolean;
  /** The words stand on a plain field rather than on the scene as it fades. */
  readonly isPlain: boolean;
  readonly isCentred: boolean;
  readonly capitals: boolean;
}

type Tone = readonly [lightness: number, chroma: number];

/** Times of day and ways of printing; hues come from the series. */
const moods: readonly [Mood, ...Mood[]] = [
  { top: [0.19, 0.06], low: [0.46, 0.13], far: [0.42, 0.12], near: [0.14, 0.04], sun: [0.93, 0.05] },
  { top: [0.34, 0.13], low: [0.8, 0.15], far: [0.58, 0.14], near: [0.18, 0.06], sun: [0.95, 0.1] },
  { top: [0.76, 0.09], low: [0.95, 0.045], far: [0.78, 0.09], near: [0.32, 0.09], sun: [0.99, 0.03] },
  { top: [0.93, 0.035], low: [0.88, 0.07], far: [0.74, 0.13], near: [0.34, 0.11], sun: [0.68, 0.19] },
  { top: [0.25, 0.015], low: [0.66, 0.02], far: [0.52, 0.02], near: [0.16, 0.01], sun: [0.68, 0.21] },
  { top: [0.22, 0.1], low: [0.45, 0.2], far: [0.47, 0.2], near: [0.16, 0.08], sun: [0.84, 0.17] },
];

const grounds = {
  deep: (hue: number): Colour => [0.17, 0.045, hue],
  vivid: (hue: number): Colour => [0.36, 0.13, hue],
  pale: (_: number, other: number): Colour => [0.955, 0.025, other],
} as const;

interface Mood {
  readonly top: Tone;
  readonly low: Tone;
  readonly far: Tone;
  readonly near: Tone;
  readonly sun: Tone;
}

/**
 * @param creator decides how pictures are made
 * @param series what has colours in common
 */
export function handOf(creator: string, series: string): Hand {
  const own = randomOf(`hand of ${creator}`);
  const mood = own.pick(moods);
  const field = own.pick<'deep' | 'vivid' | 'pale'>(['deep', 'deep', 'deep', 'vivid', 'pale']);
  const colours = randomOf(`colours of ${creator} in ${series}`);
  const hue = colours.between(0, 360);
  const other = hue + colours.pick([35, -40, 62, -75, 120, 150, 180, -150]);
  const tone = ([l, c]: Tone, h: number): Colour => [l, c, h];
  return {
    sky: [tone(mood.top, hue), tone(mood.low, other)],
    sun: tone(mood.sun, other),
    land: [tone(mood.far, hue + (other - hue) * 0.6), tone(mood.near, hue)],
    ground: grounds[field](hue, other),
    ink: field === 'pale' ? [0.24, 0.06, hue] : [0.97, 0.012, other],
    accent: field === 'pale' ? [0.5, 0.18, hue] : [0.86, 0.14, other],
    bright: [0.68, 0.19, other],
    isNight: mood.top[0] < 0.3,
    isPlain: field !== 'deep',
    isCentred: own.chance(0.3),
    capitals: own.chance(0.4),
  };
}
