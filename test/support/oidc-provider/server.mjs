// An authorization server and a protected path, made of oidc-provider with its usual interaction: one grant for a
// session and an app, which every sign-in of that session adds to. It runs in a process of its own, on the loopback, and
// keeps everything in memory. Its first line of output is its address. What a test steers goes through /control; who
// signs in, and what they grant, stands in headers of the browser's requests.
import { createServer } from 'node:http';

for (const name of ['info', 'warn', 'log']) console[name] = () => {};
const { Provider } = await import('oidc-provider');

const apiScopes = ['assets:write', 'assets:replace', 'sets:write', 'groups:write', 'relationships:write'];
const [redirectUri = '', accessSeconds = '600', aheadMs = '0'] = process.argv.slice(2);
const now = Date.now.bind(Date);
// The service's clock, which may differ from that of its apps.
Date.now = () => now() + Number(aheadMs);

/** What came to the token and revocation endpoints, without any token. */
const seen = [];
/** The kind of request whose next answer is lost, when all has been done that it tells; null: none. */
let losing = null;

const server = createServer((request, response) => {
  void respond(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;
const resource = `${origin}/me`;

const provider = new Provider(origin, {
  clients: [
    {
      client_id: 'app',
      application_type: 'native',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: [redirectUri],
    },
  ],
  cookies: { keys: ['a key of a test that lasts a minute'] },
  routes: {
    authorization: '/api/auth/oauth2/authorize',
    token: '/api/auth/oauth2/token',
    revocation: '/api/auth/oauth2/revoke',
  },
  claims: { openid: ['sub'], profile: ['name'] },
  conformIdTokenClaims: false,
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => resource,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: apiScopes.join(' '), accessTokenFormat: 'opaque' }),
    },
  },
  rotateRefreshToken: true,
  ttl: {
    AccessToken: Number(accessSeconds),
    AuthorizationCode: 60,
    Grant: 3600,
    IdToken: 3600,
    Interaction: 600,
    RefreshToken: 3600,
    Session: 3600,
  },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, name: sub }) }),
});
const handle = provider.callback();
process.stdout.write(`${origin}\n`);

async function respond(request, response) {
  const { pathname, searchParams } = new URL(request.url, origin);
  response.setHeader('date', new Date(Date.now()).toUTCString());
  if (pathname.startsWith('/control/')) return control(pathname.slice('/control/'.length), request, response);
  if (pathname.startsWith('/interaction/')) return interact(request, response);
  if (pathname === '/me/anything') return protectedCall(searchParams.get('scope'), request, response);
  if (pathname.startsWith('/api/auth/.well-known/')) request.url = request.url.slice('/api/auth'.length);
  if (/\/oauth2\/(token|revoke)$/.test(pathname)) await watch(request, response);
  return handle(request, response);
}

/** Notes the request by its kind. */
async function watch(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  // oidc-provider takes a form that was read before it.
  request.body = Object.fromEntries(form);
  const kind = request.url.endsWith('/revoke') ? 'revoke' : form.get('grant_type');
  seen.push(kind);
  if (losing !== kind) return;
  losing = null;
  response.end = () => response.destroy();
}

/** The person of the request's headers signs in, and grants what the headers leave. */
async function interact(request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  const person = request.headers['x-person'];
  const finish = (result) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  if (prompt.name === 'login') return finish({ login: { accountId: person } });
  if (request.headers['x-declines'] !== undefined) return finish({ error: 'access_denied' });
  const found = grantId === undefined ? undefined : await provider.Grant.find(grantId);
  const grant = found ?? new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const leaves = request.headers['x-leaves']?.split(' ') ?? params.scope.split(' ');
  const asked = params.scope.split(' ').filter((scope) => leaves.includes(scope));
  const ofApi = (scope) => apiScopes.includes(scope);
  grant.addOIDCScope(asked.filter((scope) => !ofApi(scope)).join(' '));
  grant.addResourceScope(resource, asked.filter(ofApi).join(' '));
  const refused = params.scope.split(' ').filter((scope) => !leaves.includes(scope));
  grant.rejectOIDCScope(refused.filter((scope) => !ofApi(scope)).join(' '));
  grant.rejectResourceScope(resource, refused.filter(ofApi).join(' '));
  return finish({ consent: { grantId: await grant.save() } });
}

/** 401 for a token that has ended, 403 for one without the scope. */
async function protectedCall(scope, request, response) {
  const token = await provider.AccessToken.find(request.headers.authorization?.replace('Bearer ', '') ?? '');
  const grant = token?.grantId === undefined ? undefined : await provider.Grant.find(token.grantId);
  const isGood = grant !== undefined && token.aud === resource;
  const may = scope === null || (token?.scope ?? '').split(' ').includes(scope);
  response.writeHead(isGood ? (may ? 200 : 403) : 401, { 'content-type': 'application/json' }).end('{}');
}

const grants = new Set();
provider.on('grant.success', (ctx) => grants.add(ctx.oidc.entities.Grant.jti));

const controls = {
  /** Which requests came, in their order. */
  seen: () => seen,
  /** How many grants the server honours. */
  async living() {
    const found = await Promise.all([...grants].map((id) => provider.Grant.find(id)));
    return found.filter((grant) => grant !== undefined).length;
  },
  lose({ kind }) {
    losing = kind;
    return true;
  },
  /** What the Apps area does: the grants end. */
  async endGrants() {
    for (const id of grants) await (await provider.Grant.find(id))?.destroy();
    return true;
  },
};

async function control(name, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const answer = await controls[name](JSON.parse(Buffer.concat(chunks).toString()));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

process.stdin.on('end', () => process.exit(0)).resume();
