/**
 * Draws the faults of a run and their order from its seed: each kind once first, then by weight.
 */
import { faults } from './faults.ts';
import type { FaultKind } from './options.ts';

export function drawFaults(
  count: number,
  kinds: readonly FaultKind[],
  random: () => number,
): readonly FaultKind[] {
  const each = kinds
    .map((kind) => ({ kind, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ kind }) => kind);
  const more = Array.from({ length: Math.max(0, count - each.length) }, () => drawOne(kinds, random));
  return [...each.slice(0, count), ...more];
}

function drawOne(kinds: readonly FaultKind[], random: () => number): FaultKind {
  const total = kinds.reduce((sum, kind) => sum + faults[kind].weight, 0);
  let left = random() * total;
  for (const kind of kinds) {
    left -= faults[kind].weight;
    if (left < 0) return kind;
  }
  throw new Error('there is no kind to draw from');
}
