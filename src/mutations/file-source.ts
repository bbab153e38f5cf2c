import type { UploadFiles } from './ports.ts';
import type { SizeLimit } from './size-limit.ts';

/** Where files come from in one call. */
export interface FileSource {
  readonly files: UploadFiles;
  /** Folders that the host offers, beside those of the settings. */
  readonly roots: readonly string[];
  readonly limit: SizeLimit;
}
