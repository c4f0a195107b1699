/**
 * The listeners of the admin API, the console and the portal. They are separate from the merchants'
 * API and from each other, so that each can stay private.
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { findOperator } from '../backoffice/access/find-operator.ts';
import { buildAdminServer } from '../backoffice/admin/server.ts';
import { buildConsoleServer } from '../backoffice/console/server.ts';
import type { Services } from '../backoffice/operations/services.ts';
import { type Audience, faces } from '../backoffice/users/tenant-scope.ts';
import { systemClock } from '../core/clock.ts';
import type { Config } from './config.ts';
import type { ListenParts } from './connection-bounds.ts';

/** The folder where `npm ci` installs it. */
export const builtApplication = join(import.meta.dirname, '..', '..', 'console', 'dist');

export function isBuilt(folder: string): boolean {
  return existsSync(join(folder, 'index.html'));
}

export type AudienceUrls = Readonly<Partial<Record<Audience, string>>>;

/** Returns their addresses, without those whose default port is in use. */
export async function listenForPeople(
  config: Pick<Config, 'faces' | 'profile' | 'trustedProxies'>,
  services: Services,
  parts: ListenParts,
): Promise<AudienceUrls> {
  const urls: Partial<Record<Audience, string>> = {};
  for (const face of faces) {
    const url = await listenFor(face, config, services, parts);
    if (url !== undefined) urls[face] = url;
  }
  return urls;
}

async function listenFor(
  face: Audience,
  config: Pick<Config, 'faces' | 'profile' | 'trustedProxies'>,
  services: Services,
  parts: ListenParts,
): Promise<string | undefined> {
  const { url, ...listener } = config.faces[face];
  const { database, sealer, pepper } = services;
  const server = await buildConsoleServer({
    services,
    database,
    sealer,
    pepper,
    face,
    url,
    host: listener.host,
    log: parts.log,
    built: builtApplication,
    clock: systemClock,
    environment: config.profile,
    trustedProxies: config.trustedProxies,
  });
  const listening = await listen(face, server, listener, parts);
  return listening && (url ?? listening);
}

/** Returns the address of the admin API; undefined if this process does not listen. */
export async function listenForAdmin(
  { adminHost: host, adminPort: port, isAdminPortSet: isPortSet }: AdminConfig,
  services: Services,
  version: string,
  parts: ListenParts,
): Promise<string | undefined> {
  const server = await buildAdminServer({
    services,
    findOperator: (token) => findOperator(services.database, token, 'admin'),
    version,
    log: parts.log,
  });
  const url = await listen('admin', server, { host, port, isPortSet }, parts);
  return url && `${url}/admin/v1`;
}

type AdminConfig = Pick<Config, 'adminHost' | 'adminPort' | 'isAdminPortSet'>;

/** Returns the address; undefined if a default port is in use. */
async function listen(
  name: Audience | 'admin',
  server: FastifyInstance,
  { host, port, isPortSet }: { readonly host: string; readonly port: number; readonly isPortSet: boolean },
  { log, stack, bound }: ListenParts,
): Promise<string | undefined> {
  bound(name, server.server);
  stack.defer(() => server.close());
  try {
    return await server.listen({ host, port });
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (isPortSet || !isTaken) throw error;
    // Another gateway on this machine uses the port, and the settings do not require it here.
    log.warn({ port, listener: name }, 'the port is in use: this process does not serve it');
    return undefined;
  }
}

const titles = { console: 'Console', portal: 'Portal' } as const;
const notBuilt =
  '                  the application is not built: npm ci does it, or npm run build --workspace console\n';

/** A link works once. */
export function audienceLines(urls: AudienceUrls, links: AudienceUrls = {}): string {
  const lines = faces.flatMap((face) => {
    const url = urls[face];
    if (url === undefined) return [];
    const link = links[face] === undefined ? '' : `   sign in once at ${links[face]}`;
    return [`  ${titles[face].padEnd(15)} ${url}${link}\n`];
  });
  if (lines.length === 0) return '';
  return lines.join('') + (isBuilt(builtApplication) ? '' : notBuilt);
}
