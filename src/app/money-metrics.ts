/**
 * Metrics of money: totals of the whole installation, which a background job rolls up in the
 * database. Every process shows the same totals, and a restart does not reset them.
 */

import type { Registry } from 'prom-client';
import type { MoneyTotal } from '../catalog/margins/money-total-store.ts';
import { formatAmount } from '../core/money.ts';
import { ofInstallation, sharedRead, total } from './collected-metrics.ts';

const salesLabels = ['environment', 'product', 'provider'];

/** By the kind of total. */
const salesMetrics = {
  face_value: ['oja_sales_face_value_naira_total', 'Face value of successful purchases'],
  charge: ['oja_sales_charge_naira_total', 'What merchants paid for successful purchases'],
  cost: ['oja_sales_cost_naira_total', 'What providers took for them, or were expected to take'],
  estimated_cost: ['oja_sales_estimated_cost_naira_total', 'The part of the cost that no provider reported'],
  loss: ['oja_sales_loss_naira_total', 'The loss of sales that cost more than merchants paid'],
  refund: ['oja_refunds_naira_total', 'What merchants got back after a success'],
  cost_refund: ['oja_cost_refunds_naira_total', 'What providers gave back after a success'],
} as const satisfies Partial<Record<MoneyTotal['kind'], readonly [string, string]>>;

export function watchMoney(registry: Registry, read: () => Promise<readonly MoneyTotal[]>): void {
  const naira = (minor: bigint): number => Number(formatAmount(minor));
  const readOnce = sharedRead(read);
  const ofKind = async (kind: MoneyTotal['kind']): Promise<readonly MoneyTotal[]> =>
    (await readOnce()).filter((total) => total.kind === kind);
  total(registry, 'oja_sales_total', `Successful purchases ${ofInstallation}`, salesLabels, async (set) => {
    for (const { count, ...labels } of await ofKind('charge')) set(salesOf(labels), Number(count));
  });
  for (const [kind, [name, help]] of Object.entries(salesMetrics)) {
    total(registry, name, `${help} ${ofInstallation}`, salesLabels, async (set) => {
      for (const { amount, ...labels } of await ofKind(kind as keyof typeof salesMetrics)) {
        set(salesOf(labels), naira(amount));
      }
    });
  }
  const depositLabels = ['environment', 'provider', 'currency'];
  total(
    registry,
    'oja_deposits_total',
    `Payments that came in ${ofInstallation}`,
    depositLabels,
    async (set) => {
      for (const { count, environment, provider, currency } of await ofKind('deposit')) {
        set({ environment, provider, currency }, Number(count));
      }
    },
  );
  total(
    registry,
    'oja_deposits_amount_total',
    `Payments that came in, in their currency, before fees ${ofInstallation}`,
    depositLabels,
    async (set) => {
      for (const { amount, environment, provider, currency } of await ofKind('deposit')) {
        set({ environment, provider, currency }, naira(amount));
      }
    },
  );
}

function salesOf({
  environment,
  product,
  provider,
}: Pick<MoneyTotal, 'environment' | 'product' | 'provider'>): Record<string, string> {
  return { environment, product, provider };
}
