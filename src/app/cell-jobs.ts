/** Background jobs of an installation whose cells are on several servers. */
import type { Job } from '../core/job.ts';
import type { Database, Queries } from '../db/database.ts';
import { carryFromCell, findIdsOfCells, forgetGateways } from '../operate/cluster/carry-store.ts';
import { finishMove } from '../operate/cluster/move-cell.ts';
import { CellWatch } from '../operate/cluster/watch-cells.ts';
import type { CellRewinds } from '../operate/restore-lock/cell-rewinds.ts';

/** Jobs on rows of merchants: they run at each cell, and the others at the coordinator. */
const ofCells = new Set([
  'batches',
  'deliveries',
  'events',
  'low-wallets',
  'old-events',
  'old-webhook-deliveries',
  'purchase-counts',
  'retention',
  'statement-marks',
  'time-indexes',
  'wallet-states',
  'webhooks',
]);

/** Jobs that run at the coordinator and at each cell. */
const ofBoth = new Set(['user-mails']);

/**
 * Takes the jobs of each cell from its list, by the number of the cell. They are separate jobs, so
 * a server that does not answer delays no other: `events-2` assigns positions in cell 2.
 */
export function jobsWithCells(whole: readonly Job[], cells: readonly (readonly Job[])[]): readonly Job[] {
  return [
    ...whole.filter(({ name }) => !ofCells.has(name)),
    ...cells.flatMap((jobs, number) =>
      jobs
        .filter(({ name }) => ofCells.has(name) || ofBoth.has(name))
        .map((job) => ({ ...job, name: `${job.name}-${number}` })),
    ),
  ];
}

/** The jobs that only such an installation has. */
export function collectingJobs(
  coordinator: Database,
  cells: readonly Queries[],
  rewinds: CellRewinds,
  connectionString: string,
): readonly Job[] {
  const watch = new CellWatch(cells, (number) => finishMove(coordinator, connectionString, number));
  return [
    {
      name: 'rewound-cells',
      role: 'all',
      everyMs: 1_000,
      failure: 'cannot check whether a cell was rewound: the restore lock does not change',
      run: () => rewinds.look(),
    },
    {
      name: 'idle-cells',
      role: 'worker',
      everyMs: 10_000,
      failure: 'cannot record which cells have no worker: no alarm is raised for them',
      run: () => watch.run(coordinator, performance.now()),
    },
    {
      name: 'cells',
      role: 'worker',
      everyMs: 1_000,
      failure: 'cannot collect movements of house accounts and alarms from a cell: they come later',
      run: async () => {
        await forgetGateways(coordinator);
        const results = await Promise.allSettled(
          (await findIdsOfCells(coordinator)).map((id) =>
            coordinator.transaction((tx) => carryFromCell(tx, id)),
          ),
        );
        for (const result of results) if (result.status === 'rejected') throw result.reason;
      },
    },
  ];
}
