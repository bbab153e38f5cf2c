import { copyFile } from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../host.ts';

/** A library is a host by a script of a few lines, which runs where it is installed. */
function library(name: string, script: string, packages: Host['packages']): Host {
  return {
    name,
    packages,
    node: 24,
    async prepare({ root, installed, ...place }) {
      const client = path.join(installed, script);
      await copyFile(path.join(root, 'test/hosts/clients', script), client);
      return { command: 'node', args: [client, JSON.stringify(place)] };
    },
  };
}

export const aiSdk = library('ai-sdk', 'ai-sdk.mjs', [
  ['ai', '7.0.173'],
  ['@ai-sdk/mcp', '2.0.99'],
  ['@ai-sdk/anthropic', '4.0.105'],
]);

export const openaiAgents = library('@openai/agents', 'openai-agents.mjs', [
  ['@openai/agents', '0.20.0'],
  ['zod', '4.6.7'],
]);

export const langChain = library('LangChain adapters', 'langchain.mjs', [
  ['@langchain/mcp-adapters', '1.1.4'],
  ['@langchain/core', '1.4.0'],
  ['@langchain/langgraph', '1.7.3'],
  ['@langchain/openai', '1.5.8'],
]);

export const mastra = library('Mastra', 'mastra.mjs', [
  ['@mastra/mcp', '2.0.0'],
  ['@mastra/core', '1.71.0'],
]);

/** Each call is a process of its own, so that what a server only remembers is gone with the next one. */
export const inspector = library('Inspector CLI', 'inspector.mjs', [
  ['@modelcontextprotocol/inspector', '2.12.0'],
]);
