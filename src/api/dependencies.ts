/**
 * The dependencies of the API on the gateway. Each belongs to one room, which states its contract.
 * The API has no access to the database, to providers or to settings.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Catalog } from '../catalog/catalog.ts';
import type { QrCodes } from '../core/qrcode/qr-codes.ts';
import type { Funding } from '../funding/funding.ts';
import type { Authenticator } from '../merchants/authenticate.ts';
import type { MerchantCodeTries } from '../merchants/code-tries.ts';
import type { Principal } from '../merchants/merchant.ts';
import type { PollRequest } from '../notifications/events/poll-feed.ts';
import type { EndpointChange, WantedEndpoint } from '../notifications/webhooks/change-endpoint.ts';
import type {
  Endpoint,
  Replayed,
  WebhookDelivery,
  WebhookDeliveryState,
} from '../notifications/webhooks/endpoint.ts';
import type { Batch, BatchProgress, BatchRow } from '../purchases/batches/batch.ts';
import type { BatchChange, StoredFile, UnfitFile } from '../purchases/batches/change-batch.ts';
import type { Purchases } from '../purchases/purchases.ts';
import type { MtnBalances } from '../wallet/mtn-balance.ts';
import type { OwnWallets } from '../wallet/own-wallets.ts';
import type { ToldEvent } from './plumbing/event-answer.ts';
import type { HttpLimits } from './plumbing/http-limits.ts';
import type { RateLimit } from './plumbing/rate-limit.ts';

export type EventOperations = {
  /**
   * Throws GatewayError: `event_cursor_unknown`, `event_cursor_expired`, `event_polls_full`.
   */
  poll(
    principal: Principal,
    question: PollRequest,
  ): Promise<{ readonly events: readonly ToldEvent[]; readonly cursor: string; readonly more: boolean }>;
};

export type WebhookOperations = {
  /** Throws GatewayError: `endpoint_url_refused`, `endpoints_full`. */
  create(
    principal: Principal,
    wanted: WantedEndpoint,
  ): Promise<{ readonly endpoint: Endpoint; readonly secret: string }>;
  /** Lists all endpoints. */
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
      /** The delivery after which the list continues. */
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

export type BatchOperations = {
  /**
   * Validates and prices every row of the file, and stores the batch if each could be bought. The
   * same file is the same batch. Throws GatewayError: `batch_file_unreadable`, `batch_rows_full`,
   * `batch_column_missing`, `batch_column_repeated`.
   */
  create(
    principal: Principal,
    file: { readonly csv: string; readonly name: string },
  ): Promise<StoredFile | UnfitFile>;
  /** Newest first. */
  list(
    principal: Principal,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly Batch[]>;
  /** Throws GatewayError `no_batch`. */
  find(principal: Principal, id: string): Promise<FoundBatch>;
  /**
   * Throws GatewayError: `no_batch`, `batch_ended`, `batch_not_started`, `batch_has_duplicates`,
   * `batch_not_covered`.
   */
  change(
    principal: Principal,
    id: string,
    change: { readonly to: BatchChange; readonly allowDuplicates: boolean },
  ): Promise<FoundBatch>;
  /** In file order, after a line. Throws GatewayError `no_batch`. */
  rows(
    principal: Principal,
    id: string,
    page: { readonly after: number; readonly limit: number },
  ): Promise<{ readonly batch: Batch; readonly rows: readonly BatchRow[] }>;
};

/** A batch with the results of its rows, and the available balance of its wallet. */
export type FoundBatch = {
  readonly batch: Batch;
  readonly progress: BatchProgress;
  readonly available: bigint;
};

/** The logger of the API, with pino's interface. */
export type RequestLog = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** The state of each check by its name: `ok`, or the problem. */
export type HealthReport = { readonly ok: boolean; readonly checks: Readonly<Record<string, string>> };

export type ServerDependencies = {
  readonly authenticator: Pick<Authenticator, 'authenticate' | 'merchantExists'>;
  /** Counts requests with a merchant code that is not the caller's own. */
  readonly merchantCodeTries: MerchantCodeTries;
  readonly purchases: Pick<
    Purchases,
    | 'purchase'
    | 'order'
    | 'queryOrder'
    | 'findPurchase'
    | 'findFirstUse'
    | 'compareWithFirst'
    | 'listPurchases'
    | 'verifyBillCustomer'
    | 'requireOrders'
    | 'checkAvailability'
    | 'advanceTestClock'
  >;
  readonly catalog: Pick<
    Catalog,
    | 'listDataPlans'
    | 'findBiller'
    | 'findBillNetwork'
    | 'listBillers'
    | 'listBillPlans'
    | 'findGiftCardPlan'
    | 'searchGiftCards'
    | 'findEsimPlan'
    | 'searchEsims'
    | 'fxRate'
  >;
  readonly qrCodes: Pick<QrCodes, 'draw'>;
  readonly wallets: OwnWallets;
  readonly mtnBalances: MtnBalances;
  /**
   * Returns false when no provider of that name accepts callbacks. Anyone can send one, so it
   * proves nothing.
   */
  readonly providerCallback: (
    provider: string,
    body: unknown,
    headers: IncomingHttpHeaders,
    /** The raw body, for signatures over its bytes. */
    raw: string,
  ) => Promise<boolean>;
  readonly funding: Pick<
    Funding,
    'openAccount' | 'findAccount' | 'hasDocument' | 'hasAccount' | 'playDeposit' | 'takeNotice'
  >;
  readonly events: EventOperations;
  readonly webhooks: WebhookOperations;
  readonly batches: BatchOperations;
  /** Takes effect within about a second. */
  readonly health: () => Promise<{
    /** Whether purchases can be sold. */
    readonly health: HealthReport;
    /** Whether this process should receive traffic. */
    readonly readiness: HealthReport;
  }>;
  /** Whether the error means that the database is unreachable or too slow. */
  readonly isDatabaseAway: (error: unknown) => boolean;
  /** The limits of credentials without limits of their own. */
  readonly rateLimit: RateLimit;
  readonly version: string;
  readonly log: RequestLog;
  /**
   * Called for every answered request. `route` is the pattern, never the path. `purchaseId` is the
   * purchase that the request was about.
   */
  readonly observeRequest?: (
    route: string,
    status: number,
    latencyMs: number,
    purchaseId: string | undefined,
  ) => void;
  /**
   * Called with the user agent before the log line of a successful request. Returns true when it
   * replaces the line. Absent: each request has its line.
   */
  readonly countsInstead?: ((userAgent: string | undefined) => boolean) | undefined;
  readonly limits?: Partial<HttpLimits>;
  /**
   * The origins of web pages that may call from a browser, such as `https://shop.example`. Absent:
   * none.
   */
  readonly allowedOrigins?: readonly string[];
  /** The documentation site that `/docs` links to. */
  readonly docsUrl?: string | undefined;
  /**
   * The folder of the documentation site that `/guides` serves. Absent: the path does not exist.
   */
  readonly guides?: string | undefined;
};
