/** The listener of the admin API, apart from the merchants' one, so that it can stay private. */
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
    // Another gateway of this machine has the port, and the settings do not demand it here.
    log.warn({ port: adminPort }, 'the port of the admin API is in use: this process does not serve it');
    return undefined;
  }
}
