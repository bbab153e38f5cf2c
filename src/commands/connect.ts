import { createInterface } from 'node:readline';
import { withApp } from '../app.ts';
import type { Connections } from '../connection/connections.ts';
import type { SignedIn, SignIn, SignInRequest } from '../connection/sign-in.ts';
import { ArtworkError } from '../errors.ts';
import { noteLine, printLine } from '../terminal.ts';
import type { Command } from './command.ts';

export const command: Command = {
  summary: 'signs in on the service and stores the connection of the selected user',
  usage: 'artwork-mcp connect [--scopes "a b"] [--no-browser] [--replace]',
  options: {
    'no-browser': {
      about: 'opens no browser; where another program holds the callback port, the callback is pasted',
      example: 'artwork-mcp connect --no-browser',
    },
    replace: {
      about: 'replaces also a connection whose key is lost',
      example: 'artwork-mcp connect --user second --replace',
    },
  },
  settings: ['baseUrl', 'authUrl', 'clientId', 'redirectUri', 'scopes', 'user', 'home'],
  examples: [
    'artwork-mcp connect',
    'artwork-mcp connect --scopes "openid offline_access assets:write" --no-browser',
    'artwork-mcp connect --user second --replace',
  ],
  words: 0,
  run: ({ settings, options }) =>
    withApp(settings, async ({ parts }) => {
      const { connections } = await parts.account();
      const request = { scopes: settings.scopes, replace: options.replace === true };
      const isElsewhere = options['no-browser'] === true;
      const signIn = isElsewhere
        ? await signInElsewhere(connections, request)
        : await connections.signIn(request);
      invite(signIn, !isElsewhere && (await openInBrowser(signIn.url)));
      const stopReading = readPastedUrls(signIn);
      tell(await signIn.done.finally(stopReading));
    }),
};

/**
 * Where the browser runs on another machine the callback is pasted, so that another program at the port is no
 * hindrance. A sign-in of ours there is: of two that wait at once a person can't tell which answer belongs to which.
 */
async function signInElsewhere(connections: Connections, request: SignInRequest): Promise<SignIn> {
  try {
    return await connections.signIn(request);
  } catch (error) {
    if (!(error instanceof ArtworkError) || error.code !== 'port_taken') throw error;
    noteLine(
      'Another program holds the port of the callback, so nothing listens: the callback URL has to be pasted.',
    );
    return await connections.signIn({ ...request, listen: false });
  }
}

function invite(signIn: SignIn, opened: boolean): void {
  noteLine(opened ? 'The browser opens this address:' : 'Open this address in a browser:');
  printLine(signIn.url);
  noteLine(
    signIn.listening
      ? 'Sign in there. Where the browser runs on another machine, paste the address that it ends at here.'
      : 'Sign in there, then paste the address that the browser ends at here.',
  );
  noteLine(`This waits for ${minutesUntil(signIn.expiresAt)}, until ${clockTime(signIn.expiresAt)}.`);
}

/** The time as the person's own clock shows it. */
function clockTime(moment: string): string {
  return new Date(moment).toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
}

function minutesUntil(moment: string): string {
  const minutes = Math.max(1, Math.round((Date.parse(moment) - Date.now()) / 60_000));
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}

/** Each pasted line is tried; a wrong one is told and the sign-in waits on. The end of stdin ends nothing. */
function readPastedUrls(signIn: SignIn): () => void {
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() === '') return;
    signIn.paste(line.trim()).catch((error: unknown) => {
      if (!(error instanceof ArtworkError)) throw error;
      noteLine(error.message);
    });
  });
  return () => {
    lines.close();
    process.stdin.unref?.();
  };
}

function tell({ account, subject, permissions, leftOne }: SignedIn): void {
  const who = account ?? subject ?? 'an account whose name the service did not tell';
  noteLine(`Connected as ${who}.`);
  for (const sentence of permissions) noteLine(sentence);
  if (leftOne) {
    noteLine("The connection before may still exist on the service: the account's Apps area ends it there.");
  }
}

/** Opens an address in the person's browser. Answers whether a browser was started. */
async function openInBrowser(address: string): Promise<boolean> {
  // Loaded only where a browser is wanted.
  const { default: open } = await import('open');
  try {
    const started = await open(address);
    started.on('error', () => undefined); // It had started; the person sees its outcome.
    return true;
  } catch {
    // There is no browser or no desktop: the address is shown too, for the person to open.
    return false;
  }
}
