/** The exports of `oja-client`. */
export {
  AuthenticationError,
  ConfigurationError,
  ConnectionError,
  DuplicateReferenceError,
  type ErrorCode,
  type FieldFault,
  InsufficientFundsError,
  InvalidRequestError,
  type KnownPurchase,
  NotFinalError,
  NotFoundError,
  OjaError,
  OutcomeUnknownError,
  PermissionError,
  PurchaseFailedError,
  RateLimitError,
  TimeoutError,
  UnavailableError,
  UnexpectedAnswerError,
  type WebhookFault,
  WebhookVerificationError,
} from './errors.ts';
export { expectSuccess } from './expect-success.ts';
export type * from './generated/api.ts';
export type { AirtimeInput, DataInput } from './methods/airtime-and-data.ts';
export type { EventsQuery, FeedEvent, WebhookDelivery } from './methods/events.ts';
export type { EsimInput, GiftCardInput, RedeemInput } from './methods/goods.ts';
export type { PurchaseAnswer } from './methods/purchase-kinds.ts';
export type { PurchaseInput, PurchaseRow, VerifyInput, WaitOptions } from './methods/purchases.ts';
export type { FundingAccountInput, StatementLine, StatementQuery } from './methods/wallet.ts';
export { Oja } from './oja.ts';
export type { CallOptions, Fetch, OjaOptions } from './options.ts';
export type { Paged } from './pages.ts';
export { newReference } from './reference.ts';
export {
  type TestEvent,
  type UnwrapOptions,
  type WebhookEvent,
  type WebhookHeaders,
  webhooks,
} from './webhooks.ts';
