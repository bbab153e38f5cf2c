import type { Next } from '../../src/errors.ts';
import {
  type Arguments,
  findOperation,
  type Guarded,
  type OperationName,
} from '../../src/mutations/operations/find-operation.ts';
import type { MutationResult } from '../../src/mutations/result.ts';
import { tools } from '../../src/tools/index.ts';
import type { Artist } from './artist.ts';
import { type Told, told } from './told.ts';

export type End =
  /** Nothing more is to be done. */
  | { readonly at: 'end'; readonly last: Told; readonly calls: number }
  /** Only a person can go on. */
  | { readonly at: 'person'; readonly last: Told; readonly calls: number }
  /** Another tool's answer, which ends there. */
  | { readonly at: 'read'; readonly tool: string; readonly last: Told; readonly calls: number }
  | { readonly at: 'nowhere'; readonly last: Told; readonly calls: number };

/**
 * An agent that does nothing but follow `next`, each call exactly as it is given.
 * @throws where a call is not one that the tool takes
 */
export async function followNext(artist: Artist, first: Told, most: number): Promise<End> {
  let last = first;
  for (let calls = 1; ; calls += 1) {
    const { next } = last;
    if (next === undefined) return { at: 'end', last, calls };
    const { tool } = next;
    if (tool === undefined) return { at: 'person', last, calls };
    const args = checkedArguments(next);
    if (calls === most) return { at: 'nowhere', last, calls };
    const made = call(artist, tool, args);
    if (made === null) return { at: 'read', tool, last, calls: calls + 1 };
    last = await told(made);
  }
}

function checkedArguments({ tool, arguments: args }: Next): object {
  const found = tools.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(`There is no tool ${tool}.`);
  const parsed = found.input.safeParse(args ?? {});
  if (!parsed.success)
    throw new Error(`${tool} does not take ${JSON.stringify(args)}: ${parsed.error.message}`);
  return args ?? {};
}

/** Not to wait for news that the test knows not to come. */
const hurriedMs = 2_100;

/** Null: a tool that changes nothing here and offers no `next`. */
function call({ mutations, within }: Artist, tool: string, args: object): Promise<MutationResult> | null {
  // The tool's own schema has just taken them.
  const given = args as Guarded;
  switch (tool) {
    case 'get_mutation_status':
      return mutations.status(given.clientMutationId, within(hurriedMs));
    case 'resume_mutation':
      return mutations.resume(given);
    default:
      if (findOperation(tool) === null) return null;
      return mutations.perform(tool as OperationName, args as Arguments<OperationName>);
  }
}
