import sharp from 'sharp';
import { contactSheet } from '../../../src/curation/show/contact-sheet.ts';

const image = await sharp({ create: { width: 480, height: 90, channels: 3, background: '#f00' } })
  .png()
  .toBuffer();
const options = { cellWidth: 480, maxBytes: 500_000 };
const sheets = await Promise.all(
  ['', 'season 2 poster'].map(async (label) => {
    const { bytes } = await contactSheet([{ image, label }], options);
    const { data } = await sharp(bytes).greyscale().raw().toBuffer({ resolveWithObject: true });
    return data.filter((value) => value > 230).length;
  }),
);
process.stdout.write(JSON.stringify(sheets));
