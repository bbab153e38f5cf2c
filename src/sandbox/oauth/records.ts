import type { Adapter, AdapterPayload } from 'oidc-provider';
import type { Database, Row } from '../store/database.ts';
import { endConnection } from './connections.ts';
import { errors } from './oidc-provider.ts';
import { epochSeconds, recordId } from './storage.ts';

/** Stores oidc-provider's records of one model. The `jti` is the id and is not stored again. */
export function recordAdapter(database: Database, model: string): Adapter {
  const read = (row: Row | undefined, id?: string): AdapterPayload | undefined => {
    if (row === undefined) return undefined;
    const payload: AdapterPayload = JSON.parse(row.text('payload'));
    const consumed = row.integerOrNull('consumed_at');
    return { ...payload, jti: id ?? row.text('id'), ...(consumed === null ? {} : { consumed }) };
  };
  return {
    async upsert(id, { jti: _, ...payload }, expiresIn) {
      const expiresAt = expiresIn === undefined ? null : epochSeconds() + expiresIn;
      database.run(
        `INSERT INTO oauth_records (model, id, payload, grant_id, uid, expires_at) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
        model,
        recordId(model, id),
        JSON.stringify(payload),
        payload.grantId ?? null,
        payload.uid ?? null,
        expiresAt,
      );
    },
    async find(id) {
      return read(
        database.first(
          'SELECT id, payload, consumed_at FROM oauth_records WHERE model = ? AND id = ?',
          model,
          recordId(model, id),
        ),
        id,
      );
    },
    async findByUid(uid) {
      return read(
        database.first(
          'SELECT id, payload, consumed_at FROM oauth_records WHERE uid = ? AND model = ?',
          uid,
          model,
        ),
      );
    },
    async findByUserCode() {
      throw new Error('The device flow is not offered.');
    },
    async consume(id) {
      const stored = recordId(model, id);
      const won = database.run(
        'UPDATE oauth_records SET consumed_at = ? WHERE model = ? AND id = ? AND consumed_at IS NULL',
        epochSeconds(),
        model,
        stored,
      );
      if (won === 1) return;
      // Two requests presented it at the same time, both found it unused, and this one lost: a second use.
      const grant = database.first(
        'SELECT grant_id FROM oauth_records WHERE model = ? AND id = ?',
        model,
        stored,
      );
      const grantId = grant?.textOrNull('grant_id') ?? null;
      if (grantId !== null) endConnection(database, grantId);
      throw new errors.InvalidGrant(`${model} already used`);
    },
    async destroy(id) {
      if (model === 'Grant') endConnection(database, id);
      else database.run('DELETE FROM oauth_records WHERE model = ? AND id = ?', model, recordId(model, id));
    },
    async revokeByGrantId(grantId) {
      database.run('DELETE FROM oauth_records WHERE grant_id = ? AND model = ?', grantId, model);
    },
  };
}
