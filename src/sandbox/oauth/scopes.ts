/** The scopes of the interface document (Authentication), in words for the person who decides. */
const words = {
  'assets:write': [
    'Add artwork',
    'Upload new artwork in your name, and change the language or edition of artwork you own.',
  ],
  'assets:replace': [
    'Replace artwork',
    'Put new files in the place of artwork you own, and choose the preview frame of animated ones.',
  ],
  'sets:write': [
    'Manage your Sets',
    'Create, read and edit the Sets you own, and put your artwork into them.',
  ],
  'groups:write': [
    'Manage your Boxsets and Loadouts',
    'Create, read and edit the Boxsets and Loadouts you own.',
  ],
  'relationships:write': ['Manage follows and hides', 'See whom you follow or hide, and change it.'],
  openid: ['Know your account', 'Recognise your account when you come back.'],
  profile: ['See your name', 'Read the name of your account.'],
  offline_access: [
    'Stay connected',
    'Keep working after you leave, until you disconnect the app in your Apps.',
  ],
} as const satisfies Record<string, readonly [title: string, explanation: string]>;

export type Scope = keyof typeof words;

/** Scopes of the resource `{base_url}/me`, and the standard ones about the sign-in itself. */
export const resourceScopes = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
] as const satisfies readonly Scope[];
export const identityScopes = ['openid', 'profile', 'offline_access'] as const satisfies readonly Scope[];
export const allScopes: readonly Scope[] = [...resourceScopes, ...identityScopes];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(words, value);
}

export function scopeWords(scope: Scope): { readonly title: string; readonly explanation: string } {
  const [title, explanation] = words[scope];
  return { title, explanation };
}

/** The known scopes of a space-separated list, each once, in the order of our pages. */
export function knownScopes(list: string): Scope[] {
  const given = new Set(list.split(' '));
  return allScopes.filter((scope) => given.has(scope));
}
