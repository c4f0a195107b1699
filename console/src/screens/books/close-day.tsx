/** Closes a day by a checklist, after a review. */
import { useState } from 'react';
import { useAnswer, usePages } from '../../api/queries.ts';
import { countText, lagosDay } from '../../design/format.ts';
import { Checklist } from '../../widgets/checklist.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { TextField } from '../../widgets/field.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel, Stack } from '../../widgets/page.tsx';

export function CloseDay() {
  const environment = useEnvironment();
  const [day, setDay] = useState(() => lagosDay(new Date(), 1));
  const isDay = /^\d{4}-\d\d-\d\d$/.test(day);
  const { data: report } = useAnswer(
    'report.show',
    { environment, from: day, to: day, at_once: true },
    { enabled: isDay },
  );
  const suspense = usePages('deposit.list', { environment, suspense: true });
  const findings = usePages('finding.list', { verdict: 'open' });
  const alarms = usePages('alarm.list', {});
  const pending = report?.totals.reduce((sum, total) => sum + total.pending, 0);
  const count = ({ rows, isMore }: { readonly rows: readonly unknown[]; readonly isMore: boolean }) =>
    `${countText(rows.length)}${isMore ? '+' : ''}`;
  return (
    <Panel
      title="Close a day"
      note="A closed day is frozen for good. Open steps do not prevent it, except an incomplete report."
      actions={
        <OperationButton
          name="day.close"
          verb="Close a day"
          look="main"
          given={{ environment }}
          start={{ day }}
          about={{
            'Pending purchases': pending === undefined ? 'not known yet' : countText(pending),
            'Deposits in suspense': count(suspense),
            'Unknown orders': count(findings),
            'Unacknowledged alarms': count(alarms),
          }}
          review
          done="Day closed."
        />
      }
    >
      <Stack>
        <TextField
          label="Day to check"
          type="date"
          value={day}
          onChange={({ target }) => setDay(target.value)}
        />
        <Checklist
          steps={[
            { name: 'The day is over', isDone: day < lagosDay(), to: '/books?tab=days' },
            {
              name: 'The report is complete',
              isDone: report?.added_up.complete,
              to: `/overview?from=${day}&to=${day}`,
            },
            { name: 'The ledger agrees with the purchases', isDone: report?.agrees, to: '/books' },
            {
              name: 'No purchase of the day is pending',
              isDone: pending === undefined ? undefined : pending === 0,
              to: `/purchases?status=pending&from=${day}&to=${day}`,
              note: pending ? countText(pending) : undefined,
            },
            {
              name: 'Every deposit is assigned',
              isDone: suspense.isLoading ? undefined : suspense.rows.length === 0,
              to: '/money?suspense=yes',
              note: suspense.rows.length > 0 ? count(suspense) : undefined,
            },
            {
              name: 'Every order that providers list is known',
              isDone: findings.isLoading ? undefined : findings.rows.length === 0,
              to: '/reconciliation',
              note: findings.rows.length > 0 ? count(findings) : undefined,
            },
            {
              name: 'Every alarm is acknowledged',
              isDone: alarms.isLoading ? undefined : alarms.rows.length === 0,
              to: '/work',
              note: alarms.rows.length > 0 ? count(alarms) : undefined,
            },
          ]}
        />
      </Stack>
    </Panel>
  );
}
