import { expect, test } from 'vitest';
import { assetArrays, metadataImagesOf, slotsOf } from '../../src/sandbox/artwork/targets.ts';
import { slots as shaped } from '../../src/sandbox/pictures/slot-shapes.ts';

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

test('every slot that an entity has can be drawn in a shape of its own, and nothing else has one', () => {
  const artwork = Object.values(slotsOf).flat();
  expect(sorted(artwork)).toEqual(sorted(Object.keys(assetArrays)));
  expect(sorted([...artwork, ...Object.values(metadataImagesOf).flat()])).toEqual(sorted(shaped));
});
