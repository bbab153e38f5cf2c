import { css, mix } from './colour.ts';
import type { Palette } from './hand.ts';
import type { Random } from './random.ts';
import type { SlotShape } from '../artwork/slots.ts';
import type { Box } from './words.ts';

/** Points of an outline from left to right: `x` 0–1 across the picture, `y` −1–1 around the layer's height. */
type Outline = readonly (readonly [x: number, y: number])[];

/** The outline of one layer of land: 0 is the farthest, 1 the nearest. */
type Land = (random: Random, near: number) => Outline;

/** A broken line, by halving and shifting. */
const ridges: Land = (random) => {
  let heights = [random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)];
  for (let reach = 0.75; heights.length < 120; reach *= 0.52) {
    heights = heights.flatMap((height, index) => {
      const next = heights[index + 1];
      return next === undefined ? [height] : [height, (height + next) / 2 + random.between(-reach, reach)];
    });
  }
  return heights.map((height, index) => [index / (heights.length - 1), height]);
};

function curve(height: (x: number) => number): Outline {
  return Array.from({ length: 121 }, (_, index) => [index / 120, height(index / 120)]);
}

const dunes: Land = (random) => {
  const [fast, slow, shift] = [random.between(5, 9), random.between(2, 4), random.between(0, 6)];
  return curve((x) => Math.sin(x * slow + shift) * 0.8 + Math.sin(x * fast + shift * 2) * 0.3);
};

const hills: Land = (random) => {
  const [count, shift] = [random.between(1.2, 2.6), random.between(0, 3)];
  return curve((x) => 1 - 2 * Math.abs(Math.sin(x * count * Math.PI + shift)));
};

const sea: Land = (random, near) => {
  const [count, shift] = [26 - near * 16, random.between(0, 6)];
  return curve((x) => 0.1 + 0.16 * (0.3 + near) * Math.abs(Math.sin(x * count + shift)));
};

const crags: Land = (random) => {
  const points: [number, number][] = [];
  for (let x = -0.1; x < 1.2; x += random.between(0.05, 0.16)) points.push([x, random.between(-1.1, 0.6)]);
  return points;
};

const city: Land = (random, near) => {
  const points: [number, number][] = [];
  for (let x = -0.02; x < 1; ) {
    const [wide, roof] = [random.between(0.035, 0.1) * (0.6 + near), random.between(-1.3, 0.5)];
    points.push([x, roof], [x + wide, roof]);
    if (random.chance(0.25)) points.push([x + wide, roof - 0.5], [x + wide + 0.006, roof - 0.5]);
    x += wide;
  }
  return points;
};

const forest: Land = (random, near) => {
  const points: [number, number][] = [];
  const half = 0.008 + near * 0.016;
  for (let x = -half; x < 1 + half; x += half * random.between(1, 2.4))
    points.push([x - half, 0.9], [x, random.between(-1.5, 0.2)], [x + half, 0.9]);
  return points;
};

const lands: readonly [Land, ...Land[]] = [ridges, dunes, hills, sea, crags, city, forest];

/** What a light looks like, at (0, 0) with the radius 1. */
const lights: readonly [string, ...string[]] = [
  '<circle r="1"/>',
  '<path d="M.3 -1A1.05 1.05 0 1 0 .95 .55A.95 .95 0 0 1 .3 -1z"/>',
  // A sun in slices that grow thinner.
  `<clipPath id="slices"><path d="M-2 -2h4v2.2h-4zM-2 .28h4v.16h-4zM-2 .54h4v.13h-4zM-2 .78h4v.1h-4zM-2 1h4v.06h-4z"/></clipPath><circle r="1.1" clip-path="url(#slices)"/>`,
  `<circle r=".55"/>${[0.85, 1.25, 1.75, 2.4].map((r) => `<circle r="${r}" fill="none" stroke="currentColor" stroke-width="${n(0.16 / r)}"/>`).join('')}`,
  `<circle r=".8"/>${Array.from({ length: 16 }, (_, at) => `<path d="M-.05 -1.05h.1l.9 -30h-1.9z" opacity=".3" transform="rotate(${at * 22.5})"/>`).join('')}`,
];

/**
 * A sky with a light above layers of land, as SVG.
 * @param view the part that no words cover
 * @param motif decides what a series has in common: its land and its light
 */
export function scene(
  { width, height }: SlotShape,
  view: Box,
  palette: Palette,
  random: Random,
  motif: Random,
) {
  const unit = Math.min(view.width, view.height);
  const land = motif.pick(lands);
  const light = motif.pick(lights);
  const radius = unit * random.between(0.13, 0.22);
  const x = view.x + view.width * random.between(0.24, 0.76);
  const y = view.y + view.height * random.between(0.26, 0.46);
  const horizon = view.y + view.height * random.between(0.5, 0.64);
  const count = random.whole(4, 6);
  const layers = Array.from({ length: count }, (_, index) => {
    const near = index / (count - 1);
    const base = horizon + (view.y + view.height * 0.97 - horizon) * near ** 1.15;
    const tall = unit * (0.15 - 0.05 * near);
    const points = land(random, near).map(([across, up]) => `${n(across * width)} ${n(base + up * tall)}`);
    const tone = mix(palette.far, palette.near, near);
    return `<linearGradient id="l${index}" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${n(base - tall)}" y2="${n(base + tall * 3)}"><stop stop-color="${css(tone)}"/><stop offset="1" stop-color="${css(mix(tone, palette.skyLow, 0.35 * (1 - near)))}"/></linearGradient>
      <path d="M-9 ${height}L-9 ${points[0]?.split(' ')[1]}L${points.join('L')}L${width + 9} ${height}z" fill="url(#l${index})"/>`;
  });
  return `<linearGradient id="sky" gradientUnits="userSpaceOnUse" x1="0" x2="0" y1="${n(view.y)}" y2="${n(horizon)}"><stop stop-color="${css(palette.skyTop)}"/><stop offset="1" stop-color="${css(palette.skyLow)}"/></linearGradient>
    <radialGradient id="glow"><stop stop-color="${css(palette.sun)}" stop-opacity=".7"/><stop offset="1" stop-color="${css(palette.sun)}" stop-opacity="0"/></radialGradient>
    <rect width="${width}" height="${height}" fill="url(#sky)"/>
    ${palette.skyTop.l < 0.3 ? stars(width, horizon, palette, random) : ''}
    <circle cx="${n(x)}" cy="${n(y)}" r="${n(radius * 3.4)}" fill="url(#glow)"/>
    <g transform="translate(${n(x)} ${n(y)}) scale(${n(radius)})" fill="${css(palette.sun)}" color="${css(palette.sun)}">${light}</g>
    ${layers.join('')}`;
}

function stars(width: number, low: number, palette: Palette, random: Random): string {
  const dots = Array.from({ length: 90 }, () => {
    const size = random.between(0.6, 2.4) * (width / 1000);
    return `M${n(random.between(0, width))} ${n(random.between(0, 1) ** 1.6 * low)}h${n(size)}v${n(size)}h${n(-size)}z`;
  });
  return `<path d="${dots.join('')}" fill="${css(palette.sun)}" fill-opacity=".7"/>`;
}

/** Head and shoulders before a disc, as SVG. */
export function portrait({ width, height }: SlotShape, view: Box, palette: Palette, random: Random) {
  const r = Math.min(view.width, view.height) * random.between(0.15, 0.18);
  const skin = { l: random.between(0.45, 0.86), c: 0.07, h: random.between(45, 70) };
  const hair = random.pick([
    'M-1.3 0A1.3 1.35 0 0 1 1.3 0L1.5 2.6H-1.5z',
    'M-1.6 -.3A1.6 1.6 0 1 1 1.6 -.3A1.6 1.6 0 1 1 -1.6 -.3z',
    'M-.55 -1.5A.55 .55 0 1 1 .55 -1.5A.55 .55 0 1 1 -.55 -1.5z',
    'M0 0',
  ]);
  const fringe = random.pick([
    'M-1.06 .1A1.06 1.42 0 0 1 1.06 .1Q.7 -.7 .2 -.75Q-.8 -.6 -1.06 .1z',
    'M-1.06 -.1A1.06 1.4 0 0 1 1.06 -.1Q0 -1.05 -1.06 -.1z',
    'M0 0',
  ]);
  const coat = random.pick([palette.accent, palette.far, palette.sun]);
  const cool = { ...skin, l: skin.l - 0.11 };
  return `<rect width="${width}" height="${height}" fill="${css(palette.skyTop)}"/>
    <g transform="translate(${n(view.x + view.width / 2)} ${n(view.y + view.height * 0.5)}) scale(${n(r)})">
      <circle r="2.5" fill="${css(palette.skyLow)}"/>
      <path d="${hair}" fill="${css(palette.near)}"/>
      <path d="M-.42 .4H.42V2.4H-.42z" fill="${css(cool)}"/>
      <path d="M-2.5 19V3.6Q-2.5 2.3 -.6 1.8Q0 2.5 .6 1.8Q2.5 2.3 2.5 3.6V19z" fill="${css(coat)}"/>
      <ellipse rx="1" ry="1.27" fill="${css(skin)}"/>
      <path d="M0 -1.27A1 1.27 0 0 1 0 1.27z" fill="${css(cool)}" fill-opacity=".6"/>
      <path d="${fringe}" fill="${css(palette.near)}"/>
    </g>`;
}

/** A coordinate, short enough for markup. */
export function n(value: number): string {
  return String(Math.round(value * 100) / 100);
}
