/** The listener of the admin API, separate from the merchants' API, so that it can stay private. */
import { findOperator } from '../backoffice/access/find-operator.ts';
import { buildAdminServer } from '../backoffice/admin/server.ts';
import type { Services } from '../backoffice/operations/services.ts';
import type { Config } from './config.ts';
import type { ListenParts } from './connection-bounds.ts';

/** Returns its address; undefined if this process does not listen. */
export async function listenForAdmin(
  { adminHost, adminPort, isAdminPortSet }: Pick<Config, 'adminHost' | 'adminPort' | 'isAdminPortSet'>,
  services: Services,
  version: string,
  { log, stack, bound }: ListenParts,
): Promise<string | undefined> {
  const server = await buildAdminServer({
    services,
    findOperator: (token) => findOperator(services.database, token, 'admin'),
    version,
    log,
  });
  bound('admin', server.server);
  stack.defer(() => server.close());
  try {
    const url = await server.listen({ host: adminHost, port: adminPort });
    return `${url}/admin/v1`;
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    if (isAdminPortSet || !isTaken) throw error;
    // Another gateway on this machine uses the port, and the settings do not require it here.
    log.warn({ port: adminPort }, 'the port of the admin API is in use: this process does not serve it');
    return undefined;
  }
}
