import sharp from 'sharp';
import { contactSheet } from '../../../src/curation/show/sheet.ts';

const data = await sharp({ create: { width: 480, height: 90, channels: 3, background: '#f00' } })
  .raw()
  .toBuffer();
const raster = { data, width: 480, height: 90, channels: 3 as const };
const bright: number[] = [];
for (const label of ['', 'Season 2 · poster 1 · saltprint']) {
  const { image } = await contactSheet([{ raster, label, badge: '1' }], { size: 480, png: false });
  const pixels = await sharp(image.bytes).greyscale().raw().toBuffer();
  bright.push(pixels.filter((value) => value > 230).length);
}
process.stdout.write(JSON.stringify(bright));
