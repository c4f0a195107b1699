/** Tells how long the accept and each resolve of a vend took, to whoever follows vends. */
import type { TraceStep } from '../../kernel/tracing.ts';
import type { VendCommits } from './commit-vends.ts';

type Commits = Pick<VendCommits, 'accept' | 'resolve'>;

/** Without `traceStep` the same commits, untouched. */
export function traceCommits(commits: Commits, traceStep: TraceStep | undefined): Commits {
  if (traceStep === undefined) return commits;
  const timed = async <T>(name: string, vendId: string, kind: string, work: Promise<T>): Promise<T> => {
    const startedAt = performance.now();
    try {
      return await work;
    } finally {
      const tookMs = performance.now() - startedAt;
      traceStep({ name, vendId, tookMs, facts: { 'oja.kind': kind } });
    }
  };
  return {
    accept: (item) => timed('accept', item.id, item.product, commits.accept(item)),
    resolve: (item) => timed('resolve', item.vendId, item.effect.kind, commits.resolve(item)),
  };
}
