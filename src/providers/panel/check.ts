/** Reads the balance and the plans. Buys nothing. */
import { formatAmount } from '../../core/money.ts';
import { SettingsReader } from '../../core/settings-reader.ts';
import type { Connector, ProviderOrder } from '../provider.ts';
import type { CheckPlace, FileCheck } from '../provider-definition.ts';
import { createPanel, readsBalance } from './connector.ts';
import type { PanelMapping, PanelProduct } from './mapping-schema.ts';
import { readMapping } from './read-mapping.ts';
import { readPanel } from './settings.ts';

const COMMON = { notFoundGraceMs: 60_000, timeScale: 1 } as const;
/** The key and the login of the simulator. They protect nothing. */
const SIMULATED_KEY = 'simulator-panel-key';
const SIMULATED_LOGIN = 'simulator:simulator-panel-password';

export async function checkPanelFile(json: string, place: CheckPlace): Promise<readonly FileCheck[]> {
  const read = readMapping(json);
  if ('faults' in read) return read.faults.map((found) => ({ what: 'mapping', isGood: false, found }));
  const { mapping } = read;
  const form = { what: 'mapping', isGood: true, found: `sells ${Object.keys(mapping.orders).join(', ')}` };
  if ('variables' in place) return [form, ...(await checkLive(json, mapping, place.variables))];
  if (mapping.preset === undefined) {
    return [form, { what: 'simulator', isGood: false, found: 'it simulates panels with a preset only' }];
  }
  await using connector = createPanel({
    baseUrl: `${place.simulatorUrl}/panel/${mapping.preset}`,
    key: SIMULATED_KEY,
    login: SIMULATED_LOGIN,
    mapping,
    provisional: 'async',
    connectionsMax: 2,
    deadlineMs: 10_000,
    ...COMMON,
  });
  const checks = [form, ...(await checkReads(connector, mapping))];
  for (const product of Object.keys(mapping.orders)) {
    checks.push(await tryOrder(connector, mapping, product as PanelProduct));
  }
  return checks;
}

async function checkLive(
  json: string,
  mapping: PanelMapping,
  variables: Extract<CheckPlace, { variables: unknown }>['variables'],
): Promise<readonly FileCheck[]> {
  const reader = new SettingsReader({ ...variables, OJA_PANEL_MAPPING: json });
  const settings = readPanel(reader, COMMON);
  if (settings === undefined || reader.faults.length > 0) {
    const found = reader.faults.join('; ') || 'set OJA_PANEL_URL and OJA_PANEL_KEY';
    return [{ what: 'settings', isGood: false, found }];
  }
  if (!readsBalance(settings)) {
    const found = 'set OJA_PANEL_LOGIN to username:password, by which the balance is read';
    return [{ what: 'settings', isGood: false, found }];
  }
  await using connector = createPanel(settings);
  return await checkReads(connector, mapping);
}

/** Reads the balance and the plans. Buys nothing. */
async function checkReads(connector: Connector, { plans }: PanelMapping): Promise<FileCheck[]> {
  const balance = await connector.balance();
  const checks: FileCheck[] = [
    {
      what: 'balance',
      isGood: balance !== undefined,
      found: balance === undefined ? 'cannot be read' : `NGN ${formatAmount(balance.amount)}`,
    },
  ];
  for (const service of Object.keys(plans?.lists ?? {})) {
    const list = await connector.listPlans?.(service);
    const [first] = list ?? [];
    const example =
      first?.price === undefined ? '' : `, as ${first.code} ${first.name} at ${formatAmount(first.price)}`;
    checks.push({
      what: `plans ${service}`,
      isGood: first?.price !== undefined,
      found: list === undefined ? 'cannot be read' : `${list.length} plans${example}`,
    });
  }
  return checks;
}

type Sample = Pick<ProviderOrder, 'recipient' | 'amount'> & {
  /** The networks that can be tried. */
  readonly networks: RegExp;
  readonly plan?: string;
};

const MOBILE = /^(?:MTN|GLO|AIRTEL|9MOBILE)$/;
const CABLE = /^(?:DSTV|GOTV|STARTIMES)$/;
const EXAMS = /^(?:WAEC|JAMB|NECO)$/;

/** The plans of the simulator. A plan with the id N costs N naira there. */
const SAMPLES: Readonly<Record<PanelProduct, Sample>> = {
  airtime: { networks: MOBILE, recipient: '2348031234567', amount: 100_00n },
  data: { networks: MOBILE, recipient: '2348031234567', amount: 250_00n, plan: '250' },
  CABLE: { networks: CABLE, recipient: '7002000001', amount: 4_400_00n, plan: '4400' },
  ELECTRICITY: {
    networks: /^(?!(?:MTN|GLO|AIRTEL|9MOBILE|DSTV|GOTV|STARTIMES|WAEC|JAMB|NECO)$)/,
    recipient: '45002000001',
    amount: 2_000_00n,
    plan: 'prepaid',
  },
  EDUCATION: { networks: EXAMS, recipient: '2348031234567', amount: 5_350_00n },
};

async function tryOrder(
  connector: Connector,
  mapping: PanelMapping,
  product: PanelProduct,
): Promise<FileCheck> {
  const { networks, plan, recipient, amount } = SAMPLES[product];
  const network = Object.keys(mapping.networks).find((name) => networks.test(name));
  if (network === undefined) return { what: product, isGood: false, found: 'no network of it has an id' };
  const bought = { product, network };
  const purchase = { environment: 'test', merchantId: 0, reference: `check-${Date.now()}` } as const;
  const answer = await connector.purchase({
    ...bought,
    reference: connector.mintReference(new Date(), purchase, bought),
    recipient,
    amount,
    currency: 'NGN',
    ...(plan !== undefined && { planCodes: { variation_code: plan } }),
  });
  const isGood = answer.kind === 'success' || answer.kind === 'accepted';
  return { what: `${product} ${network}`, isGood, found: `${answer.kind}: ${answer.message}` };
}
