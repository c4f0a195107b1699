/**
 * Opens connections to endpoints and checks their addresses.
 *
 * Guarantees: nothing is sent to an address that the guard forbids, for any URL and any DNS answer
 * at the time of the connection. An address in the URL is checked, then the addresses that a name
 * resolves to, then the address of the connection itself.
 */
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { createSecureContext } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import type { AddressGuard } from './address-guard.ts';
import { nameResolver, type Resolve } from './resolve-name.ts';

export class BlockedAddressError extends Error {
  readonly code = 'ADDRESS_BLOCKED';

  constructor() {
    super('the address is not allowed');
    this.name = 'BlockedAddressError';
  }
}

export type GuardedAgentOptions = {
  readonly guard: AddressGuard;
  readonly connectMs: number;
  readonly totalMs: number;
  /** Replaced by tests. */
  readonly resolve?: Resolve;
};

export function openGuardedAgent({
  guard,
  connectMs,
  totalMs,
  resolve = nameResolver({ queryMs: connectMs / 2 }),
}: GuardedAgentOptions): Agent {
  const openConnector = (): buildConnector.connector =>
    buildConnector({
      timeout: connectMs,
      allowH2: false,
      lookup: guardedLookup(guard, resolve),
      // Shared by all connections, because each would create its own of 22 KB.
      secureContext: createSecureContext(),
    } as buildConnector.BuildOptions);
  // Created with the first connection, because it reads the trusted certificates.
  let connect: buildConnector.connector | undefined;
  return new Agent({
    // Each endpoint bounds its own connections: one must not wait for another of the same host.
    connections: null,
    pipelining: 1,
    allowH2: false,
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 30_000,
    connect: (options, callback) => {
      if (isIP(bareHost(options.hostname)) !== 0 && guard.forbids(options.hostname)) {
        callback(new BlockedAddressError(), null);
        return;
      }
      connect ??= openConnector();
      connect(options, (...result: Parameters<buildConnector.Callback>) => {
        const [error, socket] = result;
        if (error === null && isForbidden(socket, guard)) {
          socket.destroy();
          callback(new BlockedAddressError(), null);
        } else {
          callback(...result);
        }
      });
    },
  });
}

function isForbidden({ remoteAddress }: Socket, guard: AddressGuard): boolean {
  return remoteAddress === undefined || guard.forbids(remoteAddress);
}

function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/** Resolves a name to its allowed addresses only. */
function guardedLookup(guard: AddressGuard, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const allowed = error === null ? addresses.filter(({ address }) => !guard.forbids(address)) : [];
      const [first] = allowed;
      if (error !== null) callback(error, '');
      else if (first === undefined) callback(new BlockedAddressError(), '');
      else if (options.all === true) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
}
