/**
 * The requests of a run, by their numbers: the same seed and number make the same request, whatever
 * was sent before or at the same time.
 */
import fc from 'fast-check';
import { type Callers, namesOf } from './callers.ts';
import { type FuzzRequest, requestsTo } from './requests.ts';
import { type Edge, edges, type Target } from './targets.ts';

export const BLOCK = 100;

/** The API under test in each block of requests, in rotation. */
const turns: readonly Edge[] = [
  ...(['api', 'admin', 'api', 'portal', 'api', 'admin'] as const),
  ...(['api', 'console', 'admin', 'api', 'portal'] as const),
];

export type Numbered = { readonly number: number; readonly request: FuzzRequest };

export type Generator = {
  /** The requests of a block, in their order. */
  block(block: number): Numbered[];
  /** The shortest similar request for which `fails` is true, and the number of tries. */
  shorten(number: number, fails: (request: FuzzRequest) => Promise<boolean>): Promise<FuzzRequest>;
};

const SHRINKS_MAX = 150;

export function edgeOf(block: number): Edge {
  return turns[block % turns.length] as Edge;
}

export function createGenerator(targets: readonly Target[], callers: Callers, seed: number): Generator {
  const arbitraries = Object.fromEntries(
    edges.map((edge) => [edge, arbitraryOf(edge, targets, callers)]),
  ) as Record<Edge, fc.Arbitrary<FuzzRequest>>;
  return {
    block: (block) =>
      fc
        .sample(arbitraries[edgeOf(block)], { seed: seedOf(seed, block), numRuns: BLOCK })
        .map((request, index) => ({ number: block * BLOCK + index, request })),
    shorten: async (number, fails) => {
      const block = Math.floor(number / BLOCK);
      let asked = 0;
      const shortest: FuzzRequest[] = [];
      const property = fc.asyncProperty(arbitraries[edgeOf(block)], async (request) => {
        // The first is the request itself, whose caller is known.
        asked += 1;
        if (asked > 1 && (asked > SHRINKS_MAX || !(await fails(request)))) return true;
        shortest.unshift(request);
        return false;
      });
      await fc.check(property, { seed: seedOf(seed, block), path: String(number % BLOCK), numRuns: 1 });
      return shortest[0] as FuzzRequest;
    },
  };
}

/** 32 bits, different from those of its neighbours. */
function seedOf(seed: number, block: number): number {
  return Math.imul(seed, 0x9e3779b1) ^ Math.imul(block + 1, 0x85ebca6b);
}

/** Operations that would end all sales. Only callers without the right send them. */
const harmful =
  /(?:restore\/(?:lock|open)|restore\.(?:lock|open)|providers\/\{provider\}\/(?:pause|credentials)|provider\.(?:pause|set_credentials)|\/routes\/|route\.(?:set|remove)|catalog[/.](?:import|sync)|guards?\/\{|guard\.set|floats\/\{provider\}\/alarm|float\.set_alarm)/;

/** Hashing a password takes 35 ms by design, so one request in some hundred does it. */
const costly = /^\/api\/(?:sign-in|step-up|links\/accept|password)$/;
const COSTLY_SHARE = 200;

function arbitraryOf(edge: Edge, targets: readonly Target[], callers: Callers): fc.Arbitrary<FuzzRequest> {
  const ofEdge = targets.filter((target) => target.edge === edge);
  const isHarmful = ({ method, path }: Target): boolean =>
    edge !== 'api' && edge !== 'portal' && method !== 'GET' && harmful.test(path);
  const isCostly = ({ path }: Target): boolean => costly.test(path);
  const pools = callers.pools[edge];
  const all = namesOf(callers.principals[edge]);
  const of = (chosen: readonly Target[], names: readonly string[], weight: number) =>
    chosen.length === 0 ? [] : [{ weight, arbitrary: requestsTo(chosen, { names, pools }) }];
  const slow = ofEdge.filter(isCostly);
  const rest = ofEdge.filter((target) => !isCostly(target));
  const [harmless, dangerous] = [rest.filter((target) => !isHarmful(target)), rest.filter(isHarmful)];
  return fc.oneof(
    ...of(harmless, all, harmless.length * COSTLY_SHARE),
    ...of(dangerous, ['viewer', 'nobody'], dangerous.length * COSTLY_SHARE),
    ...of(slow, all, rest.length),
  );
}
