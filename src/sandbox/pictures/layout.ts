import type { SlotShape } from './slots.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where the art and the words of one picture go, in pixels. */
export interface Layout {
  /** The scene fills this; around it is paper. */
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

const posters: Plans = [
  {
    ...low,
    words: { x: 0.08, y: 0.6, width: 0.84, height: 0.34 },
    lines: 4,
    most: 90,
    largest: 0.15,
    small: 0.024,
  },
  {
    ...low,
    words: { x: 0.08, y: 0.6, width: 0.84, height: 0.335 },
    lines: 4,
    most: 90,
    largest: 0.15,
    small: 0.024,
    align: 'centre',
    subtitle: 'below',
  },
  {
    ...low,
    words: { x: 0.08, y: 0.065, width: 0.84, height: 0.3 },
    lines: 4,
    most: 90,
    largest: 0.14,
    small: 0.024,
    align: 'centre',
    subtitle: 'below',
    anchor: 'top',
  },
  {
    ...low,
    words: { x: 0.09, y: 0.775, width: 0.82, height: 0.18 },
    lines: 3,
    most: 80,
    largest: 0.1,
    small: 0.023,
    subtitle: 'below',
    anchor: 'middle',
    art: { x: 0.045, y: 0.03, width: 0.91, height: 0.715 },
  },
  {
    ...low,
    words: { x: 0.12, y: 0.58, width: 0.76, height: 0.34 },
    lines: 4,
    most: 90,
    largest: 0.13,
    small: 0.022,
    align: 'centre',
    frame: true,
  },
];

const titlecards: Plans = [
  {
    ...low,
    words: { x: 0.06, y: 0.52, width: 0.62, height: 0.4 },
    lines: 3,
    most: 90,
    largest: 0.15,
    small: 0.042,
  },
  {
    ...low,
    words: { x: 0.1, y: 0.54, width: 0.8, height: 0.37 },
    lines: 2,
    most: 90,
    largest: 0.14,
    small: 0.04,
    align: 'centre',
    subtitle: 'below',
  },
  {
    ...low,
    words: { x: 0.06, y: 0.18, width: 0.5, height: 0.64 },
    lines: 4,
    most: 90,
    largest: 0.16,
    small: 0.042,
    anchor: 'middle',
  },
  {
    ...low,
    words: { x: 0.12, y: 0.2, width: 0.76, height: 0.6 },
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
    words: { x: 0.05, y: 0.74, width: 0.4, height: 0.19 },
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
    words: { x: 0.06, y: 0.14, width: 0.52, height: 0.72 },
    lines: 3,
    most: 80,
    largest: 0.26,
    small: 0.06,
    anchor: 'middle',
    subtitle: 'below',
  },
  {
    ...low,
    words: { x: 0.12, y: 0.14, width: 0.76, height: 0.72 },
    lines: 3,
    most: 80,
    largest: 0.28,
    small: 0.06,
    anchor: 'middle',
    align: 'centre',
    subtitle: 'below',
  },
  {
    ...low,
    words: { x: 0.06, y: 0.4, width: 0.66, height: 0.5 },
    lines: 2,
    most: 80,
    largest: 0.22,
    small: 0.06,
  },
];

const squares: Plans = [
  {
    ...low,
    words: { x: 0.08, y: 0.52, width: 0.84, height: 0.4 },
    lines: 3,
    most: 80,
    largest: 0.2,
    small: 0.034,
  },
  {
    ...low,
    words: { x: 0.1, y: 0.26, width: 0.8, height: 0.48 },
    lines: 3,
    most: 80,
    largest: 0.2,
    small: 0.034,
    align: 'centre',
    anchor: 'middle',
    frame: true,
    subtitle: 'below',
  },
  {
    ...low,
    words: { x: 0.08, y: 0.755, width: 0.84, height: 0.2 },
    lines: 2,
    most: 80,
    largest: 0.12,
    small: 0.03,
    anchor: 'middle',
    subtitle: 'below',
    art: { x: 0.04, y: 0.04, width: 0.92, height: 0.69 },
  },
];

const portraits: Plans = [
  {
    ...low,
    words: { x: 0.08, y: 0.78, width: 0.84, height: 0.165 },
    lines: 2,
    most: 60,
    largest: 0.07,
    small: 0.022,
    align: 'centre',
    subtitle: 'below',
  },
];

const icons: Plans = [
  {
    ...low,
    words: { x: 0.17, y: 0.2, width: 0.66, height: 0.6 },
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
    art: scaled(plan.art ?? { x: 0, y: 0, width: 1, height: 1 }),
    words: scaled(plan.words),
    largest: plan.largest * height,
    small: plan.small * height,
  };
}
