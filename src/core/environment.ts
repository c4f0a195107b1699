/**
 * The two environments, test and live. Each has separate credentials, wallets, purchases,
 * idempotency keys and house accounts.
 */
export const environments = ['test', 'live'] as const;

export type Environment = (typeof environments)[number];

/**
 * Runs `act` in one environment or both, and returns the environments in which it changed
 * something.
 */
export async function eachEnvironment(
  named: Environment | undefined,
  act: (environment: Environment) => Promise<{ readonly changed: boolean }>,
): Promise<{ environment: Environment; changed: boolean }[]> {
  const done: { environment: Environment; changed: boolean }[] = [];
  for (const environment of named === undefined ? environments : [named]) {
    const { changed } = await act(environment);
    done.push({ environment, changed });
  }
  return done;
}
