import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { startRawClient } from './raw-client.mjs';

/**
 * What tool definitions cost a model: o200k tokens of each tool's name, description and input schema, which are what
 * hosts show it.
 *
 * @param {readonly { name: string, description?: string | undefined, inputSchema: unknown }[]} tools
 */
export function countDefinitions(tools) {
  const rows = tools.map(({ name, description, inputSchema }) => ({
    name,
    tokens: tokensOf({ name, description, inputSchema }),
  }));
  const total = rows.reduce((sum, { tokens }) => sum + tokens, 0);
  return { rows, total, mean: total / rows.length };
}

/** Of the JSON of a value. */
function tokensOf(value) {
  return encode(JSON.stringify(value)).length;
}

export async function measureTokens(home) {
  const client = startRawClient({ ARTWORK_HOME: home });
  await client.initialize();
  const { tools } = (await client.request('tools/list', {})).result;
  await client.end();
  return { tools: tools.length, all: tokensOf(tools), model: countDefinitions(tools).total };
}
