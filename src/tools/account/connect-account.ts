import { z } from 'zod';
import { ArtworkError } from '../../errors.ts';
import { defineTool } from '../../mcp/tool.ts';
import { ownCommand } from '../../own-command.ts';
import { allScopes } from '../../settings.ts';

export const connectAccount = defineTool({
  name: 'connect_account',
  title: 'Sign in (log in): connect and authorize an account',
  toolset: 'account',
  description:
    'Sign in (log in) to connect an account: answers a link, which the person opens in a browser of this machine within ten minutes. Then account_status tells how it ended. To change accounts: disconnect_account first.',
  searchHint:
    'sign-in login link authorise authenticate oauth permission permissions grant reconnect switch register',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true },
  input: z.strictObject({
    scopes: z
      .array(z.enum(allScopes).meta({ inWords: true }))
      .min(1)
      .optional()
      .meta({
        description:
          'every scope that is wanted, e.g. ["assets:write","offline_access"]; left out: all there are',
        brief: 'all that are wanted, e.g. assets:write; else every one',
      }),
  }),
  output: z.looseObject({ state: z.literal('waiting'), url: z.string(), expiresAt: z.string() }),
  async run(args, context) {
    const { connections, signIns } = await context.account();
    const before = await connections.status();
    const scopes = args.scopes ?? [...context.settings.scopes];
    const signIn = await signIns.begin(scopes);
    if (!signIn.listening) {
      await signIn.cancel();
      const message = "The registered callback is not on this machine, so the sign-in can't finish here.";
      const why = `A person runs \`${ownCommand('connect')}\` in a terminal and pastes the callback URL there.`;
      throw new ArtworkError('not_connected', message, { next: { why } });
    }
    const isSignedIn = before.state === 'connected' || before.state === 'uncertain';
    const why = `${isSignedIn ? stillSignedIn : ''}Show the person the url as it is. They open it and sign in. This tells when they have.`;
    return {
      structured: {
        state: 'waiting' as const,
        url: signIn.url,
        expiresAt: signIn.expiresAt,
        scopes,
        next: { tool: 'account_status', arguments: {}, why },
      },
    };
  },
});

/** An account is signed in while the person decides. */
const stillSignedIn =
  'The present account stays signed in until the new sign-in is complete. If it has the permissions that you need, stop here. ';
