import { z } from 'zod';
import { extra, guarded } from '../../mcp/arguments.ts';
import { oneOf } from '../../mcp/kinds.ts';
import { defineTool } from '../../mcp/tool.ts';
import { answered, mutationCall, mutationResult, replacing } from './guarded-call.ts';

const input = z.strictObject({
  ...guarded,
  extra,
  targetKind: z.string().min(1).max(100).describe('e.g. "user"'),
  targetId: z.union([z.string().min(1).max(200), z.int()]).describe('as list_relationships shows it'),
  relationship: oneOf(['follow', 'hide', 'clear'], (given) =>
    endsIt(given) ? { meant: 'clear', why: 'clear ends a follow and a hide' } : null,
  ),
});

/** Words for having neither any more. */
function endsIt(given: unknown): boolean {
  if (given === null) return true;
  if (typeof given !== 'string') return false;
  const word = given.toLowerCase().replace(/[^a-z]/g, '');
  return (
    /^(un|de|no|not|non|stop|end|remove|cancel|delete|clear)(follow|hid)/.test(word) ||
    ['none', 'no', 'off', 'neither', 'null', 'remove', 'delete', 'unset', 'reset', 'cancel', 'undo'].includes(
      word,
    )
  );
}

export const changeRelationshipTool = defineTool({
  name: 'change_relationship',
  title: 'Follow, hide or clear',
  toolset: 'curate',
  description:
    'Follows or hides somebody or something for the connected account, or clears that. expectedUpdatedAt is the updatedAt that list_relationships shows for it, "none" where it lists none. The service\'s document does not show this request: dryRun shows what would be sent.',
  annotations: replacing,
  input,
  output: mutationResult,
  revision: () => ({ of: 'relationship' }),
  async run(args, context) {
    const { mutations } = await context.account();
    return answered(await mutations.changeRelationship(args, mutationCall(context)));
  },
});
