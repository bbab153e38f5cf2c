import sharp from 'sharp';
import { onTestFinished } from 'vitest';
import { type InProcess, inProcess } from '../../support/in-process.ts';
import { json, startScriptedService } from '../../support/scripted-service.ts';
import { temporaryFolder } from '../../support/temporary.ts';

export type Answers = Readonly<Record<string, unknown>>;

/** A service whose records and pictures a test writes down, the tools before it, and a folder that is open for uploads. */
export async function showing(answers: Answers): Promise<InProcess & { readonly folder: string }> {
  const folder = await temporaryFolder();
  const service = await startScriptedService(({ url = '' }, response) => {
    const answer = answers[decodeURIComponent(url)];
    if (Buffer.isBuffer(answer)) response.writeHead(200, { 'content-type': 'image/png' }).end(answer);
    else if (answer === undefined) json(response, 404, { error: { code: 'not_found', message: 'None.' } });
    else json(response, 200, { data: answer });
  });
  const tools = await inProcess({ ARTWORK_BASE_URL: service.baseUrl, ARTWORK_UPLOAD_ROOTS: folder.path });
  onTestFinished(async () => {
    await service.close();
    await folder.remove();
  });
  return { ...tools, folder: folder.path };
}

/** A picture of one colour with a stripe, so that it is not blank. */
export function picture(width: number, height: number, background = '#7a5230'): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();
}

/** An animation whose frames have these colours. */
export async function animation(colours: readonly string[]): Promise<Buffer> {
  const frames = await Promise.all(colours.map((colour) => picture(60, 90, colour)));
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: 100 })
    .toBuffer();
}
