import type { Change } from './owned-set.ts';
import type { DeclaredFile, Item, Submission } from './submission.ts';

interface CreationBody {
  readonly clientMutationId: string;
  readonly titleBase: string;
  readonly declaredFiles: readonly (DeclaredFile &
    Pick<Change, 'targetKind' | 'targetId' | 'slot'> & { readonly itemId: string })[];
}

interface EditBody {
  readonly clientMutationId: string;
  readonly expectedUpdatedAt: string;
  readonly titleBase?: string;
  readonly items: readonly (Change & {
    readonly itemId: string;
    readonly declaredFile: DeclaredFile | null;
  })[];
}

/** A submission as it is admitted: what it declares never changes. */
export function admissionOf(text: string, id: string): Submission {
  const body: CreationBody | EditBody = JSON.parse(text);
  const mutation = body.clientMutationId;
  const head = {
    ...{ id, mutation, admission: text, title: body.titleBase ?? null, completion: null },
    foreign: false,
  };
  if ('declaredFiles' in body) {
    const none = { expectedPreviousAssetId: null, existingAssetId: null, expectedAssetUpdatedAt: null };
    const items = body.declaredFiles.map(({ itemId, targetKind, targetId, slot, ...file }): Item => {
      return fresh({ itemId, targetKind, targetId, slot, operation: 'add', ...none, file });
    });
    return { ...head, kind: 'creation', expectedUpdatedAt: null, items };
  }
  const items = body.items.map(({ declaredFile, ...item }): Item => fresh({ ...item, file: declaredFile }));
  return { ...head, kind: 'edit', expectedUpdatedAt: body.expectedUpdatedAt, items };
}

function fresh(item: Omit<Item, 'status' | 'readyAt' | 'spoilt' | 'assetId'>): Item {
  const status = item.file === null ? 'received' : 'awaiting';
  return { ...item, status, readyAt: 0, spoilt: false, assetId: null };
}
