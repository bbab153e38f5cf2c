import { warningsOfPicture } from '../../files/warnings.ts';
import type { InspectedPicture } from '../folder/inspect-pictures.ts';
import type { PlannedPicture, Said } from './plan.ts';

/** What a file is, and what speaks against sending it. */
export interface Checked {
  readonly picture: PlannedPicture | null;
  readonly problem: Said | null;
  readonly warnings: Said[];
}

/**
 * Tells what is wrong with a picture of the folder, or should be known of it, before it is planned for a slot.
 * @param slot what it is for
 * @param maxBytes the most that the service has said it takes; null where it has not
 */
export function checkPicture(
  looked: InspectedPicture | undefined,
  slot: string,
  maxBytes: number | null,
): Checked {
  if (looked === undefined) {
    const message = 'It was not looked at.';
    return { picture: null, problem: { code: 'not_looked_at', message }, warnings: [] };
  }
  if ('refused' in looked) {
    const { details, category, message } = looked.refused;
    const code = typeof details?.reason === 'string' ? details.reason : category;
    return { picture: null, problem: { code, message }, warnings: [] };
  }
  const { name, filename, filenameChanged, contentType, contentLength, sha256, picture } = looked.facts;
  const told = warningsOfPicture({ name, contentType, length: contentLength, picture, slot, maxBytes });
  const tooLarge = maxBytes !== null ? told.find(({ code }) => code === 'too_large') : undefined;
  const warnings = told.filter((warning) => warning !== tooLarge).map((warning): Said => ({ ...warning }));
  if (filenameChanged) {
    warnings.push({ code: 'filename_changed', message: `It is announced as "${filename}".` });
  }
  const { width, height } = picture ?? { width: null, height: null };
  return {
    picture: { filename, contentType, contentLength, sha256, width, height },
    problem:
      tooLarge === undefined
        ? null
        : { code: tooLarge.code, message: tooLarge.message.replace('it may be refused', 'it is refused') },
    warnings,
  };
}
