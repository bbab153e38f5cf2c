import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { marked } from '../support/unique-pictures.ts';

/** What is painted: its proportions, and a colour that makes its bytes its own. */
export interface Painted {
  readonly width?: number;
  readonly height?: number;
  readonly colour: number;
}

/** A picture of one colour, and a mark. */
export async function paint({ width = 320, height = 180, colour }: Painted): Promise<Buffer> {
  const one = { width, height, colour: [(colour * 37) % 256, (colour * 11) % 256, colour % 256] };
  return marked(one).png({ compressionLevel: 1 }).toBuffer();
}

/** Writes files below a folder: pictures, bytes or text, by their relative paths. */
export async function fillFolder(
  folder: string,
  files: Readonly<Record<string, Painted | Buffer | string>>,
): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    const isPainted = typeof content === 'object' && !Buffer.isBuffer(content);
    await writeFile(file, isPainted ? await paint(content) : content);
  }
}
