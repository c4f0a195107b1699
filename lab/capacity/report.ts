/** Prints the result of `npm run capacity`. */
import type { Plan } from './plan.ts';
import type { Setup, Simulated } from './simulate.ts';

/** More use, or a lower served rate, means that more arrives than is processed. */
const WALL_SHARE = 0.95;

export function formatSimulated(setup: Setup, result: Simulated): string {
  const { load, gateways, databaseCores, wallets, isOneMachine } = setup;
  const asked = 'clients' in load ? `${load.clients} clients` : `${count(load.perSecond)} purchases/s`;
  const machine = isOneMachine
    ? `${databaseCores} cores for everything`
    : `${databaseCores} cores of PostgreSQL`;
  const first = result.usage[0];
  const fallsBehind = 'perSecond' in load && result.ratePerS < load.perSecond * WALL_SHARE;
  const isWall = fallsBehind || (first !== undefined && first.share >= WALL_SHARE);
  return [
    `${asked}, gateways: ${gateways}, ${machine}, wallets: ${count(wallets)}`,
    `served              ${count(result.ratePerS)}/s`,
    `p50                 ${result.p50Ms.toFixed(1)} ms`,
    `p99                 ${result.p99Ms.toFixed(1)} ms`,
    `items in a commit   ${result.itemsPerCommit.toFixed(1)}`,
    `log being flushed   ${(result.flushing * 100).toFixed(0)} % of the time`,
    ...result.usage.map(({ what, share }) => `${percent(share)} of ${what}`),
    `${isWall ? 'the wall' : 'the first wall to come'}: ${first?.what ?? 'none'}`,
  ].join('\n');
}

/** A Markdown table with one column per rate. */
export function formatPlans(plans: readonly Plan[]): string {
  const row = (name: string, figure: (plan: Plan) => string): string =>
    `| ${[name, ...plans.map(figure)].join(' | ')} |`;
  return [
    row('', ({ perSecond }) => `${count(perSecond)}/s`),
    row('---', () => '---'),
    row('gateway processes, a core each', ({ gateways }) => count(gateways)),
    row('cores of PostgreSQL', ({ databaseCores }) => count(databaseCores)),
    row('log of PostgreSQL', ({ walBytesPerS }) => `${megabytes(walBytesPerS)} MB/s`),
    row('disk in a year', ({ diskBytesPerYear }) => `${(diskBytesPerYear / 1e12).toFixed(1)} TB`),
    row('wallets, at least', ({ wallets }) => count(wallets)),
    row('calls under way at providers of 2 s', ({ providerCalls }) => count(providerCalls)),
  ].join('\n');
}

function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`.padStart(19);
}
