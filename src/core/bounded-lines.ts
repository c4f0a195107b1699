/**
 * How many log lines callers may cause by what they are refused: a few a second for each caller and
 * reason, and some hundred for all. What is more is counted, and told in one line at the end of the
 * second.
 *
 * Guarantees bounded memory, no timer while nothing is refused, and that nothing goes untold.
 */
type Told = { readonly caller: string; readonly reason: string; lines: number; untold: number };

export type LineLimits = {
  /** Of one caller for one reason, a second. */
  readonly each: number;
  readonly all: number;
  /** Callers and reasons in a second; those beyond are told as one. */
  readonly countedMax: number;
};

const usual: LineLimits = { each: 10, all: 200, countedMax: 100 };
const SECOND_MS = 1_000;

/** Stands for those beyond. */
const others = 'others';

export class BoundedLines {
  readonly #tell: (caller: string, reason: string, untold: number) => void;
  readonly #limits: LineLimits;
  #counted = new Map<string, Told>();
  #lines = 0;

  /** `tell` is called at the end of a second for what had no lines in it. */
  constructor(tell: (caller: string, reason: string, untold: number) => void, limits: LineLimits = usual) {
    this.#tell = tell;
    this.#limits = limits;
  }

  /** Whether it may have a line of its own; else it is counted. */
  admit(caller: string, reason: string): boolean {
    const told = this.#of(caller, reason);
    if (told.lines < this.#limits.each && this.#lines < this.#limits.all) {
      told.lines += 1;
      this.#lines += 1;
      return true;
    }
    told.untold += 1;
    return false;
  }

  #of(caller: string, reason: string): Told {
    if (this.#counted.size === 0) setTimeout(() => this.#endSecond(), SECOND_MS).unref();
    const present = this.#counted.get(`${caller} ${reason}`);
    if (present !== undefined) return present;
    const isBeyond = this.#counted.size >= this.#limits.countedMax;
    const name = isBeyond ? others : `${caller} ${reason}`;
    const told = this.#counted.get(name) ?? {
      ...(isBeyond ? { caller: others, reason: others } : { caller, reason }),
      lines: 0,
      untold: 0,
    };
    this.#counted.set(name, told);
    return told;
  }

  #endSecond(): void {
    const counted = this.#counted;
    this.#counted = new Map();
    this.#lines = 0;
    for (const { caller, reason, untold } of counted.values()) {
      if (untold > 0) this.#tell(caller, reason, untold);
    }
  }
}
