/**
 * All callers: three merchants with marked data, the operator's users and strangers, with each kind
 * of credential, token and session, and with none. A caller whose access a request ended signs in
 * again.
 */
import type { MerchantRole, Role } from '../../src/core/operation.ts';
import type { Gateway } from '../../test/support/gateway.ts';
import { type MarkedMerchant, makeMarked } from '../../test/support/marked-merchants.ts';
import { makeSession, makeToken, type Run, type SessionTerms } from '../../test/support/people.ts';
import { own } from './requests.ts';
import type { Edge } from './targets.ts';
import type { Pools } from './values.ts';

type Headers = readonly (readonly [name: string, value: string])[];

export type Principal = {
  readonly headers: Headers;
  /** The code of the merchant `own`. */
  readonly code: string;
  /** The merchants whose secrets it may see: `all` for operators. */
  readonly sees: MarkedMerchant | 'all' | undefined;
  /** The same with a new credential. Absent for callers without access. */
  readonly again?: (() => Promise<Principal>) | undefined;
};

type Principals = Readonly<Record<Edge, Record<string, Principal>>>;

export type Callers = {
  readonly merchants: readonly MarkedMerchant[];
  readonly principals: Principals;
  readonly pools: Readonly<Record<Edge, Pools>>;
};

/** `chapter` distinguishes them from earlier callers. */
export async function bringCallers(gateway: Gateway, run: Run, chapter: number): Promise<Callers> {
  const letters = [Math.floor(chapter / 26), chapter % 26].map((at) => String.fromCharCode(97 + at)).join('');
  const merchants: MarkedMerchant[] = [];
  for (const [index, [code, word]] of [
    ['ALPHA', 'quokkazebra'],
    ['BETA', 'narwhaltulip'],
    ['GAMMA', 'okapithistle'],
  ].entries()) {
    merchants.push(
      await makeMarked(gateway, run, {
        code: `${code}${letters.toUpperCase()}`,
        word: `${word}${letters}`,
        phone: `0803765${4_321 + 3 * chapter + index}`,
      }),
    );
  }
  const [alpha, beta, gamma] = merchants as [MarkedMerchant, MarkedMerchant, MarkedMerchant];
  return {
    merchants,
    principals: {
      api: ofApi(run, alpha, beta),
      admin: await ofAdmin(gateway, gamma),
      console: await ofConsole(gateway, gamma),
      portal: await ofPortal(gateway, alpha, beta),
    },
    pools: {
      api: poolsOf([alpha, beta]),
      portal: poolsOf([alpha, beta]),
      // Operators' operations on a merchant use a merchant without callers.
      admin: poolsOf([gamma]),
      console: poolsOf([gamma]),
    },
  };
}

/** A caller whose name ends in `*` sends three times as many requests. */
export function namesOf(principals: Readonly<Record<string, Principal>>): string[] {
  return Object.keys(principals).flatMap((name) => (name.endsWith('*') ? [name, name, name] : [name]));
}

function poolsOf(merchants: readonly MarkedMerchant[]): Pools {
  const named = (field: string): string[] => merchants.map((one) => one.named[field] ?? '');
  const references = [...named('reference'), ...named('card'), ...named('esim')];
  return {
    merchant: [own, own, own, ...named('merchant')],
    merchant_code: [own, ...named('merchant')],
    request_ref: references,
    request_id: references,
    client_request_id: references,
    reference: references,
    id: [...named('endpoint'), ...named('delivery')],
    endpoint: named('endpoint'),
    delivery: named('delivery'),
    credential: named('credential'),
    voucher: named('voucher'),
    plan_id: [...named('cardPlan'), ...named('esimPlan'), ...named('cardPlan').map(Number)],
    plan_code: ['MTN-1', '1', 'AIRTEL-1'],
    msisdn: ['08031234567', '2348031234567', '10000000001', '10000000010', 'TESTBET001', '08031239999'],
    phone: ['08031234567'],
    network: ['mtn', 'glo', 'airtel', '9mobile', 'Ikeja Electric', 'DSTV', 'BET9JA'],
    product: ['airtime', 'data', 'ELECTRICITY', 'CABLE', 'BETTING', 'electricity', 'GIFTCARD', 'ESIM'],
    amount: ['100', '100.00', '50.5', '1000'],
    currency: ['NGN', 'USD'],
    environment: ['test', 'live'],
    provider: ['sandbox', 'vtpass', 'nomba', 'monnify'],
    party: ['vtpass', 'monnify'],
    email: ['somebody@shop.example'],
    password: ['correct horse battery 7', 'short'],
    day: ['2026-11-21'],
    from: ['2026-11-01', '2026-11-21T00:00:00Z'],
    to: ['2026-11-22', '2026-11-22T00:00:00Z'],
    url: ['https://127.0.0.1:8443/hooks', 'https://shop.example/hooks'],
    person: ['08031239998'],
    limit: [1, 200],
    name: ['list_data_plans', 'buy_airtime', 'get_balance', 'A name'],
  };
}

function credential({ key, secret }: { readonly key: string; readonly secret: string }): Headers {
  return [
    ['x-merchant-key', key],
    ['x-merchant-secret', secret],
  ];
}

type Whose = Pick<Principal, 'code' | 'sees'>;

/** Signs a caller in with `make`, and again when its credential no longer works. */
async function lasting(make: () => Promise<Headers>, whose: Whose): Promise<Principal> {
  return { headers: await make(), ...whose, again: () => lasting(make, whose) };
}

function ofApi(run: Run, alpha: MarkedMerchant, beta: MarkedMerchant): Record<string, Principal> {
  const of = (merchant: MarkedMerchant, environment: 'test' | 'live'): Principal => {
    const whose = { code: merchant.code, sees: merchant };
    const issue = async (): Promise<Headers> =>
      credential(await run('credential.issue', { merchant: merchant.code, environment, rate: 0 }));
    return { headers: credential(merchant[environment]), ...whose, again: () => lasting(issue, whose) };
  };
  const stranger = { code: alpha.code, sees: undefined };
  return {
    'alpha test*': of(alpha, 'test'),
    'alpha live': of(alpha, 'live'),
    'beta test*': of(beta, 'test'),
    'beta live': of(beta, 'live'),
    nobody: { headers: [], ...stranger },
    'wrong secret': { headers: credential({ ...alpha.test, secret: 'x'.repeat(43) }), ...stranger },
  };
}

async function ofAdmin({ database }: Gateway, { code }: MarkedMerchant): Promise<Record<string, Principal>> {
  const bearer = (token: string): Headers => [['authorization', `Bearer ${token}`]];
  const of = (role: Role): Promise<Principal> =>
    lasting(async () => bearer(await makeToken(database, [role])), { code, sees: 'all' });
  const stranger = { code, sees: undefined };
  return {
    nobody: { headers: [], ...stranger },
    revoked: { headers: bearer(await makeToken(database, ['admin'], 'revoked')), ...stranger },
    'admin*': await of('admin'),
    finance: await of('finance'),
    support: await of('support'),
    viewer: await of('viewer'),
  };
}

function person({ database }: Gateway, terms: SessionTerms, whose: Whose): Promise<Principal> {
  return lasting(async () => [['cookie', await makeSession(database, terms)]], whose);
}

async function ofConsole(gateway: Gateway, { code }: MarkedMerchant): Promise<Record<string, Principal>> {
  const stranger = { code, sees: undefined };
  const of = (role: Role, steppedUp = false): Promise<Principal> =>
    person(gateway, { roles: [role], steppedUp }, { code, sees: 'all' });
  return {
    'admin, stepped up*': await of('admin', true),
    finance: await of('finance'),
    viewer: await of('viewer'),
    'half open': await person(gateway, { roles: ['admin'], state: 'half' }, stranger),
    nobody: { headers: [], ...stranger },
  };
}

async function ofPortal(
  gateway: Gateway,
  alpha: MarkedMerchant,
  beta: MarkedMerchant,
): Promise<Record<string, Principal>> {
  const of = (merchant: MarkedMerchant, role: MerchantRole): Promise<Principal> =>
    person(gateway, { roles: [role], merchant, steppedUp: true }, { code: merchant.code, sees: merchant });
  return {
    'alpha owner*': await of(alpha, 'owner'),
    'alpha viewer': await of(alpha, 'viewer'),
    'beta owner': await of(beta, 'owner'),
    'beta developer': await of(beta, 'developer'),
    'beta finance': await of(beta, 'finance'),
    nobody: { headers: [], code: alpha.code, sees: undefined },
  };
}
