/** What pictures of a slot usually look like. The service's own limits are not shown: all of this is advice. */
export interface SlotShape {
  /** Width to height, `2:3`; more than one where several are common, none where it is free. */
  readonly ratios: readonly string[];
  /** Pixels of the smallest common width; 0 where there is none. */
  readonly minWidth: number;
  /** It is laid over other pictures. */
  readonly transparent?: boolean;
}

const wide: SlotShape = { ratios: ['16:9'], minWidth: 1280 };

const shapes: Readonly<Record<string, SlotShape>> = {
  poster: { ratios: ['2:3', '1000:1426', '680:1000'], minWidth: 680 },
  cover: { ratios: ['2:3', '660:930'], minWidth: 342 },
  backdrop: wide,
  background: wide,
  titlecard: wide,
  thumb: { ratios: ['16:9'], minWidth: 1000 },
  squareart: { ratios: ['1:1'], minWidth: 512 },
  squarecover: { ratios: ['1:1'], minWidth: 512 },
  hero: { ratios: ['96:31', '1600:650'], minWidth: 1600 },
  widecover: { ratios: ['460:215'], minWidth: 460 },
  icon: { ratios: ['1:1'], minWidth: 0 },
  logo: { ratios: [], minWidth: 0, transparent: true },
};

/** Null for a slot that is not known: the document leaves their list open. */
export function shapeOfSlot(slot: string): SlotShape | null {
  const name = slot.toLowerCase().replace(/[^a-z]/g, '');
  return Object.hasOwn(shapes, name) ? (shapes[name] ?? null) : null;
}

type Lie = 'upright' | 'square' | 'wide';

function lieOf(ratio: number): Lie {
  return ratio < 0.9 ? 'upright' : ratio > 1.1 ? 'wide' : 'square';
}

/** Whether a picture is upright, square or wide where those of the slot are none of that: then it is hardly one. */
export function hasOtherOrientation(width: number, height: number, { ratios }: SlotShape): boolean {
  const own = lieOf(width / height);
  return ratios.length > 0 && ratios.every((ratio) => lieOf(asNumber(ratio)) !== own);
}

function asNumber(ratio: string): number {
  const [w = 1, h = 1] = ratio.split(':').map(Number);
  return w / h;
}

/** Relative: pictures that were cropped by hand are a few pixels off. */
const tolerance = 0.02;

/** Whether a picture has a ratio that is usual in its slot. */
export function hasRatioOfSlot(width: number, height: number, { ratios }: SlotShape): boolean {
  if (ratios.length === 0) return true;
  return ratios.some((ratio) => Math.abs(width / height / asNumber(ratio) - 1) <= tolerance);
}
