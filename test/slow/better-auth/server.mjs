// A small authorization server and a protected path, made of better-auth: a second reading of the interface
// document's sign-in, by others. It runs in a process of its own, on the loopback, and keeps everything in memory.
// Its first line of output is its address. What a test steers goes through /control.
import { createServer } from 'node:http';
import { oauthProvider } from '@better-auth/oauth-provider';
import { betterAuth } from 'better-auth';
import { memoryAdapter } from 'better-auth/adapters/memory';
import { toNodeHandler } from 'better-auth/node';
import { jwt } from 'better-auth/plugins';

const scopes = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
  'openid',
  'profile',
  'offline_access',
];
const [redirectUri = '', accessSeconds = '600'] = process.argv.slice(2);

const db = {
  user: [],
  session: [],
  account: [],
  verification: [],
  jwks: [],
  oauthClient: [],
  oauthRefreshToken: [],
  oauthAccessToken: [],
  oauthConsent: [],
  oauthResource: [],
  oauthClientResource: [],
  oauthClientAssertion: [],
};
/** What came to the token and revocation endpoints, without any token. */
const seen = [];
/** The kind of request whose next answer is lost, when all has been done that it tells; null: none. */
let losing = null;
/** Resolved when the test lets the answer go that is kept back. */
let kept = null;

const server = createServer((request, response) => {
  void respond(request, response).catch((error) => {
    process.stderr.write(`${error.stack}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const auth = betterAuth({
  baseURL: origin,
  basePath: '/api/auth',
  secret: 'a secret of a test that keeps nothing and lasts a minute',
  database: memoryAdapter(db),
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  telemetry: { enabled: false },
  logger: { disabled: true },
  plugins: [
    jwt(),
    oauthProvider({
      loginPage: '/login',
      consentPage: '/consent',
      scopes,
      resources: [`${origin}/me`],
      enforcePerClientResources: false,
      accessTokenExpiresIn: Number(accessSeconds),
      silenceWarnings: { oauthAuthServerConfig: true, openidConfig: true },
    }),
  ],
});
const handle = toNodeHandler(auth);
const { adapter } = await auth.$context;
await adapter.create({
  model: 'oauthClient',
  data: {
    clientId: 'app',
    name: 'artwork-mcp',
    redirectUris: [redirectUri],
    tokenEndpointAuthMethod: 'none',
    grantTypes: ['authorization_code', 'refresh_token'],
    responseTypes: ['code'],
    public: true,
    type: 'native',
    scopes,
    requirePKCE: true,
    disabled: false,
    createdAt: new Date(),
    updatedAt: new Date(),
  },
});
process.stdout.write(`${origin}\n`);

async function respond(request, response) {
  const { pathname } = new URL(request.url, origin);
  if (pathname.startsWith('/control/')) return control(pathname.slice('/control/'.length), request, response);
  if (pathname === '/me/anything') return protectedCall(request, response);
  if (pathname.endsWith('/oauth2/token') || pathname.endsWith('/oauth2/revoke'))
    return watched(request, response);
  if (pathname.startsWith('/api/auth')) return handle(request, response);
  // The metadata as the interface document places it.
  response.writeHead(404).end();
}

/** Notes the request by its kind; its answer may be kept back, when all has been done that it tells. */
async function watched(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const form = new URLSearchParams(body.toString());
  const kind = request.url.endsWith('/revoke') ? 'revoke' : form.get('grant_type');
  const note = { kind, agent: request.headers['user-agent'], status: 0 };
  seen.push(note);
  const answer = await auth.handler(
    new Request(origin + request.url, {
      method: 'POST',
      headers: new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)])),
      body,
    }),
  );
  const text = await answer.text();
  note.status = answer.status;
  if (kept?.kind === kind) {
    const { until } = kept;
    kept.reached();
    kept = null;
    await until;
  }
  if (losing === kind) {
    losing = null;
    response.destroy();
  }
  if (response.destroyed) return;
  response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(text);
}

/** A token is good as long as it says, and as its grant is honoured. */
function protectedCall(request, response) {
  const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
  const [, claims = ''] = token.split('.');
  let told = {};
  try {
    told = JSON.parse(Buffer.from(claims, 'base64url').toString());
  } catch {
    // Not one of ours.
  }
  const good = told.exp * 1000 > Date.now() && [told.aud].flat().includes(`${origin}/me`);
  response.writeHead(good ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
}

let release = () => {};
const controls = {
  /** Which requests came, in their order. */
  seen: () => seen,
  /** How many refresh tokens are honoured. */
  living: () =>
    db.oauthRefreshToken.filter(({ revoked }) => revoked === null || revoked === undefined).length,
  /** Keeps the answer to the next request of this kind back; answers once it is. */
  keep: ({ kind }) =>
    new Promise((resolve) => {
      const until = new Promise((go) => {
        release = go;
      });
      kept = { kind, until, reached: () => {} };
      resolve(true);
    }),
  lose: ({ kind }) => {
    losing = kind;
    return true;
  },
  /** Whether the answer that is to be kept back is. */
  isKept: () => kept === null,
  release: () => {
    release();
    return true;
  },
  /** What the Apps area does: every refresh token of the app is revoked there. */
  revokeThere: () => {
    for (const token of db.oauthRefreshToken) token.revoked ??= new Date();
    return true;
  },
  /** The account is deleted, its tokens are not. */
  deleteUsers: () => {
    db.user.length = 0;
    return true;
  },
};

async function control(name, request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  const answer = await controls[name](text === '' ? {} : JSON.parse(text));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
}

process.stdin.on('end', () => process.exit(0)).resume();
