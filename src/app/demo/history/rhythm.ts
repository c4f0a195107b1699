/** When purchases come: few at night, most in the morning and the evening, less on Sundays. */
import { nextDay } from '../../../kernel/clock.ts';
import type { Seeded } from '../../../kernel/seeded.ts';

const HOUR_MS = 3_600_000;

/** How often something comes in each hour of a Lagos day. */
const byHour = [
  0.3, 0.2, 0.2, 0.2, 0.3, 0.7, 1.2, 1.9, 2.2, 2, 1.7, 1.6, 1.8, 1.7, 1.5, 1.5, 1.7, 2.1, 2.4, 2.6, 2.4, 1.9,
  1.2, 0.7,
];

export type Rush = { readonly at: Date; readonly purchases: number };

/** The moments of a day at which purchases come, and how many, in order. */
export function rushesOf(seeded: Seeded, begin: Date, until: Date): Rush[] {
  const isSunday = new Date(begin.getTime() + HOUR_MS).getUTCDay() === 0;
  const rushes = byHour.flatMap((often, hour) => {
    const count = Math.floor(often * (isSunday ? 0.75 : 1) + seeded.draw());
    return Array.from({ length: count }, () => ({
      at: new Date(begin.getTime() + hour * HOUR_MS + seeded.whole(0, HOUR_MS - 60_000)),
      purchases: seeded.whole(3, often > 1 ? 13 : 6),
    }));
  });
  return rushes
    .filter(({ at }) => at < until && at < nextDay(begin))
    .sort((a, b) => a.at.getTime() - b.at.getTime());
}
