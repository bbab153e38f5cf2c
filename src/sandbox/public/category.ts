import { notFound } from '../http.ts';
import type { Premises } from '../premises.ts';
import { assetsOf } from './assets.ts';

export function readCategory(premises: Premises, id: number) {
  const category = premises.database.first('SELECT * FROM categories WHERE id = ?', id);
  if (!category) throw notFound(`Category ${id}`);
  return {
    id,
    kind: 'category',
    name: category.text('name'),
    description: category.text('description'),
    group: category.text('category_group'),
    assets: assetsOf(premises, 'category', id),
  };
}
