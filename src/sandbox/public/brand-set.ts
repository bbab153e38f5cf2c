import type { Premises } from '../premises.ts';
import { setArtwork } from './set-artwork.ts';
import { readSetHead } from './set-head.ts';

export function readBrandSet(premises: Premises, id: number) {
  const { fields } = readSetHead(premises, 'brand_set', id);
  const artwork = setArtwork(premises, id);
  const members = (kind: 'network' | 'company', table: 'networks' | 'companies') =>
    premises.database
      .all(
        `SELECT b.id, b.name FROM brand_set_members m JOIN ${table} b ON b.id = m.id
         WHERE m.set_id = ? AND m.kind = ? ORDER BY m.position`,
        id,
        kind,
      )
      .map((brand) => ({
        id: brand.integer('id'),
        name: brand.text('name'),
        ...artwork(kind, brand.integer('id')),
      }));
  return { ...fields, networks: members('network', 'networks'), companies: members('company', 'companies') };
}
