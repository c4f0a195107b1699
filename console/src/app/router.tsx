/** Maps addresses to screens. Each screen is loaded when it is first opened. */

import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router';
import type { FunctionComponent } from 'react';
import { pathHere, signInPath } from '../api/back.ts';
import { isRefusal } from '../api/call.ts';
import { unreachable } from '../api/refusal.ts';
import { type Audience, audienceOfPage, type Session, sessionQuery, useSession } from '../api/session.ts';
import { portalScreens } from '../portal-screens.ts';
import { screens } from '../screens.ts';
import { Loading, Trouble } from '../widgets/notes.tsx';
import { NoScreen, NotFound } from './not-found.tsx';
import { screensOf } from './screens-of.ts';
import { Shell } from './shell.tsx';

type Context = { readonly queries: QueryClient };

const root = createRootRouteWithContext<Context>()({ component: Outlet, notFoundComponent: NotFound });

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** Loads the screen of the address. */
    readonly preload?: (face: Audience) => void;
  }
}

/** The parent of all routes that need a session. */
const inside = createRoute({
  getParentRoute: () => root,
  id: 'inside',
  component: Shell,
  beforeLoad: async ({ context, matches }) => {
    for (const { staticData } of matches) staticData.preload?.(audienceOfPage);
    try {
      await context.queries.ensureQueryData(sessionQuery);
    } catch (error) {
      if (isRefusal(error) && error.status === 401) throw redirect({ href: signInPath(pathHere()) });
      throw error;
    }
  },
});

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: async ({ context }) => {
    const session = await context.queries.ensureQueryData(sessionQuery);
    const [first] = screensOf(session);
    throw redirect({ href: first?.path ?? '/account' });
  },
});

type Load = () => Promise<Record<string, unknown>>;
/** The module of a screen and the name of its export. */
type Module = readonly [load: Load, name: string];

/**
 * Creates a component whose module is loaded by `preload` before it renders. After a failure the
 * next `preload` tries again, because the gateway that serves the modules may be back.
 */
function lazy([load, name]: Module): FunctionComponent & { readonly preload: () => Promise<void> } {
  let Loaded: FunctionComponent | undefined;
  const preload = async (): Promise<void> => {
    if (Loaded !== undefined) return;
    const module = await load().catch(() => {
      throw unreachable;
    });
    Loaded = module[name] as FunctionComponent;
  };
  return Object.assign(() => (Loaded === undefined ? null : <Loaded />), { preload });
}

/** Creates the route of a screen of the console, the portal, or both. */
function screen(path: string, shown: Readonly<Partial<Record<Audience, Module>>>) {
  const atConsole = shown.console && lazy(shown.console);
  const atPortal = shown.portal && lazy(shown.portal);
  const chosen = (session: Session | undefined) => (session?.face === 'portal' ? atPortal : atConsole);
  return createRoute({
    getParentRoute: () => inside,
    path,
    // The loader reports a failure.
    staticData: { preload: (face) => void shown[face]?.[0]().catch(() => undefined) },
    loader: async ({ context }) => {
      await chosen(await context.queries.ensureQueryData(sessionQuery))?.preload();
    },
    component: () => {
      const Shown = chosen(useSession());
      return Shown === undefined ? <NoScreen /> : <Shown />;
    },
  });
}

function door(path: string, module: Module) {
  const component = lazy(module);
  return createRoute({ getParentRoute: () => root, path, component, loader: () => component.preload() });
}

const account: Module = [() => import('../screens/account/account.tsx'), 'Account'];

const tree = root.addChildren([
  inside.addChildren([
    home,
    screen(screens.overview.path, {
      console: [() => import('../screens/overview/overview.tsx'), 'Overview'],
    }),
    screen(screens.work.path, { console: [() => import('../screens/work/work.tsx'), 'Work'] }),
    screen(screens.task.path, { console: [() => import('../screens/work/task.tsx'), 'TaskScreen'] }),
    screen(screens.approvals.path, {
      console: [() => import('../screens/approvals/approvals.tsx'), 'Approvals'],
    }),
    screen(screens.approval.path, {
      console: [() => import('../screens/approvals/approval.tsx'), 'ApprovalScreen'],
    }),
    screen(screens.purchases.path, {
      console: [() => import('../screens/purchases/purchases.tsx'), 'Purchases'],
      portal: [() => import('../screens/portal/purchases/purchases.tsx'), 'PortalPurchases'],
    }),
    screen(screens.purchase.path, {
      console: [() => import('../screens/purchase/purchase.tsx'), 'PurchaseScreen'],
      portal: [() => import('../screens/portal/purchase/purchase.tsx'), 'PortalPurchase'],
    }),
    screen(screens.merchants.path, {
      console: [() => import('../screens/merchants/merchants.tsx'), 'Merchants'],
    }),
    screen(screens.merchant.path, {
      console: [() => import('../screens/merchant/merchant.tsx'), 'MerchantScreen'],
    }),
    screen(screens.money.path, { console: [() => import('../screens/money/money.tsx'), 'MoneyScreen'] }),
    screen(screens.floats.path, { console: [() => import('../screens/floats/floats.tsx'), 'Floats'] }),
    screen(screens.reconciliation.path, {
      console: [() => import('../screens/reconciliation/reconciliation.tsx'), 'Reconciliation'],
    }),
    screen(screens.recovery.path, {
      console: [() => import('../screens/recovery/recovery.tsx'), 'Recovery'],
    }),
    screen(screens.privacy.path, { console: [() => import('../screens/privacy/privacy.tsx'), 'Privacy'] }),
    screen(screens.providers.path, {
      console: [() => import('../screens/providers/providers.tsx'), 'Providers'],
    }),
    screen(screens.provider.path, {
      console: [() => import('../screens/providers/provider.tsx'), 'ProviderScreen'],
    }),
    screen(screens.catalog.path, {
      console: [() => import('../screens/catalog/catalog.tsx'), 'CatalogScreen'],
    }),
    screen(screens.priceLists.path, {
      console: [() => import('../screens/price-lists/price-lists.tsx'), 'PriceLists'],
    }),
    screen(screens.priceList.path, {
      console: [() => import('../screens/price-lists/price-list.tsx'), 'PriceListScreen'],
    }),
    screen(screens.orders.path, { console: [() => import('../screens/orders/orders.tsx'), 'Orders'] }),
    screen(screens.webhooks.path, {
      console: [() => import('../screens/webhooks/webhooks.tsx'), 'Webhooks'],
      portal: [() => import('../screens/portal/webhooks/webhooks.tsx'), 'PortalWebhooks'],
    }),
    screen(screens.webhook.path, {
      console: [() => import('../screens/webhooks/webhook.tsx'), 'WebhookScreen'],
      portal: [() => import('../screens/portal/webhooks/webhook.tsx'), 'PortalWebhook'],
    }),
    screen(screens.books.path, { console: [() => import('../screens/books/books.tsx'), 'Books'] }),
    screen(screens.auditLog.path, {
      console: [() => import('../screens/audit-log/audit-log.tsx'), 'AuditLog'],
    }),
    screen(portalScreens.balance.path, {
      portal: [() => import('../screens/portal/balance/balance.tsx'), 'Balance'],
    }),
    screen(portalScreens.buy.path, { portal: [() => import('../screens/portal/buy/buy.tsx'), 'Buy'] }),
    screen(portalScreens.recipients.path, {
      portal: [() => import('../screens/portal/recipients/recipients.tsx'), 'Recipients'],
    }),
    screen(portalScreens.bulk.path, { portal: [() => import('../screens/portal/bulk/bulk.tsx'), 'Bulk'] }),
    screen(portalScreens.batch.path, {
      portal: [() => import('../screens/portal/bulk/batch.tsx'), 'PortalBatch'],
    }),
    screen(portalScreens.statement.path, {
      portal: [() => import('../screens/portal/statement/statement.tsx'), 'PortalStatement'],
    }),
    screen(portalScreens.prices.path, {
      portal: [() => import('../screens/portal/prices/prices.tsx'), 'Prices'],
    }),
    screen(portalScreens.vouchers.path, {
      portal: [() => import('../screens/portal/vouchers/vouchers.tsx'), 'Vouchers'],
    }),
    screen(screens.keys.path, {
      console: [() => import('../screens/keys/keys.tsx'), 'Keys'],
      portal: [() => import('../screens/portal/keys/keys.tsx'), 'Keys'],
    }),
    screen(portalScreens.complaint.path, {
      portal: [() => import('../screens/portal/complaint/complaint.tsx'), 'Complaint'],
    }),
    screen(portalScreens.shop.path, { portal: [() => import('../screens/portal/shop/shop.tsx'), 'Shop'] }),
    screen(portalScreens.tryIt.path, {
      portal: [() => import('../screens/portal/try-it/try-it.tsx'), 'TryIt'],
    }),
    screen(screens.team.path, {
      console: [() => import('../screens/team/team.tsx'), 'Team'],
      portal: [() => import('../screens/portal/team/team.tsx'), 'PortalTeam'],
    }),
    screen('/account', { console: account, portal: account }),
    // An unknown address keeps the navigation.
    createRoute({ getParentRoute: () => inside, path: '$', component: NoScreen }),
  ]),
  door('/sign-in', [() => import('../screens/sign-in/sign-in.tsx'), 'SignIn']),
  door('/welcome', [() => import('../screens/sign-in/welcome.tsx'), 'Welcome']),
  door('/second-factor', [() => import('../screens/account/add-factor.tsx'), 'AddFactor']),
  door('/forgotten', [() => import('../screens/sign-in/forgotten.tsx'), 'Forgotten']),
]);

/** Shows a failure of a route. Trying again reloads the route. */
function RouteTrouble({ error }: { readonly error: unknown }) {
  const router = useRouter();
  return <Trouble error={error} again={() => void router.invalidate()} />;
}

export function buildRouter(queries: QueryClient) {
  return createRouter({
    routeTree: tree,
    context: { queries },
    defaultPendingComponent: () => <Loading what="the page" />,
    defaultErrorComponent: RouteTrouble,
    // Filters are plain query parameters of the address.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const text = new URLSearchParams(search as Record<string, string>).toString();
      return text === '' ? '' : `?${text}`;
    },
    scrollRestoration: true,
  });
}
