import type { Option } from './command.ts';

/** Each setting has a flag of its name, except the secrets. */
export const settingFlags = {
  'base-url': { type: 'string', value: 'URL', about: "the service's API base address" },
  'auth-url': { type: 'string', value: 'URL', about: "host of the service's sign-in pages" },
  'asset-url': { type: 'string', value: 'URL', about: 'origin of root-relative picture paths' },
  'client-id': { type: 'string', value: 'ID', about: 'the app that you registered on the service' },
  'redirect-uri': { type: 'string', value: 'URL', about: 'the exact registered callback' },
  scopes: { type: 'string', value: '"A B"', about: 'scopes that a sign-in asks for, separated by spaces' },
  user: { type: 'string', value: 'NAME', about: 'whose stored connection is used' },
  home: { type: 'string', value: 'DIR', about: 'the data directory' },
  'upload-roots': { type: 'string', value: 'DIRS', about: 'folders that files may be read from, as in PATH' },
  'download-root': { type: 'string', value: 'DIR', about: 'the folder that artwork may be downloaded below' },
  index: { type: 'string', value: 'on|passive|off', about: 'whether titles are kept to be found by name' },
  'read-only': { type: 'string', value: '1|0', about: 'hides every tool that changes the catalogue' },
  toolsets: { type: 'string', value: 'A,B', about: 'any of catalogue,me,curate,account' },
  'log-level': { type: 'string', value: 'LEVEL', about: 'error, warn, info or debug; the log is on stderr' },
} as const satisfies Readonly<Record<string, Option>>;

/** The variable of a setting's flag. */
export function variableOf(flag: string): string {
  return `ARTWORK_${flag.toUpperCase().replaceAll('-', '_')}`;
}
