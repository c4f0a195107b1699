/** Checks that the gateway's ports are free or used by a gateway, and that users can sign in. */

import { once } from 'node:events';
import { createServer } from 'node:net';
import { hostOnThisMachine, isThisMachine } from '../../core/this-machine.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

export type Port = {
  readonly name: string;
  readonly setting: string;
  readonly host: string;
  readonly port: number;
  /** A path that a gateway answers. */
  readonly path: string;
  readonly isOurs: (status: number, body: string) => boolean;
};

const ANSWER_MS = 3_000;

export async function checkPorts(ports: readonly Port[]): Promise<Finding[]> {
  return await Promise.all(ports.map(checkPort));
}

async function checkPort({ name, setting, host, port, path, isOurs }: Port): Promise<Finding> {
  const check = `port ${name}`;
  if (port === 0) return skipped(check, 'the gateway chooses a free port');
  const fault = await listenFault(host, port);
  if (fault === undefined) return ok(check, `${host}:${port} is free`);
  if (fault === 'EADDRINUSE') {
    const answered = await isGateway(`http://${hostOnThisMachine(host)}:${port}${path}`, isOurs);
    if (answered) return ok(check, `${host}:${port} is used by a gateway`);
    return wrong(check, `${host}:${port} is used by another program`, `stop it, or set ${setting}`);
  }
  return wrong(check, `cannot listen on ${host}:${port} (${fault})`, `change ${setting}`);
}

/** Listens on a port for a moment. Returns the error's code, or undefined on success. */
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

async function isGateway(url: string, isOurs: Port['isOurs']): Promise<boolean> {
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

/** Checks the sign-in pages. `isBuilt`: whether the console application is built. */
export function checkSignIn(places: readonly SignInPlace[], isBuilt: boolean): Finding[] {
  return places.flatMap((place) => {
    const reached = checkReached(place);
    if (isBuilt) return [reached];
    const todo = 'run npm ci, or npm run build --workspace console';
    const unbuilt = warn(place.face, 'users cannot sign in: the application is not built', todo);
    return reached.state === 'ok' ? [unbuilt] : [unbuilt, reached];
  });
}

function checkReached({ face, host, url }: SignInPlace): Finding {
  if (url !== undefined) return ok(face, `users sign in at ${url}`);
  if (isThisMachine(host)) return ok(face, 'users can sign in only on this machine');
  return warn(
    face,
    `it listens on ${host} without a public URL`,
    `put a TLS proxy in front of it, and set OJA_${face.toUpperCase()}_URL (console.md)`,
  );
}
