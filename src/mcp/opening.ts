import {
  type Failure,
  failureLine,
  faultIn,
  invalidParams,
  isObject,
  type Request,
  resultLine,
  servedParams,
  unknownMethod,
} from './messages.ts';
import { createLists, type Identity, introduction, showsApps } from './surface.ts';

/*
 * What the build has made an answer to: the beginning of a conversation and the lists, in both eras. Most hosts ask for
 * no more, and many start a server without ever calling it. To load an SDK for them takes longer than all else of a start.
 */

/** The versions that are spoken with a host that begins with `initialize`, the newest first. A test compares the SDK's. */
const spoken: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'];

/** What the server for hosts of 2025-11-25 has to know of its host. */
export interface HostFacts {
  readonly declaresRoots: boolean;
}

/**
 * Answers hosts that begin with `initialize`: with what to write, or with the host of a request that a handler has to
 * answer.
 */
export function createLegacyOpening(options: Identity): (request: Request) => string | HostFacts {
  const lists = createLists(options);
  let host: HostFacts | null = null;
  let withApps = false;
  const introduced = ({ id, params }: Request): string => {
    const { protocolVersion: asked, capabilities } = params;
    host = { declaresRoots: isObject(capabilities) && isObject(capabilities.roots) };
    withApps = showsApps(Object(capabilities).extensions, options.definitions);
    const protocolVersion = spoken.find((version) => version === asked) ?? spoken[0];
    return resultLine(id, { protocolVersion, ...introduction(options) });
  };
  return (request) => {
    const { id, method } = request;
    if (host === null && method !== 'initialize' && method !== 'ping') return failureLine(id, notIntroduced);
    const fault = method === 'server/discover' ? unknownMethod : faultIn(request);
    if (fault !== null) return failureLine(id, fault);
    if (method === 'initialize') return introduced(request);
    const list = lists(method, withApps);
    return list === null && method !== 'ping' && host !== null ? host : resultLine(id, list ?? {});
  };
}

/** The one revision that is spoken with hosts that name theirs in each request. */
const revision = '2026-07-28';

/** Members of `_meta` (the revision's Overview, General fields). */
const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';
const serverKey = 'io.modelcontextprotocol/serverInfo';

/** Whether a request is one of this revision: whatever came before, it says so itself. */
export function namesRevision({ params }: Request): boolean {
  return isObject(params._meta) && Object.hasOwn(params._meta, versionKey);
}

const unsupportedVersion = -32022;

const notIntroduced: Failure = {
  code: invalidParams,
  message: `A host of 2025-11-25 or earlier begins with initialize. A request of ${revision} has _meta with ${versionKey} and ${capabilitiesKey}.`,
};

function faultInEnvelope({ params }: Request): Failure | null {
  const { [versionKey]: requested, [capabilitiesKey]: capabilities } = isObject(params._meta)
    ? params._meta
    : {};
  if (typeof requested === 'string' && requested !== revision) {
    const message = `This server speaks ${revision} with hosts that name their version in each request. Hosts of 2025-11-25 and earlier begin with initialize.`;
    return { code: unsupportedVersion, message, data: { supported: [revision], requested } };
  }
  return requested === revision && isObject(capabilities) ? null : notIntroduced;
}

/** The lists are the same for every host, for as long as the server runs. */
const listCaching = { ttlMs: 3_600_000, cacheScope: 'public' } as const;

/**
 * Answers hosts that name their revision in each request, and keeps nothing from one to the next: with what to write, or
 * with null where a handler has to answer.
 */
export function createModernOpening(options: Identity): (request: Request) => string | null {
  const lists = createLists(options);
  const { serverInfo, ...introduced } = introduction(options);
  return (request) => {
    const { id, method } = request;
    const isGone = method === 'initialize' || method === 'ping';
    const fault = faultInEnvelope(request) ?? (isGone ? unknownMethod : faultIn(request));
    if (fault !== null) return failureLine(id, fault);
    const isDiscovery = method === 'server/discover';
    const own = isDiscovery ? { supportedVersions: [revision], ...introduced } : lists(method, true);
    if (own === null) return null;
    const complete = { resultType: 'complete', ...own, ...listCaching };
    return resultLine(id, { ...complete, _meta: { [serverKey]: serverInfo } });
  };
}

/** A request as the SDK's server is told it: with what it needs of the envelope, and no more. */
export function toldToServer(request: Request) {
  const { jsonrpc, id, method, params } = request;
  const declared = isObject(params._meta) ? params._meta[capabilitiesKey] : null;
  const declaresRoots = isObject(declared) && isObject(declared.roots);
  const { _meta: meta, ...served } = servedParams(request);
  const told = { [versionKey]: revision, [capabilitiesKey]: declaresRoots ? { roots: {} } : {}, ...meta };
  return { jsonrpc, id, method, params: { ...served, _meta: told } };
}
