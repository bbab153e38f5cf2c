import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';
import { metadataImages } from './metadata-images.ts';

export function readNetwork(premises: Premises, id: number) {
  const network = premises.database.first('SELECT * FROM networks WHERE id = ?', id);
  if (!network) throw notFound(`Network ${id}`);
  return {
    id,
    kind: 'network',
    name: network.text('name'),
    homepage: network.textOrNull('homepage'),
    originCountry: network.textOrNull('origin_country'),
    metadataImages: metadataImages(premises, 'network', id),
    assets: assetsOf(premises, 'network', id),
  };
}
