/**
 * Whether people can sign in where the settings say that the console and the portal are, and find
 * something there.
 */
import { isThisMachine } from '../kernel/this-machine.ts';
import { type Finding, ok, warn } from './finding.ts';

export type SignInPlace = {
  readonly face: 'console' | 'portal';
  readonly host: string;
  readonly url: string | undefined;
};

/** `isBuilt`: whether the application that they sign in to is there. */
export function checkSignIn(places: readonly SignInPlace[], isBuilt: boolean): Finding[] {
  return places.flatMap((place) => {
    const reached = checkReached(place);
    if (isBuilt) return [reached];
    const todo = 'npm ci does it, or npm run build --workspace console';
    const unbuilt = warn(place.face, 'nobody can sign in: the application is not built', todo);
    return reached.state === 'ok' ? [unbuilt] : [unbuilt, reached];
  });
}

function checkReached({ face, host, url }: SignInPlace): Finding {
  if (url !== undefined) return ok(face, `people sign in at ${url}`);
  if (isThisMachine(host)) return ok(face, 'people sign in on this machine alone');
  return warn(
    face,
    `it listens on ${host}, and is reached by no name but this machine's`,
    `put a proxy with TLS before it, and set OJA_${face.toUpperCase()}_URL (console.md)`,
  );
}
