/** The processes of a run: database, providers, gateways, balancer. */
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort, type SimulatorProcess, spawnSimulator } from '../../test/support/processes.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { type Postgres, startPostgres } from './postgres.ts';

export type Site = {
  readonly postgres: Postgres;
  readonly simulator: SimulatorProcess;
  readonly fleet: Fleet;
  readonly balancer: Balancer;
  readonly dataDir: string;
};

export async function openSite(
  stack: AsyncDisposableStack,
  dir: string,
  /** Of the gateways during the first half. Absent: this release. */
  program: string | undefined,
): Promise<Site> {
  const postgres = await startPostgres(stack, dir);
  const dataDir = join(dir, 'gateways');
  await mkdir(dataDir);
  await chmod(dataDir, 0o755);
  let ports: readonly number[] = [];
  const balancer = stack.use(await startBalancer(() => ports));
  const simulator = stack.use(
    await spawnSimulator({
      port: await freePort(),
      dir: join(dir, 'books'),
      settings: {
        OJA_SIMULATOR_LATENCY_MS: '15',
        OJA_SIMULATOR_TIMEOUT_MS: '3000',
        OJA_SIMULATOR_HOOKS_URL: `${balancer.url}/hooks`,
      },
    }),
  );
  const { connectionString } = postgres;
  const fleet = await startFleet(stack, { connectionString, dataDir, simulatorUrl: simulator.url, program });
  ports = fleet.ports;
  return { postgres, simulator, fleet, balancer, dataDir };
}
