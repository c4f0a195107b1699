/**
 * Resolves an endpoint's name by querying the name servers directly.
 *
 * `dns.lookup` blocks a thread, and two threads resolve the names of the whole process. Merchants
 * choose these names: a few whose servers never answer would block the names of providers.
 */
import { promises as dns, type LookupAddress, type LookupOptions, lookup } from 'node:dns';

type Done = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

export type Resolve = (name: string, options: LookupOptions & { all: true }, done: Done) => void;

type Settings = {
  /**
   * The timeout of one query to one server, in milliseconds. The second try waits twice as long.
   */
  readonly queryMs: number;
  /** The name servers; by default those of the machine. */
  readonly servers?: readonly string[];
  /** Looks up local names, such as those of the hosts file. */
  readonly lookupLocal?: Resolve;
};

const TRIES = 2;

/** Names of this machine, which must not be queried (RFC 6761). */
const OWN_NAME = /(?:^|\.)localhost\.?$/i;

/**
 * Creates a resolver. It fails with `ENOTFOUND`, or with `EAI_AGAIN` when no server answers.
 *
 * A name that the servers do not know is looked up locally, because it may be in the hosts file or
 * be short for a longer one. So is every name when there is no server. Only one name is looked up
 * locally at a time, so that the other thread stays free. Other names fail meanwhile, and their
 * events are retried later.
 */
export function nameResolver({ queryMs, servers, lookupLocal = lookup }: Settings): Resolve {
  let looking: { readonly name: string; readonly waiting: Done[] } | undefined;
  const look = (name: string, options: LookupOptions & { all: true }, done: Done): void => {
    const waiting = [done];
    looking = { name, waiting };
    lookupLocal(name, options, (...found) => {
      looking = undefined;
      for (const callback of waiting) callback(...found);
    });
  };
  return (name, options, done) => {
    if (OWN_NAME.test(name)) {
      lookupLocal(name, options, done);
      return;
    }
    query(name, options, queryMs, servers).then(
      (addresses) => done(null, addresses),
      (error: NodeJS.ErrnoException) => {
        const mayBeLocal = isUnknown(error) || error.code === 'ECONNREFUSED';
        if (mayBeLocal && looking === undefined) look(name, options, done);
        else if (mayBeLocal && looking?.name === name) looking.waiting.push(done);
        else done(failureOf(error), []);
      },
    );
  };
}

async function query(
  name: string,
  { family }: LookupOptions,
  queryMs: number,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  // Created each time, so that it reads the current name servers of the machine.
  const resolver = new dns.Resolver({ timeout: queryMs, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  const of = async (version: 4 | 6): Promise<LookupAddress[]> => {
    if (family !== undefined && family !== 0 && family !== version && family !== `IPv${version}`) return [];
    const addresses = await (version === 4 ? resolver.resolve4(name) : resolver.resolve6(name));
    return addresses.map((address) => ({ address, family: version }));
  };
  const answers = await Promise.allSettled([of(4), of(6)]);
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const failures = answers.flatMap((answer) =>
    answer.status === 'rejected' ? [answer.reason as NodeJS.ErrnoException] : [],
  );
  // A failure that proves nothing takes precedence over "not found".
  throw failures.find((failure) => !isUnknown(failure)) ?? failures[0] ?? new Error(`no address of ${name}`);
}

/**
 * Converts a failure to the codes of `dns.lookup`. A refusal by a name server must not look like a
 * refused connection.
 */
function failureOf(cause: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const code = isUnknown(cause) ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error('the name was not found', { cause }), { code });
}

/** Returns whether the servers answered that the name, or its address, does not exist. */
function isUnknown({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
