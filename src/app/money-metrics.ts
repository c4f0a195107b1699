/**
 * Metrics of money: totals of the whole installation, which a background job rolls up in the
 * database. Every process shows the same totals, and a restart does not reset them.
 */

import type { Registry } from 'prom-client';
import type { MoneyTotal } from '../catalog/margins/money-total-store.ts';
import { formatAmount } from '../core/money.ts';
import { ofInstallation, sharedRead, total } from './collected-metrics.ts';

/** By the kind of total. */
const salesMetrics: Readonly<Record<MoneyTotal['kind'], readonly [string, string]>> = {
  charge: ['oja_sales_charge_naira_total', 'What merchants paid for successful purchases'],
  cost: ['oja_sales_cost_naira_total', 'What providers charged for them, or were expected to charge'],
  loss: ['oja_sales_loss_naira_total', 'The loss of sales that cost more than merchants paid'],
};

export function watchMoney(registry: Registry, read: () => Promise<readonly MoneyTotal[]>): void {
  const readOnce = sharedRead(read);
  const labels = ['environment', 'product', 'provider'];
  for (const [name, [metric, help]] of Object.entries(salesMetrics)) {
    total(registry, metric, `${help} ${ofInstallation}`, labels, async (set) => {
      for (const { kind, amount, environment, product, provider } of await readOnce()) {
        if (kind === name) set({ environment, product, provider }, Number(formatAmount(amount)));
      }
    });
  }
}
