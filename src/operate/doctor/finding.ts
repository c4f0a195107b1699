/** The result of one check of the doctor. It contains no secret. */
export type Finding = {
  /** The name of the check, such as `database fsync`. */
  readonly check: string;
  /** `wrong` stops or endangers purchases. `skipped` does not apply or could not be checked. */
  readonly state: 'ok' | 'warn' | 'wrong' | 'skipped';
  readonly seen: string;
  /** How to fix it. Absent if nothing needs fixing. */
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

/** Runs a check, and turns an unexpected error into a finding. */
export async function orWrong(
  check: string,
  look: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const seen = error instanceof Error ? error.message : String(error);
    return [wrong(check, seen, 'see the message')];
  }
}
