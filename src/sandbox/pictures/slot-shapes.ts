/**
 * What a slot's picture is made of: a `scene` with its title, a `wordless` one with a small title in its corner, a
 * `portrait`, an `icon` with initials, or a `logo`, which is lettering alone.
 */
export type Manner = 'scene' | 'wordless' | 'portrait' | 'icon' | 'logo';

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
  ['poster', { width: 1000, height: 1500, manner: 'scene' }],
  ['cover', { width: 600, height: 900, manner: 'scene' }],
  ['profile', { width: 800, height: 1200, manner: 'portrait' }],
  ['backdrop', { width: 1920, height: 1080, manner: 'wordless' }],
  ['background', { width: 1920, height: 1080, manner: 'wordless' }],
  ['titlecard', { width: 1920, height: 1080, manner: 'scene' }],
  ['thumb', { width: 1000, height: 562, manner: 'scene' }],
  ['hero', { width: 1920, height: 620, manner: 'wordless' }],
  ['wideCover', { width: 920, height: 430, manner: 'scene' }],
  ['squareArt', { width: 1024, height: 1024, manner: 'scene' }],
  ['squareCover', { width: 1024, height: 1024, manner: 'scene' }],
  ['icon', { width: 512, height: 512, manner: 'icon' }],
  ['logo', { width: 800, height: 310, manner: 'logo' }],
]);

const standard: SlotShape = { width: 1000, height: 1500, manner: 'scene' };

/** Every slot that has a shape of its own. */
export const slots: readonly string[] = [...shapes.keys()];

/** The shape of a slot; an unknown slot gets the shape of a poster. */
export function shapeOf(slot: string): SlotShape {
  return shapes.get(slot) ?? standard;
}
