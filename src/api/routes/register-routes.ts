/**
 * Registers every route of the interface. The folder of a route is named after the last fixed part
 * of its path, in the folder of its area. `create` and `list` are the two routes of
 * /v1/transactions. `route.ts` serves the route, and `schema.ts` contains its input and its
 * answers.
 */
import type { ServerDependencies } from '../dependencies.ts';
import type { Api } from '../plumbing/api.ts';
import { registerBatchRoutes } from './batches/batches/route.ts';
import { registerBatchRowsRoute } from './batches/rows/route.ts';
import { registerEsimCatalogRoute } from './esim/catalog/route.ts';
import { registerEsimOrderRoutes } from './esim/orders/route.ts';
import { registerEsimPlanRoutes } from './esim/plans/route.ts';
import { registerEventsRoute } from './events/list/route.ts';
import { registerAvailabilityRoute } from './giftcards/availability/route.ts';
import { registerGiftCardCatalogRoute } from './giftcards/catalog/route.ts';
import { registerGiftCardOrderRoutes } from './giftcards/orders/route.ts';
import { registerGiftCardQuoteRoutes } from './giftcards/quote/route.ts';
import { registerRedeemRoute } from './giftcards/redeem/route.ts';
import { registerHealthRoutes } from './healthz/route.ts';
import { registerHooksRoute } from './hooks/route.ts';
import { registerBillPlansRoute } from './plans/bills/route.ts';
import { registerDataPlansRoute } from './plans/data/route.ts';
import { registerTestClockRoute } from './test/clock/route.ts';
import { registerTestDepositRoute } from './test/deposits/route.ts';
import { registerCreateRoutes } from './transactions/create/route.ts';
import { registerListRoute } from './transactions/list/route.ts';
import { registerStatusRoute } from './transactions/status/route.ts';
import { registerVerifyRoute } from './transactions/verify/route.ts';
import { registerBalanceRoute } from './wallet/balance/route.ts';
import { registerFundingAccountRoutes } from './wallet/funding-account/route.ts';
import { registerMtnBalanceRoute } from './wallet/mtn-balance/route.ts';
import { registerStatementRoute } from './wallet/statement/route.ts';
import { registerDeliveriesRoute } from './webhooks/deliveries/route.ts';
import { registerEndpointRoutes } from './webhooks/endpoints/route.ts';
import { registerReplayRoutes } from './webhooks/replay/route.ts';
import { registerRotateRoute } from './webhooks/rotate/route.ts';
import { registerEndpointTestRoute } from './webhooks/test/route.ts';

type Register = (api: Api, dependencies: ServerDependencies) => void;

/** For load balancers, providers and banks, which have no credential. */
export const openRoutes: readonly Register[] = [registerHealthRoutes, registerHooksRoute];

/** Behind a merchant's credential. */
export const merchantRoutes: readonly Register[] = [
  registerCreateRoutes,
  registerVerifyRoute,
  registerStatusRoute,
  registerListRoute,
  registerBatchRoutes,
  registerBatchRowsRoute,
  registerDataPlansRoute,
  registerBillPlansRoute,
  registerGiftCardCatalogRoute,
  registerGiftCardQuoteRoutes,
  registerAvailabilityRoute,
  registerGiftCardOrderRoutes,
  registerRedeemRoute,
  registerEsimCatalogRoute,
  registerEsimPlanRoutes,
  registerEsimOrderRoutes,
  registerBalanceRoute,
  registerMtnBalanceRoute,
  registerStatementRoute,
  registerFundingAccountRoutes,
  registerEventsRoute,
  registerEndpointRoutes,
  registerRotateRoute,
  registerEndpointTestRoute,
  registerDeliveriesRoute,
  registerReplayRoutes,
  registerTestClockRoute,
  registerTestDepositRoute,
];
