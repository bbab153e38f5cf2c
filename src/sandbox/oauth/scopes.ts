/** A scope of the interface document (Authentication), in words for the person who decides. */
interface ScopeWords {
  readonly title: string;
  readonly explanation: string;
}

/** Scopes of the resource `{base_url}/me`. */
const resourceWords = {
  'assets:write': {
    title: 'Add artwork',
    explanation: 'Upload new artwork in your name, and change the language or edition of artwork you own.',
  },
  'assets:replace': {
    title: 'Replace artwork',
    explanation:
      'Put new files in the place of artwork you own, and choose the preview frame of animated ones.',
  },
  'sets:write': {
    title: 'Manage your Sets',
    explanation: 'Create, read and edit the Sets you own, and put your artwork into them.',
  },
  'groups:write': {
    title: 'Manage your Boxsets and Loadouts',
    explanation: 'Create, read and edit the Boxsets and Loadouts you own.',
  },
  'relationships:write': {
    title: 'Manage follows and hides',
    explanation: 'See whom you follow or hide, and change it.',
  },
} as const satisfies Record<string, ScopeWords>;

/** Standard scopes, about the sign-in itself. */
const identityWords = {
  openid: { title: 'Know your account', explanation: 'Recognise your account when you come back.' },
  profile: { title: 'See your name', explanation: 'Read the name of your account.' },
  offline_access: {
    title: 'Stay connected',
    explanation: 'Keep working after you leave, until you disconnect the app in your Apps.',
  },
} as const satisfies Record<string, ScopeWords>;

export type ResourceScope = keyof typeof resourceWords;
type IdentityScope = keyof typeof identityWords;
export type Scope = ResourceScope | IdentityScope;

const words: Record<Scope, ScopeWords> = { ...resourceWords, ...identityWords };

export const resourceScopes: readonly ResourceScope[] = [
  'assets:write',
  'assets:replace',
  'sets:write',
  'groups:write',
  'relationships:write',
];
export const identityScopes: readonly IdentityScope[] = ['openid', 'profile', 'offline_access'];
export const allScopes: readonly Scope[] = [...resourceScopes, ...identityScopes];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(words, value);
}

export function scopeWords(scope: Scope): ScopeWords {
  return words[scope];
}

/** The known scopes of a space-separated list, each once, in the order of our pages. */
export function knownScopes(list: string): Scope[] {
  const given = new Set(list.split(' '));
  return allScopes.filter((scope) => given.has(scope));
}
