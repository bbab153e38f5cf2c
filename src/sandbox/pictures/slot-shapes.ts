/** The kind of composition: positions and letter sizes. */
type Manner = 'poster' | 'titlecard' | 'backdrop' | 'banner' | 'square' | 'logo' | 'icon' | 'portrait';

export interface SlotShape {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly manner: Manner;
}

/**
 * The singular slot names of the interface document (the path members of its Sets, and `profile` of Person),
 * each in the proportions that media centres and launchers expect.
 */
const shapes: ReadonlyMap<string, SlotShape> = new Map([
  ['poster', { width: 1000, height: 1500, manner: 'poster' }],
  ['cover', { width: 600, height: 900, manner: 'poster' }],
  ['profile', { width: 800, height: 1200, manner: 'portrait' }],
  ['backdrop', { width: 1920, height: 1080, manner: 'backdrop' }],
  ['background', { width: 1920, height: 1080, manner: 'backdrop' }],
  ['titlecard', { width: 1920, height: 1080, manner: 'titlecard' }],
  ['thumb', { width: 1000, height: 562, manner: 'banner' }],
  ['hero', { width: 1920, height: 620, manner: 'banner' }],
  ['wideCover', { width: 920, height: 430, manner: 'banner' }],
  ['squareArt', { width: 1024, height: 1024, manner: 'square' }],
  ['squareCover', { width: 1024, height: 1024, manner: 'square' }],
  ['icon', { width: 512, height: 512, manner: 'icon' }],
  ['logo', { width: 800, height: 310, manner: 'logo' }],
]);

const standard: SlotShape = { width: 1000, height: 1500, manner: 'poster' };

/** Every slot that has a shape of its own. */
export const slots: readonly string[] = [...shapes.keys()];

/** The shape of a slot; an unknown slot gets the shape of a poster. */
export function shapeOf(slot: string): SlotShape {
  return shapes.get(slot) ?? standard;
}
