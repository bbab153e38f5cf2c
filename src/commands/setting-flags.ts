import { logLevels } from '../log.ts';
import { allScopes, indexModes, toolsets } from '../settings.ts';
import type { Option } from './command.ts';

/** Each setting has a flag of its name, except the secrets. */
export const settingFlags = {
  'base-url': {
    type: 'string',
    value: 'URL',
    about: "the service's API base address; left out: the embedded catalogue",
    example: '--base-url https://catalogue.example/api',
  },
  'auth-url': {
    type: 'string',
    value: 'URL',
    about: "host of the service's sign-in pages",
    example: '--auth-url https://catalogue.example',
  },
  'asset-url': {
    type: 'string',
    value: 'URL',
    about: 'origin of root-relative picture paths',
    example: '--asset-url https://pictures.example',
  },
  'client-id': {
    type: 'string',
    value: 'ID',
    about: 'the app that you registered on the service',
    example: '--client-id 4f0c1a7e',
  },
  'redirect-uri': {
    type: 'string',
    value: 'URL',
    about: 'the exact registered callback',
    example: '--redirect-uri http://127.0.0.1:43917/callback',
  },
  scopes: {
    type: 'string',
    value: '"A B"',
    about: 'scopes that a sign-in asks for, separated by spaces; left out: all',
    example: '--scopes "openid offline_access assets:write"',
    choices: allScopes,
  },
  user: {
    type: 'string',
    value: 'NAME',
    about: 'whose stored connection is used, where several people share this machine',
    example: '--user second',
  },
  home: {
    type: 'string',
    value: 'DIR',
    about: 'the data directory',
    example: '--home ~/artwork-data',
    isFolder: true,
  },
  'upload-roots': {
    type: 'string',
    value: 'DIRS',
    about: 'folders that files may be read from, as in PATH',
    example: '--upload-roots /home/me/posters:/mnt/cards',
    isFolder: true,
  },
  'download-root': {
    type: 'string',
    value: 'DIR',
    about: 'the folder that artwork may be downloaded below',
    example: '--download-root /mnt/media/artwork',
    isFolder: true,
  },
  index: {
    type: 'string',
    value: indexModes.join('|'),
    about: 'whether titles are kept to be found by name',
    example: '--index passive',
    choices: indexModes,
  },
  'read-only': {
    type: 'string',
    value: '1|0',
    isValueOptional: true,
    about: 'hides every tool that changes the catalogue; without a value it is on',
    example: '--read-only',
  },
  toolsets: {
    type: 'string',
    value: 'A,B',
    about: `any of ${toolsets.join(',')}; left out: all`,
    example: '--toolsets catalogue,me',
    choices: toolsets,
  },
  'log-level': {
    type: 'string',
    value: 'LEVEL',
    about: `${logLevels.slice(0, -1).join(', ')} or ${logLevels.at(-1)}; the log is on stderr`,
    example: '--log-level debug',
    choices: logLevels,
  },
} as const satisfies Readonly<Record<string, Option>>;

/** The variable of a setting's flag. */
export function variableOf(flag: string): string {
  return `ARTWORK_${flag.toUpperCase().replaceAll('-', '_')}`;
}
