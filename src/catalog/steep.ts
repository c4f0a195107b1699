/** How large a change of a price or a rate is that somebody must force: it may be a slip. */

const STEEP_PART = 5n;

/** Whether it moves by more than a fifth of what it was. */
export function isSteep(before: bigint, next: bigint): boolean {
  return (next > before ? next - before : before - next) * STEEP_PART > before;
}
