/** Why a backup or a restore cannot be done, in words for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError';
}

/** The reason in the system's own words. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
