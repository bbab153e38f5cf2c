import { entityKind, setKind } from '../mcp/kinds.ts';

export const resourceKinds: readonly string[] = [...entityKind.options, ...setKind.options];

const described = {
  mimeType: 'application/json',
} as const;

/** One template for each kind, for hosts that show them, and the general one, whose kind can be completed. */
export const resourceTemplates = [
  {
    name: 'artwork',
    title: 'Anything in the catalogue',
    uriTemplate: 'artwork://{kind}/{id}',
    description: 'An entity, Set, Boxset or Loadout by kind and id',
    ...described,
  },
  ...resourceKinds.map((kind) => ({
    name: kind,
    title: titleOf(kind),
    uriTemplate: `artwork://${kind}/{id}`,
    description: `${titleOf(kind)} of the catalogue, by id`,
    ...described,
  })),
];

function titleOf(kind: string): string {
  const words = kind.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return words.join(' ');
}
