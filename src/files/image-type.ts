/** Bytes whose first ones say that they are an image of one of four types; they have not been decoded. */
export interface CatalogueImage {
  readonly url: string;
  readonly mediaType: 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';
  readonly bytes: Buffer;
}

/** The type that the first bytes show, whatever the answer's header says; null for anything else. */
export function imageType(bytes: Buffer): CatalogueImage['mediaType'] | null {
  const starts = (hex: string, at = 0) => bytes.toString('hex', at, at + hex.length / 2) === hex;
  if (starts('89504e470d0a1a0a')) return 'image/png';
  if (starts('ffd8ff')) return 'image/jpeg';
  if (starts('474946383761') || starts('474946383961')) return 'image/gif';
  if (starts('52494646') && starts('57454250', 8)) return 'image/webp';
  return null;
}
