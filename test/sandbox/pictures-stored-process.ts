import { storedPicture } from '../../src/sandbox/pictures/stored-picture.ts';

// Each process draws in a byte of its own: a picture with two kinds of bytes, or too few, isn't whole.
const size = 400_000;
const [folder = ''] = process.argv.slice(2);

for (let i = 10; i < 50; i++) {
  const bytes = await storedPicture(folder, `p-${i}.png`, async () => Buffer.alloc(size, process.pid % 256));
  if (bytes.length !== size || bytes.some((byte) => byte !== bytes[0]))
    throw new Error(`p-${i} is not whole.`);
}
process.stdout.write('whole');
