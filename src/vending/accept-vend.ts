/**
 * Accept: judges a purchase against profile, catalog and routes, prices it, and stores it with its hold and first attempt in one transaction.
 *
 * Guarantees: when it resolves, the vend is committed; when it throws `overloaded`, `no_route`, `forbidden`, `invalid` or `duplicate`,
 * nothing was stored; when it throws `unsettled`, nobody knows, and the key tells.
 */
import type { Catalog } from '../catalog/catalog.ts';
import type { Clock } from '../clock.ts';
import { isConnectionLost, isUnavailable } from '../db/database-errors.ts';
import { GatewayError, invalidField } from '../errors.ts';
import type { IdSource } from '../ids.ts';
import { discountKey } from '../merchants/merchant.ts';
import { applyDiscount, formatAmount } from '../money.ts';
import { parseMobileNetwork } from '../products/network.ts';
import type { Provider } from '../providers/provider.ts';
import type { AcceptItem, AcceptVerdict, VendDetails } from './accept-store.ts';
import type { Routes } from './routes.ts';
import type { VendMode, VendRequest, VendStatus } from './vend.ts';
import { providerOfAttempt } from './vend-policy.ts';

export type Acceptor = {
  readonly accept: (item: AcceptItem) => Promise<AcceptVerdict>;
  readonly catalog: Pick<Catalog, 'findDataPlan'>;
  readonly routes: Routes;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly newId: IdSource;
};

/** The stored vend, and whether its wallet could pay. */
export type Accepted = { readonly item: AcceptItem; readonly funded: boolean };

/** How long an accept whose answer was lost is asked again what became of it. */
const ASK_AGAIN_MS = 5_000;

export async function acceptVend(
  acceptor: Acceptor,
  request: VendRequest,
  mode: VendMode,
): Promise<Accepted> {
  const item = judgeRequest(acceptor, request, mode);
  const verdict = await store(acceptor, item);
  switch (verdict.kind) {
    case 'accepted':
      return { item, funded: true };
    case 'insufficient':
      return { item, funded: false };
    case 'no_wallet':
      throw new GatewayError('not_found', 'No NGN wallet is enrolled for this merchant');
    case 'duplicate':
      throw duplicate(request.reference, verdict.firstId, verdict.status);
  }
}

/** Everything that can be said before the database is asked. Throws what is wrong. */
function judgeRequest(acceptor: Acceptor, request: VendRequest, mode: VendMode): AcceptItem {
  const { caller, product, network, faceValue } = request;
  if (!caller.merchant.products.has(product)) {
    throw new GatewayError('forbidden', `The product ${product} is not enabled for this merchant`);
  }
  const plan = product === 'data' ? judgeDataPlan(acceptor, request) : undefined;
  const walletId = caller.merchant.wallets.get('NGN');
  if (walletId === undefined) {
    throw new GatewayError('not_found', 'No NGN wallet is enrolled for this merchant');
  }
  const route = acceptor.routes.find(caller.environment, product, network);
  if (route.length === 0) {
    throw new GatewayError(
      'no_route',
      `No provider serves ${product} for ${network} at the moment; nothing was stored`,
      {
        retryAfterS: 30,
      },
    );
  }
  const now = acceptor.clock.now();
  return {
    id: acceptor.newId(),
    merchantId: caller.merchant.id,
    environment: caller.environment,
    reference: request.reference,
    product,
    network,
    planCode: plan?.code,
    msisdn: request.msisdn,
    recipient: request.recipient,
    faceValue,
    charge: applyDiscount(faceValue, caller.merchant.discounts.get(discountKey(product, network)) ?? 0),
    walletId,
    mode,
    route,
    details: plan?.details,
    credentialId: caller.credentialId,
    createdAt: now,
    attempt: mode === 'sync' ? firstAttempt(acceptor, route, now) : undefined,
  };
}

function firstAttempt(acceptor: Acceptor, route: readonly string[], now: Date): AcceptItem['attempt'] {
  const name = providerOfAttempt(route, 1);
  const provider = acceptor.providers.get(name);
  if (provider === undefined) {
    throw new GatewayError('no_route', `The provider ${name} is not configured; nothing was stored`, {
      retryAfterS: 30,
    });
  }
  return { provider: name, reference: provider.mintReference(now), reason: 'first of the route' };
}

function judgeDataPlan(acceptor: Acceptor, request: VendRequest): { code: string; details: VendDetails } {
  const network = parseMobileNetwork(request.network);
  if (network === undefined || request.planCode === undefined) {
    throw new GatewayError('missing', 'plan_code is required for data', {
      faults: [{ field: 'plan_code', message: 'plan_code is required: one from the data plans list' }],
    });
  }
  const match = acceptor.catalog.findDataPlan(network, request.planCode);
  switch (match.kind) {
    case 'unknown':
      throw invalidField(
        'plan_code',
        `plan_code names no ${network} data plan; see GET /v1/plans/${network.toLowerCase()}`,
      );
    case 'other-network':
      throw invalidField('plan_code', `plan_code is a plan of ${match.plan.network}, not of ${network}`);
    case 'found':
      if (match.plan.price !== request.faceValue) {
        throw invalidField(
          'amount',
          `amount must equal the price of ${match.plan.planCode}: ${formatAmount(match.plan.price)}`,
        );
      }
      return { code: match.plan.planCode, details: { planCodes: match.plan.providerCodes } };
  }
}

async function store(acceptor: Acceptor, item: AcceptItem): Promise<AcceptVerdict> {
  const startedAt = acceptor.clock.elapsedMs();
  let doubt = false;
  for (;;) {
    try {
      const verdict = await acceptor.accept(item);
      // Our own id under the key: an earlier try was stored, and only its answer was lost.
      if (verdict.kind === 'duplicate' && verdict.firstId === item.id) {
        return verdict.status === 'failed' ? { kind: 'insufficient' } : { kind: 'accepted' };
      }
      return verdict;
    } catch (error) {
      const unavailable =
        isUnavailable(error) || (error instanceof GatewayError && error.code === 'overloaded');
      if (unavailable && !doubt) throw notStored();
      if (!unavailable && !isConnectionLost(error)) throw error;
      doubt = true;
      if (acceptor.clock.elapsedMs() - startedAt > ASK_AGAIN_MS) throw unsettled(item.reference, item.id);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function notStored(): GatewayError {
  return new GatewayError('overloaded', 'The service is busy; nothing was stored, send again', {
    retryAfterS: 1,
  });
}

/** For a caller: the vend may exist and its outcome is not known; only its status can tell. */
export function unsettled(reference: string, vendId: string): GatewayError {
  return new GatewayError(
    'unsettled',
    'The outcome is not known yet; query the status of this reference, do not send it again',
    {
      detail: {
        data: { request_id: reference, internal_reference: vendId, status: 'pending', response_code: '02' },
      },
    },
  );
}

function duplicate(reference: string, firstId: string, status: VendStatus): GatewayError {
  const code = { success: '00', failed: '01', pending: '02' }[status];
  return new GatewayError(
    'duplicate',
    'This reference was used before; query its status instead of sending it again',
    {
      faults: [{ field: 'request_ref', message: 'request_ref must be unique for the merchant' }],
      detail: { data: { request_id: reference, internal_reference: firstId, status, response_code: code } },
    },
  );
}
