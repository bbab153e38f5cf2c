import type { MediaType, Picture } from './picture.ts';
import { hasRatio, shapeOf } from './slot-shapes.ts';

/** Something to look at before sending. The service decides; a warning never stops anything. */
export interface Warning {
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
  /** Bytes. */
  readonly length: number;
  readonly slot: string;
  /** `details.maxBytes` of an earlier refusal (`asset.file.maxSize`), null where there was none. */
  readonly maxBytes: number | null;
}

export function warningsFor(picture: Picture, upload: Upload): Warning[] {
  return [
    ...aboutSize(upload),
    ...aboutShape(picture, upload.slot),
    ...aboutName(picture.mediaType, upload.name),
    ...(picture.cutShort
      ? [warning('cut_short', 'The file ends in the middle of its picture: it may be an unfinished copy.')]
      : []),
  ];
}

function aboutSize({ length, maxBytes }: Upload): Warning[] {
  const most = maxBytes ?? exampleMaxBytes;
  if (length <= most) return [];
  const limit =
    maxBytes === null
      ? `${most} bytes, the limit that the interface document shows in an example`
      : `${most} bytes, the limit that the service named`;
  return [warning('too_large', `The file has ${length} bytes, more than ${limit}: it may be refused.`)];
}

function aboutShape({ shape }: Picture, slot: string): Warning[] {
  if (shape === null) {
    return [warning('not_decoded', 'The picture is too large to be decoded here: it was not looked at.')];
  }
  const { width, height, frames, alpha, rotated } = shape;
  const warnings: Warning[] = [];
  const usual = shapeOf(slot);
  if (usual !== null && !hasRatio(width, height, usual)) {
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
  return warnings;
}

const endings: Readonly<Record<string, MediaType>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

function aboutName(mediaType: MediaType, name: string): Warning[] {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? '';
  const said = endings[ending];
  if (said === undefined || said === mediaType) return [];
  return [warning('type_differs_from_name', `The name ends in .${ending}, but the file is ${mediaType}.`)];
}

function warning(code: WarningCode, message: string): Warning {
  return { code, message };
}
