import { cleanLine } from '../log.ts';

/*
 * The only import of oidc-provider, which writes messages with `console`, partly to stdout. They are
 * redirected to stderr first, except its request for a newer Node: it runs on this one, as the tests show.
 */
for (const level of ['info', 'warn'] as const) {
  // biome-ignore lint/suspicious/noConsole: the library's calls are replaced here
  const original = console[level].bind(console);
  console[level] = (...values: unknown[]) => {
    const [first] = values;
    if (typeof first !== 'string' || !first.includes('oidc-provider ')) original(...values);
    else if (!first.includes('Unsupported runtime')) process.stderr.write(`${cleanLine(first)}\n`);
  };
}

// No static import: that would be evaluated before the lines above.
export const { errors, Provider } = await import('oidc-provider');
