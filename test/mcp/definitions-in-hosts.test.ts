import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { JsonSchemaType } from '@modelcontextprotocol/sdk/validation/types.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tools } from '../../src/tools/index.ts';
import { type StartedServer, startServer } from '../support/client.ts';
import { toolFiles } from '../support/tool-files.ts';

// What hosts do with definitions: some check a call by the schema before they send it, and what the server would
// understand must not end there; some hold tools back until a search finds them.

const jsonSchema = z.custom<JsonSchemaType>((value) => typeof value === 'object' && value !== null);
const checker = new AjvJsonSchemaValidator();

let server: StartedServer;
let listed: Awaited<ReturnType<StartedServer['client']['listTools']>>['tools'];

beforeAll(async () => {
  server = await startServer();
  listed = (await server.client.listTools()).tools;
});

afterAll(() => server.stop());

it('tells Claude Code the words that each tool is searched by, and which are not to be held back', () => {
  for (const { name, _meta: meta } of listed) {
    const tool = tools.find((one) => one.name === name);
    expect([name, meta?.['anthropic/searchHint']]).toEqual([name, tool?.searchHint]);
    expect([name, meta?.['anthropic/alwaysLoad'] ?? false]).toEqual([name, tool?.alwaysLoad]);
  }
});

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  it('shows a schema that takes what the server takes, and lacks nothing that it requires', () => {
    const schema = listed.find((one) => one.name === name)?.inputSchema;
    const check = checker.getValidator(jsonSchema.parse(schema));
    const { written = [] } = toolFiles.find((one) => one.name === name) ?? {};
    expect(written.length).toBeGreaterThan(0);
    for (const { said: call } of written) {
      expect([call, tool.input.safeParse(call).error?.issues ?? []]).toEqual([call, []]);
      expect([call, check(call).errorMessage]).toEqual([call, undefined]);
      for (const argument of schema?.required ?? []) {
        const without = Object.fromEntries(Object.entries(call).filter(([given]) => given !== argument));
        expect(check(without).valid).toBe(false);
        expect(tool.input.safeParse(without).success).toBe(false);
      }
    }
  });
});
