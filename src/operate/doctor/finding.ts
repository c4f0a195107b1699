/** What the doctor finds of one thing. Nothing of it is secret. */
export type Finding = {
  /** What was looked at, such as `database fsync`. */
  readonly check: string;
  /** `wrong` stops or endangers sales; `skipped` could not be looked at, or is not used here. */
  readonly state: 'ok' | 'warn' | 'wrong' | 'skipped';
  readonly seen: string;
  /** What to do about it; absent where there is nothing to do. */
  readonly todo?: string;
};

export function ok(check: string, seen: string): Finding {
  return { check, state: 'ok', seen };
}

export function skipped(check: string, seen: string): Finding {
  return { check, state: 'skipped', seen };
}

export function warn(check: string, seen: string, todo: string): Finding {
  return { check, state: 'warn', seen, todo };
}

export function wrong(check: string, seen: string, todo: string): Finding {
  return { check, state: 'wrong', seen, todo };
}

/** A check that fails in a way that nobody foresaw is a finding too. */
export async function orWrong(
  check: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    return [wrong(check, seen, 'see what the message names')];
  }
}
