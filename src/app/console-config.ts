/** The addresses of the console and the portal, and their public URLs. */

import type { Audience } from '../backoffice/users/tenant-scope.ts';
import type { SettingsReader } from '../core/settings-reader.ts';
import { hostOnThisMachine, isThisMachine } from '../core/this-machine.ts';

export type AudienceConfig = {
  readonly host: string;
  readonly port: number;
  readonly isPortSet: boolean;
  /** The public URL, for example of a proxy; absent: only reachable on this machine. */
  readonly url: string | undefined;
};

export function readAudiences(read: SettingsReader): Readonly<Record<Audience, AudienceConfig>> {
  return { console: readAudience(read, 'CONSOLE', 8_082), portal: readAudience(read, 'PORTAL', 8_083) };
}

function readAudience(read: SettingsReader, name: string, port: number): AudienceConfig {
  const url = read.url(`OJA_${name}_URL`, ['https:', 'http:']);
  if (url !== undefined && !isSafe(new URL(url))) {
    read.faults.push(`OJA_${name}_URL must begin with https://; http:// is for this machine only`);
  }
  if (url !== undefined && new URL(url).pathname !== '/') {
    read.faults.push(`OJA_${name}_URL must have no path, such as https://console.shop.example`);
  }
  return {
    host: read.text(`OJA_${name}_HOST`, '127.0.0.1'),
    port: read.integer(`OJA_${name}_PORT`, port, { min: 0, max: 65_535 }),
    isPortSet: read.raw(`OJA_${name}_PORT`) !== undefined,
    url,
  };
}

/** Without TLS, browsers send the cookies only to this machine. */
function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || isThisMachine(hostname);
}

/** Returns the base URL of links: the configured one, or the one on this machine. */
export function addressOfAudience({ url, host, port }: AudienceConfig): string {
  return url ?? `http://${hostOnThisMachine(host)}:${port}`;
}
