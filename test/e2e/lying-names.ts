/**
 * Loaded into a gateway before its program. Public names resolve to addresses of this machine, and
 * the longest try at an endpoint is short. Nothing else changes.
 */
import dns, { type LookupAddress } from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** 127.0.0.2 is in a network that the operator allowed; 127.0.0.1 is not. */
const addresses: Readonly<Record<string, (nth: number) => string[]>> = {
  'own.example': () => ['127.0.0.2'],
  'inside.example': () => ['127.0.0.1'],
  'mapped.example': () => ['::ffff:127.0.0.1'],
  'both.example': () => ['127.0.0.1', '127.0.0.2'],
  // The first look-up returns a public address, the second one of this machine.
  'rebinding.example': (nth) => [nth % 2 === 0 ? '127.0.0.2' : '127.0.0.1'],
};
const lookedUp = new Map<string, number>();

type Done = (error: Error | null, address: string | LookupAddress[], family?: number) => void;
const lookup = dns.lookup as (name: string, options: { all?: boolean }, done: Done) => void;

dns.lookup = ((name: string, options: { all?: boolean }, done: Done) => {
  const known = addresses[name];
  if (known === undefined) return lookup(name, options, done);
  const nth = lookedUp.get(name) ?? 0;
  lookedUp.set(name, nth + 1);
  const found = known(nth).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first] = found;
  if (options.all === true || first === undefined) done(null, found);
  else done(null, first.address, first.family);
}) as typeof dns.lookup;
syncBuiltinESMExports();

const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(ms === 15_000 ? 2_500 : ms);
