/** Reproducible random values: the same seed gives the same values. Never for secrets. */

export type Seeded = {
  /** 0 or more, and below 1. */
  draw(): number;
  /** Returns true with this probability. */
  happens(chance: number): boolean;
  /** A whole number between both ends, inclusive. */
  whole(least: number, most: number): number;
  /** An item of a non-empty list. */
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
