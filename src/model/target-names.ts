import type { Catalogue } from '../catalogue/client.ts';
import type { CatalogueReading } from '../catalogue/records/kinds.ts';
import { keyOfTarget, labelOf, type Target } from './target.ts';
import { episodeTargetOf, targetsShownBy } from './work.ts';

/** As many as the largest Set has targets, a few times over. */
const mostNames = 10_000;

/** The catalogue, and how people call what its reads have shown. */
export interface NamedCatalogue extends Catalogue {
  /** The label of a target that a read of this process has shown; null for every other. Reads nothing. */
  nameOf(kind: string, id: number | string): string | null;
}

/**
 * A catalogue that remembers what its reads have shown targets to be called, so that an answer can name one without
 * another read. Beyond the most names that it keeps, the one that was shown longest ago is forgotten.
 * @param create makes its client, which hands on each reading before the caller has it
 */
export function namedCatalogue(
  create: (learn: (reading: CatalogueReading) => void) => Catalogue,
): NamedCatalogue {
  const names = new Map<string, string>();
  const keep = (target: Target): void => {
    const [key, label] = [keyOfTarget(target), labelOf(target)];
    if (label === '') return;
    names.delete(key);
    names.set(key, label);
    const [oldest] = names.keys();
    if (names.size > mostNames && oldest !== undefined) names.delete(oldest);
  };
  const catalogue = create((reading) => {
    if (reading.of === 'entity') targetsShownBy(reading.kind, reading.record).forEach(keep);
    if (reading.of === 'episodes') reading.items.flatMap((item) => episodeTargetOf(item) ?? []).forEach(keep);
  });
  return { ...catalogue, nameOf: (kind, id) => names.get(keyOfTarget({ kind, id })) ?? null };
}
