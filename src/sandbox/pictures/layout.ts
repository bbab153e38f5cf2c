import type { SlotShape } from './slot-shapes.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the art and the words of one picture go, in pixels. */
export interface Layout {
  /** The scene fills this; the rest is paper. */
  readonly art: Box;
  /** The words stay inside this. */
  readonly words: Box;
  readonly anchor: 'top' | 'middle' | 'bottom';
  readonly align: 'left' | 'centre';
  /** Title: lines, characters and letter size at most. */
  readonly lines: number;
  readonly most: number;
  readonly largest: number;
  /** Letter size of the line beneath or above the title. */
  readonly small: number;
  readonly subtitle: 'above' | 'below';
  readonly frame: boolean;
}

/** A layout in shares of the picture's width and height; letter sizes are shares of its height. */
type Plan = Omit<Layout, 'art'> & { readonly art?: Box };

type Plans = readonly [Plan, ...Plan[]];

const low = { anchor: 'bottom', subtitle: 'above', align: 'left', frame: false } as const;
const centred = { ...low, align: 'centre', subtitle: 'below' } as const;

function box(x: number, y: number, width: number, height: number): Box {
  return { x, y, width, height };
}

const posters: Plans = [
  { ...low, words: box(0.08, 0.6, 0.84, 0.34), lines: 4, most: 90, largest: 0.15, small: 0.024 },
  { ...centred, words: box(0.08, 0.6, 0.84, 0.335), lines: 4, most: 90, largest: 0.15, small: 0.024 },
  {
    ...centred,
    words: box(0.08, 0.065, 0.84, 0.3),
    lines: 4,
    most: 90,
    largest: 0.14,
    small: 0.024,
    anchor: 'top',
  },
  {
    ...low,
    words: box(0.09, 0.775, 0.82, 0.18),
    lines: 3,
    most: 80,
    largest: 0.1,
    small: 0.023,
    subtitle: 'below',
    anchor: 'middle',
    art: box(0.045, 0.03, 0.91, 0.715),
  },
  {
    ...low,
    words: box(0.12, 0.58, 0.76, 0.34),
    lines: 4,
    most: 90,
    largest: 0.13,
    small: 0.022,
    align: 'centre',
    frame: true,
  },
];

const titlecards: Plans = [
  { ...low, words: box(0.06, 0.52, 0.62, 0.4), lines: 3, most: 90, largest: 0.15, small: 0.042 },
  { ...centred, words: box(0.1, 0.54, 0.8, 0.37), lines: 2, most: 90, largest: 0.14, small: 0.04 },
  {
    ...low,
    words: box(0.06, 0.18, 0.5, 0.64),
    lines: 4,
    most: 90,
    largest: 0.16,
    small: 0.042,
    anchor: 'middle',
  },
  {
    ...low,
    words: box(0.12, 0.2, 0.76, 0.6),
    lines: 3,
    most: 90,
    largest: 0.17,
    small: 0.04,
    align: 'centre',
    anchor: 'middle',
    frame: true,
  },
];

const backdrops: Plans = [
  {
    ...low,
    words: box(0.05, 0.74, 0.4, 0.19),
    lines: 2,
    most: 70,
    largest: 0.07,
    small: 0.026,
    subtitle: 'below',
  },
];

const banners: Plans = [
  {
    ...low,
    words: box(0.06, 0.14, 0.52, 0.72),
    lines: 3,
    most: 80,
    largest: 0.26,
    small: 0.06,
    anchor: 'middle',
    subtitle: 'below',
  },
  {
    ...centred,
    words: box(0.12, 0.14, 0.76, 0.72),
    lines: 3,
    most: 80,
    largest: 0.28,
    small: 0.06,
    anchor: 'middle',
  },
  { ...low, words: box(0.06, 0.4, 0.66, 0.5), lines: 2, most: 80, largest: 0.22, small: 0.06 },
];

const squares: Plans = [
  { ...low, words: box(0.08, 0.52, 0.84, 0.4), lines: 3, most: 80, largest: 0.2, small: 0.034 },
  {
    ...centred,
    words: box(0.1, 0.26, 0.8, 0.48),
    lines: 3,
    most: 80,
    largest: 0.2,
    small: 0.034,
    anchor: 'middle',
    frame: true,
  },
  {
    ...low,
    words: box(0.08, 0.755, 0.84, 0.2),
    lines: 2,
    most: 80,
    largest: 0.12,
    small: 0.03,
    anchor: 'middle',
    subtitle: 'below',
    art: box(0.04, 0.04, 0.92, 0.69),
  },
];

const portraits: Plans = [
  { ...centred, words: box(0.08, 0.78, 0.84, 0.165), lines: 2, most: 60, largest: 0.07, small: 0.022 },
];

const icons: Plans = [
  {
    ...low,
    words: box(0.17, 0.2, 0.66, 0.6),
    lines: 1,
    most: 3,
    largest: 0.8,
    small: 0.08,
    align: 'centre',
    anchor: 'middle',
  },
];

const plans = {
  poster: posters,
  titlecard: titlecards,
  backdrop: backdrops,
  banner: banners,
  square: squares,
  portrait: portraits,
  icon: icons,
};

/** @param turn chooses among the layouts of the shape's manner, 0–1 */
export function layoutOf(shape: SlotShape & { readonly manner: keyof typeof plans }, turn: number): Layout {
  const { width, height } = shape;
  const choices = plans[shape.manner];
  const plan = choices[Math.floor(turn * choices.length)] ?? choices[0];
  const scaled = (box: Box): Box => ({
    x: box.x * width,
    y: box.y * height,
    width: box.width * width,
    height: box.height * height,
  });
  return {
    ...plan,
    art: scaled(plan.art ?? box(0, 0, 1, 1)),
    words: scaled(plan.words),
    largest: plan.largest * height,
    small: plan.small * height,
  };
}
