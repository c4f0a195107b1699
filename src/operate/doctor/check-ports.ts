/** The ports that a gateway listens on: free, or its own. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { isThisMachine } from '../../core/this-machine.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

export type Port = {
  readonly name: string;
  readonly setting: string;
  readonly host: string;
  readonly port: number;
  /** What a gateway answers there. */
  readonly path: string;
  readonly isOurs: (status: number, body: string) => boolean;
};

const ANSWER_MS = 3_000;

export async function checkPorts(ports: readonly Port[]): Promise<Finding[]> {
  return await Promise.all(ports.map(checkPort));
}

async function checkPort({ name, setting, host, port, path, isOurs }: Port): Promise<Finding> {
  const check = `port ${name}`;
  if (port === 0) return skipped(check, 'any free one is taken');
  const fault = await listenFault(host, port);
  if (fault === undefined) return ok(check, `${host}:${port} is free`);
  if (fault === 'EADDRINUSE') {
    const at = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
    const answered = await ask(`http://${at.includes(':') ? `[${at}]` : at}:${port}${path}`, isOurs);
    if (answered) return ok(check, `${host}:${port}: a gateway answers there`);
    return wrong(check, `${host}:${port} is taken by another program`, `stop it, or set ${setting}`);
  }
  return wrong(check, `${host}:${port} cannot be listened on (${fault})`, `set ${setting} to another`);
}

/** The code of the error; undefined where it can be listened on. It is let go at once. */
async function listenFault(host: string, port: number): Promise<string | undefined> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    server.close();
    await once(server, 'close');
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'error';
  }
}

async function ask(url: string, isOurs: Port['isOurs']): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS) });
    return isOurs(answer.status, await answer.text());
  } catch {
    return false;
  }
}

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
