/** A guard as operations answer it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { oneOf, timeOutput } from '../kernel/operation-fields.ts';
import { type GuardRow, guardModes } from './guard-store.ts';

export const guardOutput = Type.Object({
  environment: Type.String(),
  product: Type.String(),
  network: Type.String(),
  mode: oneOf(guardModes),
  set_at: timeOutput,
});

export function guardAnswer({ set_at: setAt, ...guard }: GuardRow): Static<typeof guardOutput> {
  return { ...guard, set_at: formatRfc3339(setAt) };
}
