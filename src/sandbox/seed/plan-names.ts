import { creators } from './creators.ts';
import type { Named, Names } from './names.ts';
import { authored, creatorFor, placed, type SetPlan } from './plan.ts';

/** Brand Sets of the first creators, and Talent and Category Sets, which only their owners can read. */
export function planNameSets(names: Names): readonly SetPlan[] {
  const networks = names.all('network');
  const companies = names.all('company');
  return [
    brandSet(0, 'Broadcasters', networks, []),
    brandSet(1, 'Studios', [], companies.slice(0, 20)),
    brandSet(2, 'Sender und Studios', networks.slice(0, 5), companies.slice(0, 8)),
    brandSet(3, 'Logos only', networks.slice(0, 8), companies.slice(8, 16), ['logo']),
    {
      ...brandSet(4, 'Broadcasters of Nowhere', networks.slice(-4), []),
      creator: null,
      description: null,
    },
    ...names
      .all('person')
      .slice(0, 6)
      .map((person) => oneName('talent_set', person)),
    ...names
      .all('category')
      .slice(0, 6)
      .map((category) => oneName('category_set', category)),
  ];
}

function brandSet(
  nth: number,
  title: string,
  networks: readonly Named[],
  companies: readonly Named[],
  slots: readonly ('poster' | 'thumb' | 'logo')[] = ['poster', 'thumb', 'logo'],
): SetPlan {
  const creator = creators[nth];
  if (!creator) throw new Error(`There is no creator ${nth}.`);
  const members = [...networks, ...companies];
  const whole = nth === 0 || slots.length === 1;
  return {
    ...authored(`brand ${title}`, title, creator),
    kind: 'brand_set',
    target: null,
    members,
    description: whole ? `One ${slots.join(', one ')} for each.` : 'Every third logo is still missing.',
    edition: null,
    placements: members.flatMap(({ kind, id }, position) => {
      if (kind !== 'network' && kind !== 'company') return [];
      return placed(kind, id, ...slots.filter((slot) => whole || slot !== 'logo' || position % 3 !== 2));
    }),
  };
}

function oneName(kind: 'talent_set' | 'category_set', named: Named): SetPlan {
  const entity = kind === 'talent_set' ? ('person' as const) : ('category' as const);
  return {
    ...authored(`${entity} ${named.name}`, named.name, creatorFor(named.name, 0)),
    kind,
    target: { kind: named.kind, id: named.id },
    members: [],
    description: null,
    edition: null,
    placements: placed(entity, named.id, 'poster'),
  };
}
