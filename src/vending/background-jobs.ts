/** The background work of vending, made of its parts. When it runs is said in src/app/jobs.ts. */
import type { Database } from '../db/database.ts';
import type { Logger } from '../kernel/log.ts';
import { askLateGoods } from './goods/ask-late-goods.ts';
import type { ListCompletion } from './history/list-completion.ts';
import type { Attempter } from './path/attempt-vend.ts';
import type { VendDiversion } from './path/divert-vends.ts';
import type { VendRecovery } from './path/recover-vends.ts';
import type { Resolver } from './path/resolve-vend.ts';
import type { VendingBackground } from './path/vending-background.ts';
import type { VendWorker } from './path/work-vends.ts';
import { lookAgain } from './reversals/look-again.ts';
import { SearchIndexing } from './search/index-vends.ts';

type Behind = {
  readonly work: Database;
  readonly log: Logger;
  readonly worker: VendWorker;
  readonly recovery: VendRecovery;
  readonly diversion: VendDiversion;
  readonly attempter: Attempter;
  readonly resolver: Resolver;
  readonly completion: ListCompletion;
};

/** The jobs of vending, each to be run by itself. */
export function backgroundOf({
  work,
  log,
  worker,
  recovery,
  diversion,
  ...behind
}: Behind): VendingBackground {
  const { attempter, resolver, completion } = behind;
  const indexing = new SearchIndexing();
  return {
    work: (round) => {
      worker.start(round);
      return worker;
    },
    beat: () => recovery.beat(),
    takeOver: () => recovery.takeOver(),
    lookForForgotten: () => recovery.lookForForgotten(),
    sweep: () => worker.sweep(recovery.judgesDead()),
    divert: () => diversion.run(),
    moveQueueBounds: () => worker.moveBounds(),
    askLateGoods: () => askLateGoods(work, attempter, resolver),
    completeLists: () => completion.run(work),
    indexSearch: () => indexing.run(work),
    lookAgain: () => lookAgain({ sql: work, attempter, resolver, log }),
  };
}
