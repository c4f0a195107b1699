/** Items that need attention, most urgent first. */
import type { ReactNode } from 'react';
import type { OperationName } from '../../api/operations.ts';
import { useMay } from '../../api/session.ts';
import { Page } from '../../widgets/page.tsx';
import { ApprovalsToDecide } from '../approvals/approval-table.tsx';
import { AlarmsToSee } from './alarms.tsx';
import { Counts } from './counts.tsx';
import { DeliveriesToMend, DepositsToAssign, EndpointsToMend, FloatsToFill } from './others.tsx';
import { PendingPurchases } from './pending.tsx';
import { Tasks } from './tasks.tsx';

export function Work() {
  return (
    <Page title="Needs attention" lead="Items that need attention. Refreshes automatically.">
      <For name="work.count">
        <Counts />
      </For>
      <For name="approval.list">
        <ApprovalsToDecide />
      </For>
      <For name="alarm.list">
        <AlarmsToSee />
      </For>
      <For name="purchase.pending">
        <PendingPurchases />
      </For>
      <For name="deposit.list">
        <DepositsToAssign />
      </For>
      <For name="float.list">
        <FloatsToFill />
      </For>
      <For name="delivery.list">
        <DeliveriesToMend />
      </For>
      <For name="webhook.list">
        <EndpointsToMend />
      </For>
      <For name="task.list">
        <Tasks />
      </For>
    </Page>
  );
}

function For({ name, children }: { readonly name: OperationName; readonly children: ReactNode }) {
  return useMay()(name) ? children : null;
}
