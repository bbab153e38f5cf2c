import { z } from 'zod';
import type { ConnectionStatus } from '../../connection/status.ts';
import { ArtworkError, invalidArguments } from '../../errors.ts';
import { didYouMean } from '../../mcp/nearest.ts';
import { defineTool } from '../../mcp/tool.ts';
import { ownCommand } from '../../own-command.ts';
import { allScopes, unknownScopes } from '../../settings.ts';

const output = z.object({
  state: z.literal('waiting'),
  url: z.string(),
  expiresAt: z.string(),
  scopes: z.array(z.string()),
  next: z.unknown(),
});

export const connectAccount = defineTool({
  name: 'connect_account',
  title: 'Sign in (log in): connect and authorize an account',
  toolset: 'account',
  description:
    'Sign in (log in) to connect an account: answers a link that the person opens in a browser on this machine within ten minutes; account_status tells how the sign-in ended. To change accounts disconnect_account first.',
  searchHint:
    'sign signin sign-in log login log-in in link authorize authorise authorization authenticate authentication oauth permission permissions scopes grant reconnect again switch register access',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,100}$/))
      .min(1)
      .max(50)
      .optional()
      .meta({
        description: 'e.g. ["assets:write","offline_access"]; left out: all',
        brief: 'all still needed, e.g. assets:write; else all',
      }),
  }),
  output,
  async run(args, context) {
    const { connections, signIns } = await context.account();
    const before = await connections.status();
    const scopes = args.scopes ?? [...context.settings.scopes];
    const unknown = unknownScopes(scopes);
    if (unknown.length > 0) throw wrongScopes(unknown);
    if (context.endsAfterCall === true) throw endsBeforeTheSignIn();
    const signIn = await signIns.begin(scopes);
    if (!signIn.listening) {
      await signIn.cancel();
      const why = `A person runs \`${ownCommand('connect')}\` in a terminal and pastes the callback URL there.`;
      const message = 'The registered callback is not on this machine, so a host can not take it.';
      throw new ArtworkError('not_connected', message, { next: { why } });
    }
    // Where the host shows the address itself, its answer changes nothing: what counts is the callback.
    const message = 'Sign in to the artwork catalogue and decide what this server may do.';
    await context.showUrl(signIn.url, message, signIn.done);
    return {
      structured: {
        state: 'waiting' as const,
        url: signIn.url,
        expiresAt: signIn.expiresAt,
        scopes,
        next: {
          tool: 'account_status',
          arguments: {},
          why: `${signedInAs(before)}The person opens url and signs in; this tells when it is done. Show them the url as it is.`,
        },
      },
    };
  },
});

/** No process would listen when the browser comes back. */
function endsBeforeTheSignIn(): ArtworkError {
  const message =
    'A sign-in can not finish here: the HTTP bridge before this server starts one for each request and ends it with the answer, so nothing would be there when the browser comes back.';
  const why = `A person runs \`${ownCommand('connect')}\` in a terminal of this machine, with the settings of this server (ARTWORK_HOME and ARTWORK_USER among them): its calls then use that connection. A bridge that keeps one server (stateful) can sign in from here.`;
  return new ArtworkError('not_connected', message, { code: 'sign_in_cut_off', next: { why } });
}

/** The account that is signed in while the person decides, as a sentence; empty where none is. */
function signedInAs({ state, account, subject }: ConnectionStatus): string {
  if (state !== 'connected' && state !== 'uncertain') return '';
  const name = account ?? subject ?? '';
  // The service gives it: what is more than a name must not speak here.
  const who = /^[\p{L}\p{N}][\p{L}\p{M}\p{N}.@-]{0,39}$/u.test(name) ? `The account "${name}"` : 'An account';
  return `${who} is signed in already, and stays so until the new sign-in is complete: where no other permission is wanted, nothing needs to be done. `;
}

/** The service's page would only say no. */
function wrongScopes(wrong: readonly string[]): ArtworkError {
  const told = wrong.map((scope) => `${JSON.stringify(scope)}${didYouMean(scope, allScopes)}`);
  const message = `can't have ${told.join(', ')}: there are ${allScopes.join(', ')}`;
  return invalidArguments('connect_account was called with wrong arguments', [
    { code: 'not_right', message, path: ['scopes'] },
  ]);
}
