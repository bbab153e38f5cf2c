// An authorization server and a protected path, made of oidc-provider with its strict defaults: a second reading of
// the interface document's sign-in, by others. It runs in a process of its own, on the loopback, and keeps everything in
// memory. Its first line of output is its address. Each sign-in gets a grant of its own, or with the argument
// `one-grant` the session's, which every sign-in adds to. What a test steers goes through /control.
import { createServer } from 'node:http';

for (const name of ['info', 'warn', 'log']) console[name] = () => {};
const { Provider } = await import('oidc-provider');

const apiScopes = ['assets:write', 'assets:replace', 'sets:write', 'groups:write', 'relationships:write'];
const [redirectUri = '', grants = 'own-grants'] = process.argv.slice(2);
/** The kind of request whose next answer is lost, when all has been done that it tells; null: none. */
let losing = null;
let presentedTwice = 0;
const presented = new Set();

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
    userinfo: '/api/auth/oauth2/userinfo',
  },
  claims: { openid: ['sub'], profile: ['name'] },
  features: {
    devInteractions: { enabled: false },
    revocation: { enabled: true },
    resourceIndicators: {
      enabled: true,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: apiScopes.join(' '), accessTokenFormat: 'opaque' }),
    },
  },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, name: sub }) }),
});
const handle = provider.callback();
process.stdout.write(`${origin}\n`);

async function respond(request, response) {
  const { pathname } = new URL(request.url, origin);
  if (pathname.startsWith('/control/')) {
    const answer = await controls[pathname.slice('/control/'.length)]();
    return response.end(JSON.stringify(answer ?? null));
  }
  if (pathname.startsWith('/interaction/')) return interact(request, response);
  if (pathname === '/me/anything') return protectedCall(request, response);
  if (pathname.startsWith('/api/auth/.well-known/')) request.url = request.url.slice('/api/auth'.length);
  if (pathname.endsWith('/oauth2/token')) await watch(request, response);
  return handle(request, response);
}

async function watch(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = Object.fromEntries(new URLSearchParams(Buffer.concat(chunks).toString()));
  // oidc-provider takes a form that was read before it.
  request.body = form;
  if (form.refresh_token !== undefined) {
    if (presented.has(form.refresh_token)) presentedTwice += 1;
    presented.add(form.refresh_token);
  }
  if (losing !== form.grant_type) return;
  losing = null;
  response.end = () => response.destroy();
}

/** The person of the request's header signs in, and grants everything. */
async function interact(request, response) {
  const { prompt, params, session, grantId } = await provider.interactionDetails(request, response);
  const finish = (result) =>
    provider.interactionFinished(request, response, result, { mergeWithLastSubmission: true });
  if (prompt.name === 'login') return finish({ login: { accountId: request.headers['x-person'] } });
  const found =
    grants === 'one-grant' && grantId !== undefined ? await provider.Grant.find(grantId) : undefined;
  const grant = found ?? new provider.Grant({ accountId: session.accountId, clientId: params.client_id });
  const asked = params.scope.split(' ');
  grant.addOIDCScope(asked.filter((scope) => !apiScopes.includes(scope)).join(' '));
  grant.addResourceScope(resource, asked.filter((scope) => apiScopes.includes(scope)).join(' '));
  return finish({ consent: { grantId: await grant.save() } });
}

async function protectedCall(request, response) {
  const token = await provider.AccessToken.find(request.headers.authorization?.replace('Bearer ', '') ?? '');
  const grant = token?.grantId === undefined ? undefined : await provider.Grant.find(token.grantId);
  response.writeHead(grant !== undefined && token.aud === resource ? 200 : 401).end('{}');
}

const seen = new Set();
provider.on('grant.success', (ctx) => seen.add(ctx.oidc.entities.Grant.jti));
const found = async () => (await Promise.all([...seen].map((id) => provider.Grant.find(id)))).filter(Boolean);

const controls = {
  /** How many grants the server honours. */
  living: async () => (await found()).length,
  presentedTwice: async () => presentedTwice,
  async loseRenewal() {
    losing = 'refresh_token';
  },
  /** What the Apps area does: the grants end. */
  async endThere() {
    for (const grant of await found()) await grant.destroy();
  },
};

process.stdin.on('end', () => process.exit(0)).resume();
