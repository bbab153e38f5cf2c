import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const note = z.object({
  pid: z.int(),
  event: z.string().optional(),
  from: z.enum(['host', 'server']).optional(),
  line: z.string().optional(),
});

const message = z.looseObject({
  id: z.union([z.string(), z.number()]).nullish(),
  method: z.string().optional(),
  params: z.looseObject({}).optional(),
  result: z.looseObject({}).optional(),
  error: z.looseObject({}).optional(),
});

export interface Frame {
  readonly from: 'host' | 'server';
  readonly message: z.output<typeof message>;
}

/** What went over stdio between a host and the servers that it started, the first one first. */
export interface Wire {
  readonly frames: readonly Frame[];
  /** Signals and the end of stdin, as the servers met them. */
  readonly events: readonly string[];
  /** Process ids of all servers. */
  readonly pids: readonly number[];
}

/** Reads what wire.mjs wrote; a line that is being written is left for the next reading. */
export function readWire(file: string): Wire {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
  const notes = lines.map((line) => note.parse(JSON.parse(line)));
  return {
    frames: notes.flatMap(({ from, line }) =>
      from === undefined || line === undefined ? [] : [{ from, message: message.parse(JSON.parse(line)) }],
    ),
    events: notes.flatMap(({ event }) => (event === undefined || event === 'start' ? [] : [event])),
    pids: [...new Set(notes.map(({ pid }) => pid))],
  };
}

const block = z.looseObject({ type: z.string(), text: z.string().optional(), data: z.string().optional() });

/** A result as the server sent it. */
export interface SentResult {
  readonly tool: string;
  readonly isError: boolean;
  readonly text: string;
  readonly images: readonly string[];
}

const call = z.object({ name: z.string() });
const result = z.object({ isError: z.boolean().optional(), content: z.array(block) });

/** The answered calls of tools, in the order of their answers. */
export function resultsOn({ frames }: Wire): SentResult[] {
  const asked = new Map<unknown, string>();
  const results: SentResult[] = [];
  for (const { from, message: one } of frames) {
    if (from === 'host' && one.method === 'tools/call') asked.set(one.id, call.parse(one.params).name);
    const tool = from === 'server' && one.result !== undefined ? asked.get(one.id) : undefined;
    if (tool === undefined) continue;
    asked.delete(one.id);
    // The host has to answer first, and then calls once more.
    if (one.result?.resultType === 'input_required') continue;
    const { isError = false, content } = result.parse(one.result);
    results.push({
      tool,
      isError,
      text: content.flatMap(({ text }) => text ?? []).join('\n'),
      images: content.flatMap(({ type, data }) => (type === 'image' ? (data ?? []) : [])),
    });
  }
  return results;
}

const definition = z.looseObject({
  name: z.string(),
  description: z.string().default(''),
  inputSchema: z.unknown().optional(),
});
const list = z.looseObject({ tools: z.array(definition) });

/** The tools as the server listed them. */
export function toolsOn({ frames }: Wire): readonly z.output<typeof definition>[] {
  for (const { from, message: one } of frames) {
    const read = from === 'server' ? list.safeParse(one.result) : null;
    if (read?.success === true) return read.data.tools;
  }
  return [];
}
