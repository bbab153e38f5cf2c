import { jellyfin } from './jellyfin.ts';
import { kodi } from './kodi.ts';
import { kometa } from './kometa.ts';
import type { Layout } from './layout.ts';
import { original } from './original.ts';
import { plex } from './plex.ts';

/** Every layout, in the order in which hosts show them. */
export const layouts = { plex, jellyfin, kodi, kometa, original } satisfies Readonly<Record<string, Layout>>;

export type LayoutName = keyof typeof layouts;

export const layoutNames = Object.keys(layouts) as readonly LayoutName[];
