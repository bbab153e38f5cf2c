import type { Catalogue } from '../../catalogue/client.ts';
import type { Deadline } from '../../deadline.ts';
import type { WorkTarget } from '../../model/target.ts';
import { isWorkKind } from '../../model/work.ts';
import type { Settings } from '../../settings.ts';
import type { Marks } from '../../store/kv.ts';
import type { OwnRecords } from '../../store/own.ts';
import { createPlanStore } from '../plan/store.ts';
import { openDownloadRoot } from './download-root.ts';

interface DownloadMeans {
  readonly settings: Pick<Settings, 'baseUrl' | 'assetUrl' | 'downloadRoot' | 'home'>;
  readonly catalogue: Pick<Catalogue, 'readSet' | 'fetchImage' | 'readFeedPage'>;
  store(): Promise<Marks>;
  account(): Promise<{ records(namespace: string): Promise<OwnRecords> }>;
}

/**
 * What downloads and updates work with.
 * @throws ArtworkError as `openDownloadRoot`
 */
export async function openDownloads(
  means: DownloadMeans,
  deadline: Deadline,
  progress: (done: number, total: number) => Promise<void>,
) {
  const { settings, catalogue } = means;
  return {
    root: await openDownloadRoot(settings.downloadRoot, settings.home),
    store: await means.store(),
    // What was written from one catalogue is not taken for another's.
    service: [
      settings.baseUrl ?? 'embedded',
      ...(settings.assetUrl === null ? [] : [settings.assetUrl]),
    ].join(' '),
    ...{ catalogue, deadline, progress },
    /** Names of works that a person has confirmed for plans: their folders may be called so. */
    async alsoCalled({ kind, id }: WorkTarget): Promise<readonly string[]> {
      if (!isWorkKind(kind)) return [];
      const { records } = await means.account();
      return createPlanStore(await records('plans')).namesOf({ kind, id });
    },
  };
}
