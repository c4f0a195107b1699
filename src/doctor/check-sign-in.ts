/** Whether people can sign in where the settings say that the console and the portal are. */
import { isThisMachine } from '../kernel/this-machine.ts';
import { type Finding, ok, warn } from './finding.ts';

export type SignInPlace = {
  readonly face: 'console' | 'portal';
  readonly host: string;
  readonly url: string | undefined;
};

export function checkSignIn(places: readonly SignInPlace[]): Finding[] {
  return places.map(({ face, host, url }) => {
    if (url !== undefined) return ok(face, `people sign in at ${url}`);
    if (isThisMachine(host)) return ok(face, 'people sign in on this machine alone');
    return warn(
      face,
      `it listens on ${host}, and is reached by no name but this machine's`,
      `put a proxy with TLS before it, and set OJA_${face.toUpperCase()}_URL (console.md)`,
    );
  });
}
