import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { startRawClient } from './raw-client.mjs';

/** What the tool definitions cost a model, counted with o200k. */
export async function measureTokens(home) {
  const client = startRawClient({ ARTWORK_HOME: home });
  await client.initialize();
  const { tools } = (await client.request('tools/list', {})).result;
  await client.end();
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    tools: tools.length,
    all: encode(JSON.stringify(tools)).length,
    model: encode(JSON.stringify(shown)).length,
  };
}
