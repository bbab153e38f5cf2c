import { refused } from '../me/protected-error.ts';
import type { Inspected } from './inspect.ts';
import { limitsOf, maxEdge, maxFrames, maxPixels, ratioTolerance } from './limits.ts';

/**
 * Sees to it that a picture suits the slot.
 * @throws ProtectedError 422 that says what it is and what it must be.
 */
export function requireFit({ width, height, frames }: Inspected, slot: string): void {
  const { ratios, minWidth } = limitsOf(slot);
  if (width < minWidth || Math.max(width, height) > maxEdge || width * height > maxPixels) {
    const message = `A ${slot} must be at least ${minWidth} pixels wide, and at most ${maxEdge} either way.`;
    const bounds = { minWidth, maxEdge, maxPixels };
    throw refused(422, 'asset.file.dimensions', message, undefined, { width, height, ...bounds });
  }
  const ratio = width / height;
  if (ratios !== null && !ratios.some((wanted) => Math.abs(ratio / wanted - 1) <= ratioTolerance)) {
    const message = `${width} × ${height} is not the shape of a ${slot}.`;
    const wanted = { expectedRatios: ratios, tolerance: ratioTolerance };
    throw refused(422, 'asset.file.ratio', message, undefined, { width, height, ratio, ...wanted });
  }
  if (frames > maxFrames) {
    const message = `The file has more than ${maxFrames} frames.`;
    throw refused(422, 'asset.file.frames', message, undefined, { frames, maxFrames });
  }
}
