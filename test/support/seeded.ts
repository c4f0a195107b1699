/** Chance that repeats: the same seed draws the same. Never for anything that is a secret. */

export type Seeded = {
  /** From 0 on, below 1. */
  draw(): number;
  /** Whether something of that chance happens. */
  happens(chance: number): boolean;
  /** A whole number of both ends and all between. */
  whole(least: number, most: number): number;
  /** One of a list that is not empty. */
  pick<T>(list: readonly T[]): T;
  digits(count: number): string;
};

export function createSeeded(seed: number): Seeded {
  const draw = numbersOf(seed);
  const whole = (least: number, most: number): number => least + Math.floor(draw() * (most - least + 1));
  return {
    draw,
    whole,
    happens: (chance) => draw() < chance,
    pick: (list) => {
      const picked = list[whole(0, list.length - 1)];
      if (picked === undefined) throw new Error('there is nothing to pick');
      return picked;
    },
    digits: (count) => Array.from({ length: count }, () => whole(0, 9)).join(''),
  };
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function numbersOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
