/** The difference that typed changes make to the catalog, and the form that applies them. */
import { useState } from 'react';
import { isRefusal } from '../../api/call.ts';
import { useDescribed } from '../../api/described.ts';
import type { Input, Output } from '../../api/operations.ts';
import { moneyText, numberText, words } from '../../design/format.ts';
import { Button } from '../../widgets/button.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { Dialog } from '../../widgets/dialog.tsx';
import { CheckField, FormActions } from '../../widgets/field.tsx';
import { Empty, Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationForm } from '../../widgets/operation-form.tsx';
import { Stack } from '../../widgets/page.tsx';
import { Badge, Code, Money, Nothing } from '../../widgets/values.tsx';
import styles from './plans.module.css';

type Changes = Output<'catalog.import'>;
type Change = Changes['changes'][number];
type Loss = Change['losses'][number];

export function Review({
  changes,
  error,
  input,
  onApplied,
  onReload,
  onClose,
}: {
  /** Undefined while they are computed, and after an error. */
  readonly changes: Changes | undefined;
  readonly error: Error | null;
  /** What applies the changes. */
  readonly input: Input<'catalog.import'>;
  /** Called when the changes were applied, or stored for approval. */
  readonly onApplied: () => void;
  /** Reads the catalog again and keeps the changes. */
  readonly onReload: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog open onClose={onClose} title="Review changes" wide>
      {error === null ? null : <Trouble error={error} />}
      {changes === undefined && error === null ? <Loading what="the difference" /> : null}
      {changes === undefined ? null : (
        <>
          {changes.changes.length === 0 ? (
            <Empty title="No changes.">The catalog has these values already.</Empty>
          ) : (
            <Difference changes={changes.changes} />
          )}
          <Apply changes={changes} input={input} onApplied={onApplied} onClose={onClose} />
        </>
      )}
      {error === null ? null : (
        <FormActions>
          <Button onClick={onClose}>Back</Button>
          {isRefusal(error) && error.code === 'catalog_changed' ? (
            <Button look="main" onClick={onReload}>
              Show new values
            </Button>
          ) : null}
        </FormActions>
      )}
    </Dialog>
  );
}

function Difference({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <DataTable
      caption="Changes"
      rows={changes}
      keyOf={({ subject }) => subject}
      columns={[
        {
          head: 'Plan',
          cell: ({ name, subject }) => (
            <>
              {name} <Code>{subject}</Code>
            </>
          ),
        },
        {
          head: 'Before → after',
          cell: ({ fields }) => (
            <span className={styles.lines}>
              {fields.map(({ field, before, after }) => (
                <span key={field}>
                  {field === 'active' ? 'On sale' : words(field)}: {valueText(before)} → {valueText(after)}
                </span>
              ))}
            </span>
          ),
        },
        { head: 'Cost', figures: true, cell: ({ cost }) => <Money amount={cost} /> },
        {
          head: 'Margin',
          figures: true,
          cell: ({ margin_percent_before: before, margin_percent: after }) =>
            before === null && after === null ? (
              <Nothing />
            ) : (
              `${percentText(before)} → ${percentText(after)}`
            ),
        },
        {
          head: 'Warnings',
          cell: ({ steep, losses }) => (
            <span className={styles.lines}>
              {steep ? <Badge tone="wait">Moves by more than 20 %</Badge> : null}
              {losses.map((loss) => (
                <span key={`${loss.buyer} ${loss.provider}`}>
                  <Badge tone="bad">Below cost</Badge> {lossText(loss)}
                </span>
              ))}
              {!steep && losses.length === 0 ? <Nothing /> : null}
            </span>
          ),
        },
      ]}
    />
  );
}

function Apply({
  changes: { changes },
  input,
  onApplied,
  onClose,
}: {
  readonly changes: Changes;
  readonly input: Input<'catalog.import'>;
  readonly onApplied: () => void;
  readonly onClose: () => void;
}) {
  const operation = useDescribed()?.get('catalog.import');
  const [isForced, setIsForced] = useState(false);
  const steep = changes.filter((change) => change.steep).length;
  const losing = changes.filter(({ losses }) => losses.length > 0).length;
  const isWarned = steep + losing > 0;
  return (
    <Stack>
      {isWarned ? (
        <>
          <Hint tone="bad">
            {[
              losing === 0 ? '' : `${losing} of ${changes.length} plans would sell below cost.`,
              steep === 0 ? '' : `${steep} of ${changes.length} prices move by more than 20 %.`,
            ].join(' ')}
          </Hint>
          <CheckField
            label="Apply despite the warnings"
            checked={isForced}
            onChange={(event) => setIsForced(event.target.checked)}
          />
        </>
      ) : null}
      {operation !== undefined && changes.length > 0 && (!isWarned || isForced) ? (
        <OperationForm
          operation={operation}
          shape={{
            given: { ...input, ...(isForced && { force: true }) },
            fields: [],
            review: false,
            verb: 'Apply',
            done: 'Catalog changed.',
          }}
          onDone={onApplied}
          onWaiting={onApplied}
          onClose={onClose}
        />
      ) : (
        <FormActions>
          <Button onClick={onClose}>Back</Button>
        </FormActions>
      )}
    </Stack>
  );
}

/** Such as "SHOP pays ₦965.30, and it costs ₦970.00 at vtpass". */
export function lossText({ buyer, charge, cost, provider }: Loss): string {
  const pays = buyer === null ? 'Merchants pay' : `${buyer} pays`;
  return `${pays} ${moneyText(charge)}, and it costs ${moneyText(cost)} at ${provider}.`;
}

function percentText(percent: number | null): string {
  return percent === null ? 'unknown' : `${percent} %`;
}

function valueText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' && /^\d+(?:\.\d+)?$/.test(value)) return numberText(value);
  return value === undefined || value === null ? 'none' : String(value);
}
