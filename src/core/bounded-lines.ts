/**
 * Limits the log lines about refused requests: a few a second for each caller and reason, and some
 * hundred in all. Further refusals are counted and logged in one line at the end of the second.
 *
 * Guarantees: memory is bounded, every refusal is logged or counted, and no timer runs while
 * nothing is refused.
 */
type Counted = { readonly caller: string; readonly reason: string; lines: number; omitted: number };

export type LineLimits = {
  /** Lines per second of one caller for one reason. */
  readonly each: number;
  readonly all: number;
  /** Pairs of caller and reason in a second. Further pairs are counted as one. */
  readonly countedMax: number;
};

const usual: LineLimits = { each: 10, all: 200, countedMax: 100 };
const SECOND_MS = 1_000;

/** Represents the pairs beyond `countedMax`. */
const others = 'others';

export class BoundedLines {
  readonly #report: (caller: string, reason: string, omitted: number) => void;
  readonly #limits: LineLimits;
  #counted = new Map<string, Counted>();
  #lines = 0;

  /** `report` is called at the end of a second for each pair that had lines omitted. */
  constructor(report: (caller: string, reason: string, omitted: number) => void, limits: LineLimits = usual) {
    this.#report = report;
    this.#limits = limits;
  }

  /** Returns whether the refusal gets its own line. Otherwise it is counted. */
  admit(caller: string, reason: string): boolean {
    const counted = this.#of(caller, reason);
    if (counted.lines < this.#limits.each && this.#lines < this.#limits.all) {
      counted.lines += 1;
      this.#lines += 1;
      return true;
    }
    counted.omitted += 1;
    return false;
  }

  #of(caller: string, reason: string): Counted {
    if (this.#counted.size === 0) setTimeout(() => this.#endSecond(), SECOND_MS).unref();
    const present = this.#counted.get(`${caller} ${reason}`);
    if (present !== undefined) return present;
    const isBeyond = this.#counted.size >= this.#limits.countedMax;
    const name = isBeyond ? others : `${caller} ${reason}`;
    const counted = this.#counted.get(name) ?? {
      ...(isBeyond ? { caller: others, reason: others } : { caller, reason }),
      lines: 0,
      omitted: 0,
    };
    this.#counted.set(name, counted);
    return counted;
  }

  #endSecond(): void {
    const counted = this.#counted;
    this.#counted = new Map();
    this.#lines = 0;
    for (const { caller, reason, omitted } of counted.values()) {
      if (omitted > 0) this.#report(caller, reason, omitted);
    }
  }
}
