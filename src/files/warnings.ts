import type { MediaType, PictureShape } from './picture.ts';
import { hasRatioOfSlot, shapeOfSlot } from './slot-shapes.ts';

/** Something to look at before sending. The service decides; a warning never stops anything. */
export interface FileWarning {
  readonly code: WarningCode;
  readonly message: string;
}

export type WarningCode =
  | 'too_large'
  | 'unusual_ratio'
  | 'small'
  | 'no_transparency'
  | 'animated'
  | 'rotated'
  | 'cut_short'
  | 'not_decoded'
  | 'type_differs_from_name';

/** What the interface document's example of `asset.file.maxSize` tells (Errors). */
const exampleMaxBytes = 20_971_520;

export interface Upload {
  /** Of the file on this machine. */
  readonly name: string;
  readonly contentType: MediaType;
  /** Bytes. */
  readonly length: number;
  /** Null where it was not decoded. */
  readonly picture: PictureShape | null;
  readonly slot: string;
  /** `details.maxBytes` of an earlier refusal (`asset.file.maxSize`), null where there was none. */
  readonly maxBytes: number | null;
}

/** What a person would want to know of a picture before it is uploaded: its size, its shape, its name. */
export function warningsOfPicture(upload: Upload): FileWarning[] {
  return [...aboutSize(upload), ...aboutPicture(upload), ...aboutName(upload)];
}

function aboutSize({ length, maxBytes }: Upload): FileWarning[] {
  const most = maxBytes ?? exampleMaxBytes;
  if (length <= most) return [];
  const limit =
    maxBytes === null
      ? `${most} bytes, the limit that the interface document shows in an example`
      : `${most} bytes, the limit that the service named`;
  return [warning('too_large', `The file has ${length} bytes, more than ${limit}: it may be refused.`)];
}

function aboutPicture({ picture, slot }: Upload): FileWarning[] {
  if (picture === null) {
    return [warning('not_decoded', 'The file is too large to be decoded here: it was not looked at.')];
  }
  const { width, height, frames, alpha, rotated, cutShort, undecoded } = picture;
  const warnings: FileWarning[] = [];
  if (undecoded !== null) {
    const message = `The picture ${undecoded}: only its header was read, so whether it is whole is not known.`;
    warnings.push(warning('not_decoded', message));
  }
  const usual = shapeOfSlot(slot);
  if (usual !== null && !hasRatioOfSlot(width, height, usual)) {
    const message = `The picture is ${width}×${height}; pictures for ${slot} are usually ${usual.ratios.join(' or ')}.`;
    warnings.push(warning('unusual_ratio', message));
  }
  if (usual !== null && width < usual.minWidth) {
    const message = `The picture is ${width}×${height}; pictures for ${slot} are usually at least ${usual.minWidth} wide.`;
    warnings.push(warning('small', message));
  }
  if (usual?.transparent && !alpha) {
    warnings.push(
      warning('no_transparency', `The picture has no transparency, which a ${slot} usually has.`),
    );
  }
  if (frames > 1) warnings.push(warning('animated', `The picture is animated: it has ${frames} frames.`));
  if (rotated) {
    const message = `The picture is shown turned by a mark in the file, as ${width}×${height}: where the mark is not followed it lies on its side. Export it upright.`;
    warnings.push(warning('rotated', message));
  }
  if (cutShort) {
    const message = 'The file ends in the middle of its picture: it may be an unfinished copy.';
    warnings.push(warning('cut_short', message));
  }
  return warnings;
}

const endings: Readonly<Record<string, MediaType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

function aboutName({ contentType, name }: Upload): FileWarning[] {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const said = endings[ending];
  if (said === undefined || said === contentType) return [];
  return [warning('type_differs_from_name', `The name ends in .${ending}, but the file is ${contentType}.`)];
}

function warning(code: WarningCode, message: string): FileWarning {
  return { code, message };
}
