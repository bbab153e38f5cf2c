import {
  type Check,
  type Failure,
  failureLine,
  has,
  invalidParams,
  isBoolean,
  isId,
  isObject,
  isText,
  type Json,
  methodNotFound,
  ofObjects,
  type Request,
  type RequestId,
  resultLine,
} from '../messages.ts';
import { faultIn, type Members, parameters } from '../parameters.ts';
import { createLists, type Identity, introduction, listOf } from '../surface.ts';

/** The one revision that is spoken with hosts that name theirs in each request. */
export const revision = '2026-07-28';

/** Members of `_meta` (the revision's Overview, General fields). */
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const clientKey = 'io.modelcontextprotocol/clientInfo';
const levelKey = 'io.modelcontextprotocol/logLevel';
const serverKey = 'io.modelcontextprotocol/serverInfo';

/** A request that is sound as far as each request has to be. */
export interface ModernRequest extends Request {
  readonly params: Json;
}

export type Verdict =
  | { readonly answer: string }
  /** Only the SDK's server can answer it. */
  | { readonly forServer: ModernRequest };

/** Whether a request is one of this revision: whatever came before, it says so itself. */
export function namesRevision({ params }: Request): boolean {
  return isObject(params) && isObject(params._meta) && Object.hasOwn(params._meta, versionKey);
}

/** Answers all of this revision that needs no SDK: unsound requests, the discovery, and the lists. */
export function createModernOpening(options: Identity): { judge(request: Request): Verdict } {
  const lists = createLists(options);
  const { serverInfo, ...introduced } = introduction(options);
  const complete = (result: object) => ({
    resultType: 'complete',
    ...result,
    ...listCaching,
    _meta: { [serverKey]: serverInfo },
  });
  return {
    judge(request) {
      const { id, method, params: given } = request;
      const refused = (error: Failure): Verdict => ({ answer: failureLine(id, error) });
      const envelope = faultOf(given);
      if (envelope !== null) return refused(envelope);
      if (method === 'server/discover') {
        return { answer: resultLine(id, complete({ supportedVersions: [revision], ...introduced })) };
      }
      const list = listOf(lists, method, true);
      if (list !== null) {
        // All of it is on the first page, whatever page is asked for.
        if (has(given, {}, { cursor: isText })) return { answer: resultLine(id, complete(list)) };
        return refused({ code: invalidParams, message: 'cursor has to be a string' });
      }
      const members = parameters.get(method);
      if (members === undefined || !isObject(given)) {
        return refused({ code: methodNotFound, message: 'Method not found' });
      }
      const fault = faultIn(given, [...members, ...retried], 'params');
      if (fault !== null) return refused({ code: invalidParams, message: fault });
      const params = { ...given, _meta: toldToServer(given._meta) };
      return { forServer: { jsonrpc: '2.0', id, method, params } };
    },
  };
}

/** The lists are the same for every host, for as long as the server runs. */
const listCaching = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

const unsupportedProtocolVersion = -32022;

/** The fault in the envelope of a request of this revision; null if there is none. */
function faultOf(params: unknown): Failure | null {
  const meta = isObject(params) ? params._meta : undefined;
  if (!isObject(meta)) return { code: invalidParams, message: notIntroduced };
  const requested = meta[versionKey];
  // Of another version nothing else is known.
  if (typeof requested === 'string' && requested !== revision) {
    return {
      code: unsupportedProtocolVersion,
      message: `Unsupported protocol version. Hosts of ${revision} name it in each request; those of 2025-11-25 and earlier begin with initialize.`,
      data: { supported: [revision], requested },
    };
  }
  const fault = faultIn(meta, envelope, '_meta');
  return fault === null ? null : { code: invalidParams, message: `${fault}. ${notIntroduced}` };
}

/** Only what is used: the SDK gives no answer at all to a request in whose other members it finds a fault. */
function toldToServer(meta: unknown): Json {
  if (!isObject(meta)) return {};
  const { progressToken } = meta;
  const declared = meta[capabilitiesKey];
  return {
    [versionKey]: revision,
    [capabilitiesKey]: isObject(declared) && declared.roots !== undefined ? { roots: {} } : {},
    ...(progressToken === undefined ? {} : { progressToken }),
  };
}

const notIntroduced = `A request of ${revision} has _meta with ${versionKey} and ${capabilitiesKey}; a host of 2025-11-25 or earlier begins with initialize.`;

/** The answer to a request that names no revision and comes before `initialize`. */
export function refuseUnintroduced(id: RequestId): string {
  return failureLine(id, { code: invalidParams, message: notIntroduced });
}

const ofTexts: Check = (value) => Array.isArray(value) && value.every(isText);
const isIcon: Check = (value) =>
  has(value, { src: isText }, { mimeType: isText, sizes: ofTexts, theme: isOneOf('light', 'dark') });
const isImplementation: Check = (value) =>
  has(
    value,
    { name: isText, version: isText },
    {
      title: isText,
      websiteUrl: isText,
      description: isText,
      icons: (icons) => Array.isArray(icons) && icons.every(isIcon),
    },
  );
const isCapabilities: Check = (value) =>
  has(
    value,
    {},
    {
      experimental: ofObjects,
      extensions: ofObjects,
      sampling: (declared) => has(declared, {}, { context: isObject, tools: isObject }),
      elicitation: (declared) =>
        has(declared, {}, { url: isObject, form: (form) => has(form, {}, { applyDefaults: isBoolean }) }),
      roots: (declared) => has(declared, {}, { listChanged: isBoolean }),
    },
  );

function isOneOf(...words: readonly unknown[]): Check {
  return (value) => words.includes(value);
}

const envelope: Members = [
  [versionKey, true, isText],
  [capabilitiesKey, true, isCapabilities],
  [clientKey, false, isImplementation],
  [levelKey, false, isOneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency')],
  ['progressToken', false, isId],
];

/** A host's answers to `input_required`. We never send a state, so none comes back. */
const retried: Members = [
  ['inputResponses', false, ofObjects],
  ['requestState', false, isText],
];
