/** How many connections each listener of a process takes. */
import type { SettingsReader } from '../kernel/settings-reader.ts';

/** With the setting of each, and how many it takes without one. */
const listeners = {
  api: { setting: 'OJA_CONNECTIONS_MAX', usual: 4_096 },
  admin: { setting: 'OJA_ADMIN_CONNECTIONS_MAX', usual: 256 },
  console: { setting: 'OJA_CONSOLE_CONNECTIONS_MAX', usual: 1_024 },
  portal: { setting: 'OJA_PORTAL_CONNECTIONS_MAX', usual: 1_024 },
  metrics: { setting: 'METRICS_CONNECTIONS_MAX', usual: 64 },
} as const;

export type Listener = keyof typeof listeners;

export type ConnectionsMax = Readonly<Record<Listener, number>>;

export function readConnectionsMax(read: SettingsReader): ConnectionsMax {
  const maxOf = ({ setting, usual }: { readonly setting: string; readonly usual: number }): number =>
    read.integer(setting, usual, { min: 1, max: 1_000_000 });
  return {
    api: maxOf(listeners.api),
    admin: maxOf(listeners.admin),
    console: maxOf(listeners.console),
    portal: maxOf(listeners.portal),
    metrics: maxOf(listeners.metrics),
  };
}
