/**
 * Keeps a fresh client secret in memory between the form that made it and the page that shows it, so that
 * reloading that page neither shows it again nor registers a second app. It is written nowhere.
 */
export interface ShownOnce {
  keep(clientId: string, sessionUid: string, secret: string): void;
  /** The secret, the first time the session that made it asks; null ever after. */
  take(clientId: string, sessionUid: string): string | null;
}

const patience = 5 * 60 * 1000;

export function createShownOnce(): ShownOnce {
  const kept = new Map<string, { sessionUid: string; secret: string; until: number }>();
  return {
    keep(clientId, sessionUid, secret) {
      const now = Date.now();
      for (const [id, entry] of kept) if (entry.until < now) kept.delete(id);
      kept.set(clientId, { sessionUid, secret, until: now + patience });
    },
    take(clientId, sessionUid) {
      const entry = kept.get(clientId);
      if (entry === undefined || entry.sessionUid !== sessionUid) return null;
      kept.delete(clientId);
      return entry.until < Date.now() ? null : entry.secret;
    },
  };
}
