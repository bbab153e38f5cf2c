import { changeRelationship } from '../../mutations/operations/change-relationship.ts';
import { carryOut, replacing, toolOf } from '../../mcp/guarded-call.ts';
import { defineTool } from '../../mcp/tool.ts';
import { oneOf } from '../../mcp/kinds.ts';

export const changeRelationshipTool = defineTool({
  ...toolOf(changeRelationship, {
    targetKind: 'e.g. "user"',
    targetId: 'as list_relationships shows it',
    relationship: oneOf(changeRelationship.arguments.shape.relationship, (given) =>
      endsIt(given) ? { meant: 'clear', why: 'clear ends a follow and a hide' } : null,
    ),
  }),
  title: 'Follow, hide or clear',
  description:
    'Follows or hides somebody or something for the connected account, or clears that. expectedUpdatedAt is the updatedAt that list_relationships shows for it, "none" where it lists none. The service\'s document does not show this request: dryRun shows what would be sent.',
  annotations: replacing,
  run: (args, context) => carryOut(changeRelationship.name, args, context),
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
