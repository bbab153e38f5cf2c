import { expect, it } from 'vitest';
import * as table from '../../src/mutations/operations/index.ts';
import { tools } from '../../src/tools/index.ts';
import { changes } from './calls-as-said.ts';

it.each(Object.values(table))('$name takes what its tool understands', ({ name, arguments: schema }) => {
  const [said, meant] = changes[name];
  const understood = tools.find((tool) => tool.name === name)?.input.parse(said);
  expect(understood).toEqual(meant);
  expect(schema.parse(understood)).toEqual(schema.parse(meant));
});
