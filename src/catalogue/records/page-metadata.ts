import { z } from 'zod';
import { number, text } from './fields.ts';

/** Interface document, Feed and index page metadata. The episodes index has no `snapshot`. */
export const pageMetadata = z
  .looseObject({ snapshot: text, page: number, totalPages: number, nextPage: text })
  .nullish();

export type PageMetadata = NonNullable<z.infer<typeof pageMetadata>>;
