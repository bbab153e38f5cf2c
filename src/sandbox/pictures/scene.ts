import { css, type Hand, mix, type Random, randomOf } from './palette.ts';

/** In pixels, from the top left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The outline of one layer of land, left to right; 0 is the farthest layer, 1 the nearest. */
type Land = (random: Random, near: number) => readonly (readonly [across: number, up: number])[];

function curve(up: (x: number) => number): ReturnType<Land> {
  return Array.from({ length: 61 }, (_, at) => [at / 60, up(at / 60)] as const);
}

const lands: readonly [Land, ...Land[]] = [
  // Dunes.
  (random) => {
    const [fast, slow, shift] = [random.between(5, 9), random.between(2, 4), random.between(0, 6)];
    return curve((x) => Math.sin(x * slow + shift) * 0.8 + Math.sin(x * fast + shift * 2) * 0.3);
  },
  // Hills.
  (random) => {
    const [count, shift] = [random.between(1.2, 2.6), random.between(0, 3)];
    return curve((x) => 1 - 2 * Math.abs(Math.sin(x * count * Math.PI + shift)));
  },
  // A sea.
  (random, near) => {
    const [count, shift] = [24 - near * 14, random.between(0, 6)];
    return curve((x) => 0.1 + 0.16 * (0.3 + near) * Math.abs(Math.sin(x * count + shift)));
  },
  // Crags.
  (random) => {
    const points: [number, number][] = [];
    for (let x = -0.1; x < 1.2; x += random.between(0.04, 0.13)) points.push([x, random.between(-1.1, 0.6)]);
    return points;
  },
  // A forest.
  (random, near) => {
    const points: [number, number][] = [];
    const half = 0.01 + near * 0.018;
    for (let x = -half; x < 1 + half; x += half * random.between(1, 2.2))
      points.push([x - half, 0.9], [x, random.between(-1.4, 0.2)], [x + half, 0.9]);
    return points;
  },
  // A town.
  (random, near) => {
    const points: [number, number][] = [];
    for (let x = -0.02; x < 1; ) {
      const [wide, roof] = [random.between(0.035, 0.1) * (0.6 + near), random.between(-1.3, 0.5)];
      if (random.chance(0.4)) points.push([x, roof], [x + wide / 2, roof - 0.5], [x + wide, roof]);
      else points.push([x, roof], [x + wide, roof]);
      x += wide;
    }
    return points;
  },
];

/** Rings: a gradient around a centre takes as long to draw as all the rest. */
const glow = [1.35, 1.8, 2.5].map((r) => `<circle r="${r}" fill-opacity=".1"/>`).join('');

/** Around (0, 0) with the radius 1. */
const lights: readonly [string, ...string[]] = [
  '<circle r="1"/>',
  '<path d="M.3-1A1.05 1.05 0 1 0 .95.55.95.95 0 0 1 .3-1z"/>',
  '<circle r=".55"/><g fill="none" stroke="currentColor" stroke-width=".13"><circle r=".85"/><circle r="1.25" stroke-width=".08"/><circle r="1.75" stroke-width=".05"/></g>',
  `<circle r=".8"/><path d="${Array.from({ length: 14 }, (_, at) => ray((at * 2 * Math.PI) / 14)).join('')}" fill-opacity=".22"/>`,
  '<circle r=".85"/><path d="M-1.9.35C-2.3.75 2.3-.75 1.9-.35" fill="none" stroke="currentColor" stroke-width=".16"/>',
];

function ray(angle: number): string {
  const at = (turn: number, far: number) =>
    `${n(Math.cos(angle + turn) * far)} ${n(Math.sin(angle + turn) * far)}`;
  return `M${at(-0.05, 1)}L${at(-0.07, 24)} ${at(0.07, 24)} ${at(0.05, 1)}z`;
}

/** Stand on (0, 0) and are 100 high, in the colour of the land; `currentColor` is what glows on them. */
const landmarks: readonly [string, ...string[]] = [
  // A lighthouse, with its beam.
  '<path d="M0-92L-260-150V-60z" fill="currentColor" fill-opacity=".32"/><path d="M-15 9L-9-80H9L15 9zM-13-80H13V-84H-13zM-9-96Q0-108 9-96z"/><path d="M-7-96H7V-84H-7zM-10.6-58L-12-44H12L10.6-58z" fill="currentColor"/>',
  // A tree.
  '<path d="M-5 9C-3-20-4-34-16-48L-12-51C-6-44-3-40-1-34L0-60H4L5-36C8-42 12-46 18-50L21-47C10-36 8-22 9 9z"/><circle cx="-20" cy="-58" r="19"/><circle cx="3" cy="-76" r="25"/><circle cx="25" cy="-58" r="18"/><circle cx="-7" cy="-70" r="4" fill="currentColor"/><circle cx="15" cy="-60" r="4" fill="currentColor"/><circle cx="8" cy="-86" r="4" fill="currentColor"/>',
  // A castle.
  '<path d="M-48 9V-44H-52V-54H-46V-49H-41V-54H-35V-49H-30V-54H-24V-44H-28V-30H-13V-62H-17V-70H-8V-66H8V-70H17V-62H13V-30H28V-56H24V-62H52V-56H48V9zM-20-70L0-104 20-70zM22-62L38-90 54-62z"/><path d="M-4-56H4V-44H-4zM34-48H41V-38H34zM-8 9V-12A8 8 0 0 1 8-12V9z" fill="currentColor"/>',
  // A house with a lit window.
  '<path d="M-30 9V-44L-40-40-44-48 0-82 20-66V-78H30V-58L44-48 40-40 30-44V9z"/><path d="M-17-40H-3V-24H-17zM6-28H18V9H6z" fill="currentColor"/><path d="M25-84C19-92 32-96 26-106" fill="none" stroke="currentColor" stroke-width="4" stroke-linecap="round" stroke-opacity=".6"/>',
  // A ship under sail.
  '<path d="M-46-16H48L34 9H-34zM-4-16V-96H0V-16z"/><path d="M3-94C34-76 42-48 40-24H3z" fill="currentColor"/><path d="M-7-84C-26-66-36-46-38-24H-7z" fill="currentColor" fill-opacity=".75"/><path d="M0-96L18-92 0-88z"/>',
  // A balloon.
  '<path d="M0-110C-36-110-44-78-30-58L-8-30H8L30-58C44-78 36-110 0-110zM-7-22H7V-10H-7z"/><path d="M0-110C-16-104-18-70-4-30H4C18-70 16-104 0-110z" fill="currentColor"/><path d="M-8-30L-6-22M8-30L6-22" stroke-width="1.5" stroke="currentColor"/>',
  // A windmill.
  '<path d="M-16 9L-10-58Q0-72 10-58L16 9z"/><g transform="translate(0-60)rotate(24)"><path d="M-2-48H2V48H-2zM-48-2H48V2H-48z"/><path d="M3-48H14V-10H3zM-3 48H-14V10H-3zM48 3V14H10V3zM-48-3V-14H-10V-3z" fill="currentColor" fill-opacity=".85"/></g><path d="M-5-30H5V-18H-5z" fill="currentColor"/>',
  // An observatory.
  '<path d="M-44 9V-34H44V9zM-48-34V-40H48V-34zM-36-42A36 38 0 0 1 36-42z"/><path d="M8-50L36-98 46-92 20-46z"/><path d="M36-98L46-92 49-97 39-103zM-32-22H-22V-8H-32zM22-22H32V-8H22zM-6 9V-16H6V9z" fill="currentColor"/>',
  // A gate.
  '<path d="M-34 9L-29-70H-20L-22 9zM34 9L29-70H20L22 9zM-36-56H36V-49H-36zM-5-76H5V-50H-5z"/><path d="M-52-90Q0-78 52-90L48-76Q0-68-48-76z" fill="currentColor"/>',
  // A whale's tail.
  '<path d="M-14 9C-10-24-12-40-18-54-34-58-52-66-58-88-40-84-16-80 0-62 16-80 40-84 58-88 52-66 34-58 18-54 12-40 10-24 14 9z"/><path d="M-34 4A36 7 0 0 1 34 4" fill="none" stroke="currentColor" stroke-width="3.5" stroke-linecap="round"/><path d="M-52 6A58 14 0 0 1 52 6" fill="none" stroke="currentColor" stroke-width="2" stroke-opacity=".6"/>',
  // Somebody under an umbrella.
  '<path d="M-11 9L-14-34Q-13-46-3-47L6-45Q13-42 12-32L17 9H5L1-14-2 9z"/><circle cx="1" cy="-57" r="9"/><path d="M9-38L17-60 20-59 13-36zM16-58L22-84 25-83 19-57z"/><path d="M-36-78C-30-112 66-114 68-66 58-76 46-76 38-68 28-80 12-82 2-74-8-84-24-86-36-78z" fill="currentColor"/>',
  // A rocket.
  '<path d="M0-112C16-94 19-66 14-30H-14C-19-66-16-94 0-112zM-15-52L-32-20V-8L-12-26zM15-52L32-20V-8L12-26z"/><circle cy="-72" r="8" fill="currentColor"/><path d="M-9-28H9C12-14 4-4 0 8-4-4-12-14-9-28z" fill="currentColor"/>',
];

/**
 * A sky with a light above layers of land, on which a landmark stands, as SVG.
 * @param view the part that no words cover
 * @param series decides what pictures have in common: their land and their light
 */
export function scene(
  size: { width: number; height: number },
  view: Box,
  hand: Hand,
  series: string,
  seed: string,
) {
  const { width, height } = size;
  const common = randomOf(`land of ${series}`);
  const random = randomOf(`scene of ${seed}`);
  const [land, light] = [common.pick(lands), common.pick(lights)];
  const unit = Math.min(view.width, view.height);
  const radius = unit * random.between(0.12, 0.19);
  const isLeft = random.chance(0.5);
  const across = (left: number, right: number) => {
    const share = random.between(left, right);
    return view.x + view.width * (isLeft ? share : 1 - share);
  };
  const [x, y] = [across(0.16, 0.4), view.y + view.height * random.between(0.2, 0.42)];
  const horizon = view.y + view.height * random.between(0.52, 0.62);
  const bottom = view.y + view.height * 0.95;
  const depth = [0, 0.25, 0.5, 0.75, 1].map((near) => ({
    near,
    base: horizon + (bottom - horizon) * near ** 1.1,
    tall: unit * (0.13 - 0.05 * near),
  }));
  const layers = depth.map(({ near, base, tall }, at) => {
    const points = land(random, near).map(([right, up]) => `${n(right * width)} ${n(base + up * tall)}`);
    const tone = mix(hand.land[0], hand.land[1], near);
    const next = depth[at + 1];
    // What the next layer covers is not drawn: large surfaces are what drawing takes its time for.
    const low = next === undefined ? height : Math.min(height, next.base + next.tall * 1.2);
    return `<path d="M-9 ${n(low)}L-9 ${points[0]?.split(' ')[1]} ${points.join(' ')} ${width + 9} ${n(low)}z" fill="${css(tone)}"/>`;
  });
  const scale = unit * random.between(0.0042, 0.0052);
  const foot = horizon + (view.y + view.height - horizon) * 0.66;
  const mirror = random.chance(0.5) ? -1 : 1;
  const standing = `<g transform="translate(${n(across(0.58, 0.8))} ${n(foot)}) scale(${n(scale * mirror)} ${n(scale)})" fill="${css(mix(hand.land[0], hand.land[1], 0.85))}" color="${css(hand.sun)}">${random.pick(landmarks)}</g>`;
  return `<linearGradient id="sky" gradientUnits="userSpaceOnUse" x2="0" y1="${n(view.y)}" y2="${n(horizon)}"><stop stop-color="${css(hand.sky[0])}"/><stop offset="1" stop-color="${css(hand.sky[1])}"/></linearGradient>
<rect width="${width}" height="${n(horizon + unit * 0.14)}" fill="url(#sky)"/>${hand.isNight ? stars(width, horizon, hand, random) : ''}
<g transform="translate(${n(x)} ${n(y)}) scale(${n(radius)})" fill="${css(hand.sun)}" color="${css(hand.sun)}">${glow}${light}</g>
${layers.slice(0, 3).join('')}${standing}${layers.slice(3).join('')}`;
}

function stars(width: number, low: number, { sun }: Hand, random: Random): string {
  const dots = Array.from({ length: 60 }, () => {
    const side = random.between(0.6, 2.4) * (width / 1000);
    return `M${n(random.between(0, width))} ${n(random.between(0, 1) ** 1.6 * low)}h${n(side)}v${n(side)}h${n(-side)}z`;
  });
  return `<path d="${dots.join('')}" fill="${css(sun)}" fill-opacity=".75"/>`;
}

/** Head and shoulders before a disc, as SVG. */
export function portrait(
  size: { width: number; height: number },
  view: Box,
  hand: Hand,
  seed: string,
): string {
  const random = randomOf(`portrait of ${seed}`);
  const radius = Math.min(view.width, view.height) * random.between(0.15, 0.18);
  const skin = [random.between(0.45, 0.86), 0.07, random.between(45, 70)] as const;
  const hair = random.pick([
    'M-1.3 0A1.3 1.35 0 0 1 1.3 0L1.5 2.6H-1.5z',
    'M-1.6-.3A1.6 1.6 0 1 1 1.6-.3 1.6 1.6 0 1 1-1.6-.3z',
    'M-.55-1.5A.55.55 0 1 1 .55-1.5.55.55 0 1 1-.55-1.5z',
    'M0 0',
  ]);
  const fringe = random.pick([
    'M-1.06.1A1.06 1.42 0 0 1 1.06.1Q.7-.7.2-.75-.8-.6-1.06.1z',
    'M-1.06-.1A1.06 1.4 0 0 1 1.06-.1Q0-1.05-1.06-.1z',
    'M0 0',
  ]);
  const coat = css(random.pick([hand.accent, hand.land[0], hand.sun]));
  const [face, shade, dark] = [css(skin), css([skin[0] - 0.1, skin[1], skin[2]]), css(hand.land[1])];
  return `<rect width="${size.width}" height="${size.height}" fill="${css(hand.sky[0])}"/>
<g transform="translate(${n(view.x + view.width / 2)} ${n(view.y + view.height / 2)}) scale(${n(radius)})"><circle r="2.5" fill="${css(hand.sky[1])}"/><path d="${hair}" fill="${dark}"/><path d="M-.42.4H.42V2.4H-.42z" fill="${shade}"/><path d="M-2.5 19V3.6Q-2.5 2.3-.6 1.8 0 2.5.6 1.8 2.5 2.3 2.5 3.6V19z" fill="${coat}"/><ellipse rx="1" ry="1.27" fill="${face}"/><path d="M0-1.27A1 1.27 0 0 1 0 1.27z" fill="${shade}" fill-opacity=".6"/><path d="${fringe}" fill="${dark}"/></g>`;
}

/** A number, short enough for markup. */
export function n(value: number): string {
  return String(Math.round(value * 1000) / 1000);
}
