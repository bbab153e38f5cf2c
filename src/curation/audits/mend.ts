import type { Next } from '../../errors.ts';
import type { FindingCode, SetAudit } from './audit.ts';

/** What new pictures mend. */
const mendable: ReadonlySet<FindingCode> = new Set([
  'missing',
  'older_than_episodes',
  'wrong_ratio',
  'mixed_language',
]);

/**
 * The plan that mends what was found, of a Set of one's own. It can be called as it stands where there is one folder
 * that files may come from; else a person has to say in which they lie.
 * @param folders that files may be read from: paths, or `file:` URIs
 */
export function mendOf({ set, work, findings }: SetAudit, folders: readonly string[]): Next | null {
  const found = findings.filter(({ code }) => mendable.has(code));
  if (!set.own || work === null || found.length === 0) return null;
  const slots = new Set(found.map(({ slot }) => slot));
  const [slot = null] = slots.size === 1 ? [...slots] : [];
  const call = {
    entryTargetKind: work.kind,
    entryTargetId: work.id,
    setId: set.id,
    ...(slot === null ? {} : { slot }),
  };
  const [folder] = folders;
  if (folders.length === 1 && folder !== undefined) {
    const why =
      'It matches the pictures of the folder with what the Set lacks; the person puts them there first.';
    return { tool: 'plan_set', arguments: { folder, ...call }, why };
  }
  const where =
    folders.length === 0
      ? 'No folder is open to uploads: the person sets ARTWORK_UPLOAD_ROOTS'
      : 'The person says in which folder the pictures lie';
  return { why: `${where}; then plan_set ${JSON.stringify(call)} with that folder mends it.` };
}
