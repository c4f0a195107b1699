/**
 * How many values the properties draw. The gate draws the same few values in every run, so that it
 * never fails by chance. `npm run proof` sets `OJA_PROPERTY_RUNS` and draws that many times as
 * many, from a new seed each time.
 */
import { it } from 'node:test';
import fc from 'fast-check';

const factor = Number(process.env.OJA_PROPERTY_RUNS ?? '1');
/** True in the gate; false in `npm run proof`, which has the time for all cases. */
export const isGate = factor === 1;
const GATE_SEED = 20_261_126;
/** The default of fast-check. */
const RUNS = 100;

fc.configureGlobal(isGate ? { seed: GATE_SEED } : runs(RUNS));

/** The seed of a test that draws. The gate draws the same in every run. */
export const drawnSeed = isGate ? 1 : Math.floor(Math.random() * 1_000_000);

/** Registers a test that only the proof runs, as `it` does. */
export const itInProof: typeof it = isGate ? Object.assign(() => Promise.resolve(), it) : it;

/** The number of runs of a property that has `inGate` of them in the gate. */
export function runs(inGate: number): { readonly numRuns: number } {
  return { numRuns: inGate * factor };
}
