import { afterAll, beforeAll, expect, it } from 'vitest';
import { countDefinitions } from '../../bench/tokens.mjs';
import { definitions } from '../../src/definitions.ts';
import { type StartedServer, startServer } from '../support/client.ts';

// Every definition stands in the context of a model, in each conversation of each host that doesn't hold it back.
const most = { total: 5_500, mean: 175 };

let server: StartedServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

it(`costs a model at most ${most.total} tokens, and ${most.mean} a tool, with every tool on`, async () => {
  const { tools } = await server.client.listTools();
  expect(tools).toHaveLength(definitions.tools.length);
  const { rows, total, mean } = countDefinitions(tools);
  const lines = rows.map(({ name, tokens }) => `${name.padEnd(28)}${String(tokens).padStart(5)}`);
  process.stdout.write(
    `${[...lines, `${'all'.padEnd(28)}${String(total).padStart(5)}, a mean of ${mean.toFixed(1)}`].join('\n')}\n`,
  );
  expect(total).toBeLessThanOrEqual(most.total);
  expect(mean).toBeLessThanOrEqual(most.mean);
});
