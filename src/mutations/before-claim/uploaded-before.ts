import { touchedBy, wordsOfTouched } from '../answer/describe-mutation.ts';
import type { Warning } from '../finding.ts';
import type { Mutation } from '../mutation.ts';
import type { AccountLedger } from '../session.ts';
import { fileItems } from '../submission.ts';
import { uploading } from './keywords.ts';

const mostNamed = 3;

/**
 * Which files of a submission were uploaded by themselves before, to the same target and slot: the Asset that has
 * their bytes is there already, and nothing can take the second one away. A service may still want both.
 */
export async function findUploadedBefore(
  { ledger, scope }: Pick<AccountLedger, 'ledger' | 'scope'>,
  { declared }: Mutation,
): Promise<readonly Warning[]> {
  if (declared === undefined) return [];
  const told: string[] = [];
  for (const { file, slot, targetKind, targetId } of fileItems(declared)) {
    const keyword = uploading({ ...file, slot, target: { kind: targetKind, id: targetId } });
    const [before] = await ledger.findDone(scope, keyword, 1);
    if (before === undefined) continue;
    const { clientMutationId, updatedAt } = before.entry;
    const asset = touchedBy(before.entry);
    const id = asset?.id ? ` is Asset ${asset.id}` : ' is an Asset';
    const what = asset === null ? '' : ` (${wordsOfTouched(asset) ?? slot})`;
    told.push(`${file.filename}${id}${what} already, uploaded as ${clientMutationId} on ${updatedAt}.`);
  }
  if (told.length === 0) return [];
  const more = told.length > mostNamed ? ` So are ${told.length - mostNamed} more files.` : '';
  const message = `${told.slice(0, mostNamed).join(' ')}${more} This makes one more Asset of the same bytes for the same target and slot. Nothing can be deleted through this server.`;
  return [{ code: 'uploaded_before', message }];
}
