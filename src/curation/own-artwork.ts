import { isRecord } from '../catalogue/records/members.ts';

/**
 * The path of an Asset as a list shows it. The shape of an Asset in lists is not shown in the document: any
 * root-relative path among its members serves.
 */
export function pathOfListedAsset(asset: unknown): string | null {
  if (typeof asset === 'string') return asset.startsWith('/') ? asset : null;
  if (typeof asset !== 'object' || asset === null) return null;
  const paths = Object.values(asset).filter((value) => typeof value === 'string' && /^\/[^/]/.test(value));
  return typeof paths[0] === 'string' ? paths[0] : null;
}

/** All Assets that the `assets` of an entity lists, whatever their slots. */
export function listedAssetsOf(groups: unknown): unknown[] {
  return isRecord(groups) ? Object.values(groups).filter(Array.isArray).flat() : [];
}
