import { expect, it } from 'vitest';
import * as table from '../../src/mutations/operations/index.ts';
import { tools } from '../../src/tools/index.ts';
import { toolFiles } from '../support/tool-files.ts';

it.each(Object.values(table))('$name takes what its tool understands', ({ name, arguments: schema }) => {
  const written = toolFiles.find((tool) => tool.name === name)?.written ?? [];
  expect(written.length).toBeGreaterThan(0);
  for (const { said, meant = said } of written) {
    const understood = tools.find((tool) => tool.name === name)?.input.parse(said);
    expect(understood).toEqual(meant);
    expect(schema.parse(understood)).toEqual(schema.parse(meant));
  }
});
