/**
 * Everything the HTTP edge asks of the gateway. It gets nothing else: no database, no provider, no
 * configuration.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Catalog } from '../catalog/catalog.ts';
import type { DataPlan } from '../catalog/data-plan-index.ts';
import type { FeedQuestion } from '../events/poll-feed.ts';
import type { FundingAccount } from '../funding/funding-account.ts';
import type { PlayedDeposit, TestTransfer } from '../funding/play-deposit.ts';
import type { Registration } from '../funding/registration.ts';
import type { Caller } from '../kernel/caller.ts';
import type { Currency } from '../kernel/money.ts';
import type { Repeat } from '../kernel/request-fault.ts';
import type { Principal } from '../merchants/merchant.ts';
import type { MobileNetwork } from '../products/network.ts';
import type { OrderProduct, Product } from '../products/product.ts';
import type { ClockMove } from '../vending/clock/advance-test-clock.ts';
import type { CheckAvailability } from '../vending/orders/check-availability.ts';
import type { Order, OrderRequest } from '../vending/orders/order.ts';
import type { CustomerRequest, CustomerVerification } from '../vending/purchases/verify-bill-customer.ts';
import type { SentPurchase } from '../vending/repeats/sent-purchase.ts';
import type { Vend, VendMode, VendRequest, VendStatus } from '../vending/vend/vend.ts';
import type { EndpointChange, WantedEndpoint } from '../webhooks/change-endpoint.ts';
import type { Endpoint, Replayed, WebhookDelivery, WebhookDeliveryState } from '../webhooks/endpoint.ts';
import type { ToldEvent } from './plumbing/event-answer.ts';
import type { HttpLimits } from './plumbing/http-limits.ts';
import type { RateLimit } from './plumbing/rate-limit.ts';

/**
 * Who a credential stands for; `unknown`: no such key or not its secret; `forbidden`: known, but
 * not from here.
 */
type Authentication = Principal | 'unknown' | 'unconfirmed' | 'forbidden';

/** Which vends to list, newest first. */
export type VendFilter = {
  /** From 1. */
  readonly page: number;
  readonly limit: number;
  /** The vend after which the list goes on, in place of a page's number. */
  readonly cursor?: string;
  /** A number in each form in which a vend may have it: one of them is enough. Never empty. */
  readonly recipients?: readonly string[];
  /** Canonical network. */
  readonly network?: string;
  readonly status?: VendStatus;
  readonly product?: Product;
};

/** A wallet's counters in minor units; `floor` is negative where an overdraft is allowed. */
type WalletBalance = { readonly posted: bigint; readonly held: bigint; readonly floor: bigint };

type FirstUse = { readonly id: string; readonly status: VendStatus };

export type VendingOperations = {
  /** Throws GatewayError; `outcome_unknown` where the vend may exist. */
  vend(request: VendRequest, mode: VendMode, caller: Caller): Promise<Vend>;
  /** Throws GatewayError. */
  order(request: OrderRequest, caller: Caller): Promise<Order>;
  /**
   * As it stands, its provider asked where it is pending; undefined where there is none of that
   * product.
   */
  askOrder(principal: Principal, product: OrderProduct, reference: string): Promise<Order | undefined>;
  findVend(principal: Principal, reference: string): Promise<Vend | undefined>;
  /** The vend that has the reference; undefined where it is free. */
  findFirstUse(principal: Principal, reference: string): Promise<FirstUse | undefined>;
  /** What is otherwise in a request than in that vend; undefined where there is no such vend. */
  compareWithFirst(principal: Principal, vendId: string, sent: SentPurchase): Promise<Repeat | undefined>;
  listVends(
    principal: Principal,
    filter: VendFilter,
  ): Promise<{
    readonly items: readonly Vend[];
    readonly totalItems: number;
    readonly totalPages: number;
    /** Where the list goes on; undefined at its end. */
    readonly nextCursor: string | undefined;
  }>;
  /** Stores nothing and costs nothing. Throws GatewayError. */
  verifyBillCustomer(request: CustomerRequest, caller: Caller): Promise<CustomerVerification>;
};

type FundingOperations = {
  /** Throws GatewayError. */
  openAccount(principal: Principal, registration: Registration): Promise<FundingAccount>;
  /** Throws GatewayError. */
  findAccount(principal: Principal, currency: Currency): Promise<FundingAccount>;
  /** Whether a further document of the merchant would change nothing. */
  hasDocument(principal: Principal): Promise<boolean>;
  /** Whether the merchant has an account in the currency, open or being opened. */
  hasAccount(principal: Principal, currency: Currency): Promise<boolean>;
};

/** A line of a statement; amounts in minor units. */
type StatementLine = {
  readonly at: Date;
  readonly kind: 'purchase' | 'refund' | 'deposit' | 'voucher' | 'correction' | 'other';
  readonly reference: string;
  readonly subjectId: string;
  readonly amount: bigint;
  readonly balance: bigint;
};

/** From the first moment of it to the first moment after it. */
export type Period = { readonly from: Date; readonly to: Date };

export type StatementCursor = { readonly last: string; readonly end: string };

type StatementPage = {
  readonly opening: bigint;
  readonly closing: bigint;
  readonly lines: readonly StatementLine[];
  /** Undefined after the last page. */
  readonly next: StatementCursor | undefined;
};

type StatementOperations = {
  /** Throws GatewayError: `no_wallet`, `cursor_of_other_statement`. */
  page(
    principal: Principal,
    currency: Currency,
    period: Period,
    page: { readonly cursor: StatementCursor | undefined; readonly limit: number },
  ): Promise<StatementPage>;
  /** All of it, in pieces. Throws GatewayError `no_wallet` before the first. */
  csv(principal: Principal, currency: Currency, period: Period): Promise<AsyncIterable<string>>;
};

/** A vending line at MTN; the balance in kobo. */
type MtnLine = { readonly phone: string; readonly clientName: string; readonly balance: bigint };
/** Gift cards and eSIMs on sale, and the rates they are priced with. */
export type GoodsCatalog = Pick<
  Catalog,
  'findGiftCardPlan' | 'searchGiftCards' | 'findEsimPlan' | 'searchEsims' | 'fxRate'
>;

/** The billers in business and their plans on sale. */
export type BillCatalog = Pick<Catalog, 'findBiller' | 'listBillers' | 'listBillPlans'>;

type EventOperations = {
  /**
   * Throws GatewayError: `event_cursor_unknown`, `event_cursor_expired`, `event_polls_full`.
   */
  poll(
    principal: Principal,
    question: FeedQuestion,
  ): Promise<{ readonly events: readonly ToldEvent[]; readonly cursor: string; readonly more: boolean }>;
};

type WebhookOperations = {
  /** Throws GatewayError: `endpoint_url_refused`, `endpoints_full`. */
  create(
    principal: Principal,
    wanted: WantedEndpoint,
  ): Promise<{ readonly endpoint: Endpoint; readonly secret: string }>;
  /** All there are. */
  list(principal: Principal): Promise<readonly Endpoint[]>;
  /** Throws GatewayError: `no_endpoint`, `endpoint_url_refused`. */
  change(principal: Principal, id: string, change: EndpointChange): Promise<Endpoint>;
  /** Throws GatewayError `no_endpoint`. */
  remove(principal: Principal, id: string): Promise<void>;
  /** Throws GatewayError `no_endpoint`. */
  rotate(
    principal: Principal,
    id: string,
    overlapMs: number,
  ): Promise<{ readonly endpoint: Endpoint; readonly secret: string }>;
  /** Throws GatewayError: `no_endpoint`, `endpoint_disabled`. */
  test(principal: Principal, id: string): Promise<{ readonly deliveryId: string; readonly eventId: string }>;
  /** Newest first. */
  deliveries(
    principal: Principal,
    filter: {
      readonly endpointId: string | undefined;
      readonly state: WebhookDeliveryState | undefined;
      /** The delivery after which the list goes on. */
      readonly before: string | undefined;
      readonly limit: number;
    },
  ): Promise<readonly WebhookDelivery[]>;
  /** Throws GatewayError: `no_webhook_delivery`, `no_endpoint`, `endpoint_disabled`. */
  replay(principal: Principal, id: string): Promise<WebhookDelivery>;
  /** Throws GatewayError: `no_endpoint`, `endpoint_disabled`. */
  replayRange(
    principal: Principal,
    id: string,
    range: { readonly from: Date; readonly to: Date; readonly states: readonly WebhookDeliveryState[] },
  ): Promise<Replayed>;
};

/** What test credentials play. */
type TestOperations = {
  /** Throws GatewayError: `test_credentials_only`, `test_clock_ends`. */
  advanceClock(principal: Principal, advanceS: number): Promise<ClockMove>;
  /**
   * Throws GatewayError: `test_credentials_only`, `no_wallet`, `no_bank`, `test_deposit_differs`.
   */
  playDeposit(principal: Principal, transfer: TestTransfer): Promise<PlayedDeposit>;
};

/** What the edge logs with; pino has this shape. */
export type RequestLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** By name of a check: `ok`, or in words what is not. */
export type HealthReport = { readonly ok: boolean; readonly checks: Readonly<Record<string, string>> };

export type ServerDependencies = {
  readonly authenticate: (keyId: string, secret: string, ip: string) => Promise<Authentication>;
  readonly merchantExists: (code: string) => Promise<boolean>;
  /**
   * Counts a request with a merchant code that is not the caller's own. Undefined: it may be
   * answered. Throws GatewayError `database_away`.
   */
  readonly takeMerchantCodeTry: (
    principal: Principal,
    address: string,
  ) => Promise<{ readonly retryAfterS: number; readonly isFirst: boolean } | undefined>;
  readonly vending: VendingOperations;
  /** The data plans on sale, in catalog order. */
  readonly plans: (network: MobileNetwork) => readonly DataPlan[];
  readonly bills: BillCatalog;
  readonly goods: GoodsCatalog;
  /** Stores nothing. Throws GatewayError: `product_not_enabled`, `no_provider`. */
  readonly requireOrders: (principal: Principal, product: OrderProduct) => void;
  /** Stores nothing. Throws GatewayError. */
  readonly checkAvailability: CheckAvailability;
  /** A PNG of the text. Throws GatewayError `qr_codes_full`. */
  readonly drawQrCode: (principal: Principal, text: string) => Promise<Buffer>;
  /** Undefined: the caller has no wallet in that currency. */
  readonly balance: (principal: Principal, currency: Currency) => Promise<WalletBalance | undefined>;
  readonly statement: StatementOperations;
  /** Empty where MTN vending is not enabled. Throws GatewayError `mtn_balances_unknown`. */
  readonly mtnBalances: (principal: Principal) => Promise<readonly MtnLine[]>;
  /**
   * False: no provider of that name takes callbacks. What is sent comes from anybody and proves
   * nothing.
   */
  readonly providerCallback: (
    provider: string,
    body: unknown,
    headers: IncomingHttpHeaders,
    /** The body as it came, for signatures over its bytes. */
    raw: string,
  ) => Promise<boolean>;
  readonly funding: FundingOperations;
  readonly events: EventOperations;
  readonly webhooks: WebhookOperations;
  readonly testing: TestOperations;
  /**
   * A bank's notice, as it came: `taken` once it is stored, `forged` when the bank did not sign it.
   */
  readonly bankNotice: (
    provider: string,
    bytes: Uint8Array,
    headers: IncomingHttpHeaders,
  ) => Promise<'taken' | 'forged' | 'nobody'>;
  /** Within about a second. */
  readonly health: () => Promise<{
    /** Whether anything can be sold. */
    readonly health: HealthReport;
    /** Whether this process should get traffic. */
    readonly readiness: HealthReport;
  }>;
  /** For credentials that have no limit of their own. */
  readonly rateLimit: RateLimit;
  readonly version: string;
  readonly log: RequestLog;
  /**
   * Told of every answered request; `route` is the pattern, never the path. `vendId`: of the
   * purchase that it was about.
   */
  readonly observeRequest?: (
    route: string,
    status: number,
    latencyMs: number,
    vendId: string | undefined,
  ) => void;
  /**
   * Called before the log line of a request that was not refused: true replaces the line. Absent:
   * each request has its line.
   */
  readonly countsInstead?: (() => boolean) | undefined;
  readonly limits?: Partial<HttpLimits>;
  /** The web pages that may call from a browser, as `https://shop.example`. Absent: none. */
  readonly allowedOrigins?: readonly string[];
  /** The documentation site, for `/docs` to link to. */
  readonly docsUrl?: string | undefined;
  /** The folder of the documentation site that `/guides` serves. Absent: there is no such path. */
  readonly guides?: string | undefined;
};
