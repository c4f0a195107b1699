/** The servers of a distributed installation, its cells, and which servers answer. */
import { cellSchema } from '../../db/cell-schemas.ts';
import type { Database } from '../../db/database.ts';
import { findPlacements } from '../../db/find-cells.ts';
import { listNodes, readCellSize } from './cluster-store.ts';
import { openWorker, requireDistributed } from './init-cluster.ts';

export type ClusterStatus = {
  readonly nodes: readonly {
    readonly host: string;
    readonly port: number;
    readonly role: 'coordinator' | 'worker';
    readonly answers: boolean;
  }[];
  readonly cells: readonly {
    readonly number: number;
    readonly host: string;
    readonly port: number;
    /** Unknown if its server does not answer. */
    readonly merchants?: number;
    readonly bytes?: bigint;
  }[];
};

/** Throws ClusterError for an installation that is not distributed. */
export async function readStatus(coordinator: Database, connectionString: string): Promise<ClusterStatus> {
  await requireDistributed(coordinator);
  const nodes = await Promise.all(
    (await listNodes(coordinator)).map(async ({ host, port, isCoordinator }) => {
      if (isCoordinator) return { host, port, role: 'coordinator', answers: true } as const;
      await using worker = openWorker(connectionString, { host, port });
      const answers = await worker.query('select').then(
        () => true,
        () => false,
      );
      return { host, port, role: 'worker', answers } as const;
    }),
  );
  const cells = await Promise.all(
    (await findPlacements(coordinator)).map(async (cell) => {
      if (nodes.some(({ host, port, answers }) => host === cell.host && port === cell.port && !answers)) {
        return cell;
      }
      await using worker = openWorker(connectionString, cell);
      return { ...cell, ...(await readCellSize(worker, cellSchema(cell.number))) };
    }),
  );
  return { nodes, cells };
}
