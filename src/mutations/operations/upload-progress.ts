import { z } from 'zod';
import type { Json } from '../../canonical-json.ts';

const noted = z.looseObject({ file: z.string() });

/** What a resume of an upload needs: where the file lies. */
export function progressOfFile(path: string): Json {
  return { file: path };
}

export function fileInProgress(progress: Json): string | null {
  const parsed = noted.safeParse(progress);
  return parsed.success ? parsed.data.file : null;
}
