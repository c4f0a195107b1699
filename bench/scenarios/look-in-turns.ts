/** The same lookups on a small and on a large history, alternating. */
import type { LoadResult } from '../load/job.ts';
import type { Scale } from '../scale.ts';

/** The largest factor by which a lookup may become slower. */
export const FLAT = 1.5;

export type InTurns = { readonly ofSmall: readonly LoadResult[]; readonly ofLarge: readonly LoadResult[] };

/** After a short round of each, which does not count. */
export async function lookInTurns(
  { rounds, lookupS }: Pick<Scale, 'rounds' | 'lookupS'>,
  look: (which: 'small' | 'large', seconds: number) => Promise<LoadResult>,
): Promise<InTurns> {
  const ofSmall: LoadResult[] = [];
  const ofLarge: LoadResult[] = [];
  for (const which of ['small', 'large'] as const) await look(which, lookupS / 4);
  for (let round = 1; round <= rounds; round += 1) {
    ofSmall.push(await look('small', lookupS));
    ofLarge.push(await look('large', lookupS));
  }
  return { ofSmall, ofLarge };
}

export function p50sOf(results: readonly LoadResult[]): number[] {
  return results.map((result) => result.latencyMs.p50);
}
