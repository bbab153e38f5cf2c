import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Row, Store } from '../store.ts';
import { findApp } from './apps.ts';
import { endConnection, epochSeconds, fingerprint } from './connection.ts';

/** Their ids are credentials themselves. */
const bearers: ReadonlySet<string> = new Set(['AccessToken', 'RefreshToken', 'AuthorizationCode']);

/** Keeps oidc-provider's records of one model. The `jti` is the id, and is not stored again. */
export function recordAdapter(store: Store, model: string): Adapter {
  const keyOf = (id: string) => (bearers.has(model) ? fingerprint(id) : id);
  const read = (row: Row | undefined, id?: string): AdapterPayload | undefined => {
    if (row === undefined) return undefined;
    const payload: AdapterPayload = JSON.parse(row.text('payload'));
    const consumed = row.integerOrNull('consumed_at');
    return { ...payload, jti: id ?? row.text('id'), ...(consumed === null ? {} : { consumed }) };
  };
  return {
    async upsert(id, { jti: _, ...payload }, expiresIn) {
      store.run(
        `INSERT INTO oauth_records (model, id, payload, grant_id, uid, account_id, client_id, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at`,
        model,
        keyOf(id),
        JSON.stringify(payload),
        payload.grantId ?? null,
        payload.uid ?? null,
        payload.accountId === undefined ? null : Number(payload.accountId),
        payload.clientId ?? null,
        expiresIn === undefined ? null : epochSeconds() + expiresIn,
      );
    },
    async find(id) {
      return read(
        store.first('SELECT * FROM oauth_records WHERE model = ? AND id = ?', model, keyOf(id)),
        id,
      );
    },
    async findByUid(uid) {
      return read(store.first('SELECT * FROM oauth_records WHERE model = ? AND uid = ?', model, uid));
    },
    async findByUserCode() {
      throw new Error('The device flow is not offered.');
    },
    async consume(id) {
      const one = 'model = ? AND id = ?';
      const unused = `UPDATE oauth_records SET consumed_at = ? WHERE ${one} AND consumed_at IS NULL`;
      if (store.run(unused, epochSeconds(), model, keyOf(id)) === 1) return;
      // Two requests presented it at the same time, both found it unused, and this one lost: a second use.
      const used = store.first(`SELECT grant_id FROM oauth_records WHERE ${one}`, model, keyOf(id));
      endConnection(store, used?.textOrNull('grant_id') ?? '');
      throw new errors.InvalidGrant(`${model} already used`);
    },
    async destroy(id) {
      if (model === 'Grant') endConnection(store, id);
      else store.run('DELETE FROM oauth_records WHERE model = ? AND id = ?', model, keyOf(id));
    },
    async revokeByGrantId(grantId) {
      store.run('DELETE FROM oauth_records WHERE model = ? AND grant_id = ?', model, grantId);
    },
  };
}

/** Lets oidc-provider find the registered apps. It never writes any: there is no dynamic registration. */
export function appAdapter(store: Store): Adapter {
  const refuse = async (): Promise<never> => {
    throw new Error('Apps are registered by people, in the Apps area.');
  };
  return {
    async find(clientId) {
      const app = findApp(store, clientId);
      if (app === undefined) return undefined;
      return {
        client_id: app.clientId,
        client_name: app.name,
        redirect_uris: [app.redirectUri],
        // "native" would allow any port of a loopback callback; the document compares the port too.
        application_type: 'web',
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: app.secretHash === null ? 'none' : 'client_secret_basic',
        ...(app.secretHash === null ? {} : { client_secret: app.secretHash }),
        registered_scopes: app.scopes.join(' '),
      };
    },
    upsert: refuse,
    findByUserCode: refuse,
    findByUid: refuse,
    consume: refuse,
    destroy: refuse,
    revokeByGrantId: refuse,
  };
}
