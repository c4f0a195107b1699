/**
 * The addresses of an endpoint's name, asked of the name servers themselves.
 *
 * `dns.lookup` waits in a thread, and two threads serve the names of the whole process. Merchants
 * choose these names: a few whose servers never answer would hold up the names of providers.
 */
import { promises as dns, type LookupAddress, type LookupOptions, lookup } from 'node:dns';

type Done = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

export type Resolve = (name: string, options: LookupOptions & { all: true }, done: Done) => void;

type Settings = {
  /** For one question to one server, in milliseconds. The second try has twice as long. */
  readonly questionMs: number;
  /** Tests stand in for the name servers. */
  readonly servers?: readonly string[];
  /** What the machine knows by itself, such as its hosts file. */
  readonly lookupLocal?: Resolve;
};

const TRIES = 2;

/** Names of this machine, which no server is asked for (RFC 6761). */
const OWN_NAME = /(?:^|\.)localhost\.?$/i;

/**
 * Fails with `ENOTFOUND`, or with `EAI_AGAIN` where nobody can say.
 *
 * A name that the servers do not know is looked up by the machine: it may be in its hosts file, or
 * short for a longer one. So is every name where there is no server. One name at a time, so that
 * the other thread is never taken. Other names are not found meanwhile, and their events are sent
 * again later.
 */
export function nameResolver({ questionMs, servers, lookupLocal = lookup }: Settings): Resolve {
  let looking: { readonly name: string; readonly waiting: Done[] } | undefined;
  const look = (name: string, options: LookupOptions & { all: true }, done: Done): void => {
    const waiting = [done];
    looking = { name, waiting };
    lookupLocal(name, options, (...found) => {
      looking = undefined;
      for (const tell of waiting) tell(...found);
    });
  };
  return (name, options, done) => {
    if (OWN_NAME.test(name)) {
      lookupLocal(name, options, done);
      return;
    }
    ask(name, options, questionMs, servers).then(
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

async function ask(
  name: string,
  { family }: LookupOptions,
  questionMs: number,
  servers: readonly string[] | undefined,
): Promise<LookupAddress[]> {
  // A new one each time: it reads which servers the machine asks now.
  const resolver = new dns.Resolver({ timeout: questionMs, tries: TRIES });
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
  // What is not known for certain is told first.
  throw failures.find((failure) => !isUnknown(failure)) ?? failures[0] ?? new Error(`no address of ${name}`);
}

/**
 * In the codes of `dns.lookup`. What a name server refuses is no connection to the endpoint.
 */
function failureOf(cause: NodeJS.ErrnoException): NodeJS.ErrnoException {
  const code = isUnknown(cause) ? 'ENOTFOUND' : 'EAI_AGAIN';
  return Object.assign(new Error('the name was not found', { cause }), { code });
}

/** The servers answered, and have no such name, or no address of it. */
function isUnknown({ code }: NodeJS.ErrnoException): boolean {
  return code === 'ENOTFOUND' || code === 'ENODATA';
}
