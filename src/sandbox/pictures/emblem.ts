import sharp from 'sharp';
import type { Letters } from './lettering.ts';
import { createRandom } from './random.ts';
import { n } from './scenes/canvas.ts';

/**
 * A seal that stands for a text which no shipped face can show: the same text always gets the same one.
 * @param room pixels, both ways
 */
export async function drawEmblem(text: string, room: number): Promise<Letters> {
  const size = Math.floor(room);
  const random = createRandom(`emblem ${text}`);
  const half = size / 2;
  const folds = random.whole(5, 10);
  const petal = random.pick([
    `M0 ${n(-half * 0.16)}C${n(half * 0.26)} ${n(-half * 0.36)} ${n(half * 0.14)} ${n(-half * 0.62)} 0 ${n(-half * 0.74)}C${n(-half * 0.14)} ${n(-half * 0.62)} ${n(-half * 0.26)} ${n(-half * 0.36)} 0 ${n(-half * 0.16)}z`,
    `M0 ${n(-half * 0.2)}L${n(half * 0.15)} ${n(-half * 0.5)}L0 ${n(-half * 0.76)}L${n(-half * 0.15)} ${n(-half * 0.5)}z`,
    `M${n(-half * 0.09)} ${n(-half * 0.2)}H${n(half * 0.09)}L${n(half * 0.04)} ${n(-half * 0.74)}H${n(-half * 0.04)}z`,
    `M0 ${n(-half * 0.3)}m${n(-half * 0.13)} ${n(-half * 0.2)}a${n(half * 0.13)} ${n(half * 0.13)} 0 1 1 ${n(half * 0.26)} 0a${n(half * 0.13)} ${n(half * 0.13)} 0 1 1 ${n(-half * 0.26)} 0z`,
  ]);
  const dots = random.chance(0.5);
  let shapes = '';
  for (let i = 0; i < folds; i++) {
    shapes += `<path d="${petal}" transform="rotate(${n((360 / folds) * i)})"/>`;
    if (dots)
      shapes += `<circle cy="${n(-half * 0.7)}" r="${n(half * 0.05)}" transform="rotate(${n((360 / folds) * (i + 0.5))})"/>`;
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}"><g transform="translate(${n(half)} ${n(half)})" fill="#fff">
    <circle r="${n(half * 0.93)}" fill="none" stroke="#fff" stroke-width="${n(half * 0.05)}"/>
    <circle r="${n(half * 0.83)}" fill="none" stroke="#fff" stroke-width="${n(half * 0.018)}"/>
    ${shapes}<circle r="${n(half * random.between(0.07, 0.13))}"/></g></svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: data, width: info.width, height: info.height };
}
