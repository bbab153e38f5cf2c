import type { OpenConnection } from '../catalogue/client.ts';
import type { Waker } from '../connections/connections.ts';
import type { Settings } from '../settings.ts';
import type { ServiceAddress } from './service-address.ts';

/** Where the configured service is, and the one way to it: all requests ask here for it, each time anew. */
export interface ServiceEndpoint {
  locate(): Promise<ServiceAddress>;
  /** undefined: as any other service is connected to. */
  readonly open?: OpenConnection;
  /** undefined: it is not ours to start. */
  readonly waker?: Waker;
}

/** Tells which catalogue is asked, the configured one or the embedded one, and connects to it. */
export function createServiceEndpoint(settings: Settings): ServiceEndpoint {
  if (settings.baseUrl !== null) return configured(settings, settings.baseUrl);
  // Only where it is used: most servers have a service of their own.
  const embedded = async () => (await import('./embedded.ts')).createEmbedded(settings);
  let loading: ReturnType<typeof embedded> | undefined;
  const loaded = () => (loading ??= embedded());
  // Where it was once, something else may be by now.
  const hosts = new Set<string>();
  return {
    async locate() {
      const address = await (await loaded()).locate();
      hosts.add(new URL(address.baseUrl).host);
      return address;
    },
    open: (to, signal) =>
      hosts.has(`${to.hostname}:${to.port}`)
        ? loaded().then((there) => there.connect(Number(to.port), signal))
        : null,
    waker: {
      wake: async () => (await loaded()).wake(),
      keepAwake: async (lost) => (await loaded()).keepAwake(lost),
    },
  };
}

function configured(settings: Settings, baseUrl: string): ServiceEndpoint {
  const { origin } = new URL(baseUrl);
  const address = {
    baseUrl,
    authUrl: settings.authUrl ?? origin,
    assetOrigin: settings.assetUrl ?? origin,
    clientId: settings.clientId,
  };
  return { locate: async () => address };
}
