import { type Database, insert } from '../store/database.ts';
import type { SeedContent } from './content.ts';
import { StableIds } from './stable.ts';

type NameKind = 'company' | 'network' | 'person' | 'category';

/** An entity with a name rather than a title; works refer to it by that name. */
export interface Named {
  readonly kind: NameKind;
  readonly id: number;
  readonly name: string;
}

export class Names {
  readonly #byName: Readonly<Record<NameKind, Map<string, Named>>> = {
    company: new Map(),
    network: new Map(),
    person: new Map(),
    category: new Map(),
  };

  add(named: Named): void {
    this.#byName[named.kind].set(named.name, named);
  }

  all(kind: NameKind): readonly Named[] {
    return [...this.#byName[kind].values()];
  }

  /** @throws Error when the seed has no such name; `wanting` is the record that refers to it. */
  find(kind: NameKind, name: string, wanting: string): Named {
    const found = this.#byName[kind].get(name);
    if (!found) throw new Error(`${wanting} refers to the ${kind} ${name}, which is not in the seed.`);
    return found;
  }
}

export function fillNames(database: Database, content: SeedContent): Names {
  const names = new Names();
  const companyIds = new StableIds(1_000, 9_999);
  for (const { name } of content.companies) names.add({ kind: 'company', id: companyIds.idOf(name), name });
  for (const company of content.companies) {
    insert(database, 'companies', {
      id: names.find('company', company.name, company.name).id,
      name: company.name,
      description: company.description,
      homepage: company.homepage,
      headquarters_country: company.headquartersCountry,
      origin_country: company.originCountry,
      parent_id:
        company.parentCompany === null ? null : names.find('company', company.parentCompany, company.name).id,
    });
  }
  const networkIds = new StableIds(100, 999);
  for (const { name, homepage, originCountry } of content.networks) {
    const id = networkIds.idOf(name);
    names.add({ kind: 'network', id, name });
    insert(database, 'networks', { id, name, homepage, origin_country: originCountry });
  }
  const personIds = new StableIds(10_000, 99_999);
  for (const person of content.people) {
    const id = personIds.idOf(person.name);
    names.add({ kind: 'person', id, name: person.name });
    insert(database, 'people', {
      id,
      name: person.name,
      biography: person.biography,
      birthday: person.birthday,
      deathday: person.deathday,
      place_of_birth: person.placeOfBirth,
      known_for_department: person.knownForDepartment,
      homepage: person.homepage,
    });
  }
  const categoryIds = new StableIds(100, 999);
  for (const { name, description, group } of content.categories) {
    const id = categoryIds.idOf(name);
    names.add({ kind: 'category', id, name });
    insert(database, 'categories', { id, name, description, category_group: group });
  }
  return names;
}

/** Stores what a work belongs to. */
export function fillBelongings(
  database: Database,
  names: Names,
  work: { readonly kind: string; readonly id: number; readonly title: string },
  belongs: Readonly<Partial<Record<NameKind, readonly string[]>>>,
): readonly Named[] {
  const found = (['network', 'company', 'person', 'category'] as const).flatMap((kind) =>
    (belongs[kind] ?? []).map((name) => names.find(kind, name, work.title)),
  );
  for (const [position, { kind, id }] of found.entries()) {
    insert(database, 'belongings', { kind: work.kind, id: work.id, position, to_kind: kind, to_id: id });
  }
  return found;
}
