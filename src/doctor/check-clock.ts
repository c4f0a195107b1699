/** This machine's clock against others: times of purchases and of statements follow from it. */
import { type Finding, ok, warn, wrong } from './finding.ts';

const WARN_MS = 2_000;
const WRONG_MS = 30_000;

/** `aheadMs`: how far the other is ahead; `unsureMs`: by how much that may be mistaken. */
export function judgeClock(check: string, aheadMs: number, unsureMs: number): Finding {
  const apartMs = Math.max(0, Math.abs(aheadMs) - unsureMs);
  const seen = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`;
  const todo = 'let chrony or systemd-timesyncd set the clocks of both';
  if (apartMs > WRONG_MS) return wrong(check, seen, todo);
  return apartMs > WARN_MS ? warn(check, seen, todo) : ok(check, seen);
}
