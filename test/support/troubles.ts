/** What goes wrong with one request, in the words of the catalogue's own faults. */
export interface Trouble {
  readonly name: string;
  readonly fault: { readonly do: string; readonly [more: string]: unknown };
  /** The answer says for certain that nothing was changed although something was: no client can tell. */
  readonly lies: boolean;
  /** Keeps its call waiting until the call's time is over. */
  readonly slow: boolean;
}

const told = { error: { code: 'test.trouble', message: 'As it was told.', details: {}, issues: [] } };
const unresolved = { error: { ...told.error, code: 'set_creation_upload.outcome_unresolved' } };
const refusals = [400, 401, 403, 404, 409, 413, 422, 429];
const moments = [
  { when: 'before', words: 'before the effect' },
  { when: 'received', words: 'with the body there' },
  { when: 'after', words: 'after the effect' },
] as const;
const edges = moments.filter(({ when }) => when !== 'received');
/** A hurried call has 4.5 s, a hurried request 6 s. */
const tooLongMs = 5_200;
const neverMs = 8_000;

function answers(name: string, when: string, status: number, body: unknown, lies = false): Trouble {
  return { name, fault: { do: 'answer', when, status, body }, lies, slow: false };
}

/** Every way in which the answer to a mutation's request goes wrong. */
export const troubles: readonly Trouble[] = [
  ...edges.flatMap(({ when, words }): Trouble[] => [
    plain(`silence ${words}`, { do: 'silence', when, milliseconds: neverMs }, true),
    plain(`too late, ${words}`, { do: 'delay', when, milliseconds: tooLongMs }, true),
    ...refusals.map((status) => answers(`${status} ${words}`, when, status, told, when === 'after')),
    ...[500, 502, 503].map((status) => answers(`${status} ${words}`, when, status, told)),
    answers(`a gateway's 400 ${words}`, when, 400, '<h1>No</h1>'),
    answers(`a gateway's 502 ${words}`, when, 502, '<h1>Bad</h1>'),
    answers(`garbage ${words}`, when, 200, '<h1>Hello</h1>'),
    answers(`an empty object ${words}`, when, 200, {}),
    answers(`a redirect ${words}`, when, 302, '', when === 'after'),
    answers(`unresolved, ${words}`, when, 503, unresolved),
  ]),
  ...moments.map(({ when, words }) => plain(`cut ${words}`, { do: 'cut', when })),
  plain('half an answer', { do: 'truncate' }),
  ...[401, 403, 429, 503].map((status) =>
    plain(`${status} again and again`, { do: 'answer', when: 'before', status, body: told, count: 20 }),
  ),
];

/** Every way in which a read goes wrong, as often as it is tried. */
export const readTroubles: readonly Trouble[] = [
  ...[400, 401, 403, 404, 409, 410, 422, 429, 500, 502, 503].map((status) =>
    plain(`${status}`, { do: 'answer', when: 'before', status, body: told }),
  ),
  plain("a gateway's 404", { do: 'answer', when: 'before', status: 404, body: '<h1>Nothing</h1>' }),
  plain('garbage', { do: 'answer', when: 'before', status: 200, body: '<h1>Hello</h1>' }),
  plain('an empty object', { do: 'answer', when: 'before', status: 200, body: {} }),
  plain('no record', { do: 'answer', when: 'before', status: 200, body: { data: null } }),
  plain('a redirect', { do: 'answer', when: 'before', status: 302, body: '' }),
  plain('cut', { do: 'cut', when: 'before' }),
  plain('half an answer', { do: 'truncate' }),
  plain('silence', { do: 'silence', when: 'before', milliseconds: neverMs }),
];

function plain(name: string, fault: Trouble['fault'], slow = false): Trouble {
  return { name, fault, lies: false, slow };
}
