/**
 * oidc-provider speaks through `console`, partly on stdout. Importing this file before it moves every word of
 * its to stderr, and leaves out one that it says on each start and that is not for the person who runs us:
 * that it would like a newer Node (it runs on ours; the tests are the proof).
 */
for (const level of ['info', 'warn'] as const) {
  // biome-ignore lint/suspicious/noConsole: this is the place where console is tamed
  const original = console[level].bind(console);
  console[level] = (...words: unknown[]) => {
    const [first] = words;
    if (typeof first !== 'string' || !first.includes('oidc-provider ')) original(...words);
    else if (!first.includes('Unsupported runtime')) process.stderr.write(`${first}\n`);
  };
}
