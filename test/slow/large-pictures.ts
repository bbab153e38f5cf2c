import sharp, { type Sharp } from 'sharp';

const plain = (side: number, channels: 3 | 4): Sharp =>
  sharp({ create: { width: side, height: side, channels, background: { r: 9, g: 90, b: 190, alpha: 0.5 } } });

/** Pictures of less than a megabyte that take 392 MB of memory once decoded, and as much again on the way. */
export const tooLarge: Readonly<Record<string, () => Promise<Buffer>>> = {
  'interlaced 1.png': () => interlaced(7_000),
  'interlaced 2.png': () => interlaced(7_001),
  'interlaced 3.png': () => interlaced(7_002),
  'interlaced 4.png': () => interlaced(7_003),
};

/** Pictures that take nearly as much memory as there is for all that are decoded at one time. */
export const nearlyTooLarge: Readonly<Record<string, () => Promise<Buffer>>> = {
  'progressive 1.jpg': () => progressive(6_680),
  'progressive 2.jpg': () => progressive(6_679),
  'animated.gif': () => plain(8_000, 3).gif().toBuffer(),
  'interlaced 16 bit.png': () => interlaced(4_090),
  'flat 16 bit.png': () => plain(5_790, 4).toColourspace('rgb16').png().toBuffer(),
};

function interlaced(side: number): Promise<Buffer> {
  return plain(side, 4).toColourspace('rgb16').png({ progressive: true }).toBuffer();
}

function progressive(side: number): Promise<Buffer> {
  return plain(side, 3).flatten().jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer();
}
