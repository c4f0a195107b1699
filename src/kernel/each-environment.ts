/** Acts that are done in one environment or, where none is named, in both. */
import { type Environment, environments } from './environment.ts';

/** Says where it changed something. */
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
