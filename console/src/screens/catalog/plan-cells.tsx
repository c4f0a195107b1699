/** The cells of a plan that can be changed in place. */
import { type KeyboardEvent, useId } from 'react';
import { numberText } from '../../design/format.ts';
import { type Field, type Plan, type PriceField, priceFields, readPrice } from './draft.ts';
import styles from './plans.module.css';

type CellProps = {
  readonly plan: Plan;
  /** The value that was typed; undefined without a change. */
  readonly typed: string | boolean | undefined;
  /** Set if the catalog had another value when the change was typed. */
  readonly was: string | undefined;
  /** What the review found about the plan. */
  readonly problem: string | undefined;
  readonly onEdit: (typed: string | boolean) => void;
};

/**
 * An amount. Esc reverts the change. Enter and the arrow keys move to the same field of the next or
 * previous plan.
 */
export function PriceCell({
  plan,
  field,
  typed,
  was,
  problem,
  onEdit,
}: CellProps & {
  readonly field: PriceField;
  /** The rows are sorted by the value of the catalog, so that no row moves while it is changed. */
  readonly amount: string;
}) {
  const id = useId();
  const stored = numberText(String(plan.record[field]));
  const read = typeof typed === 'string' ? readPrice(typed, plan.currency) : undefined;
  const fault = read !== undefined && 'fault' in read ? `Must be ${read.fault}.` : problem;
  const note = fault ?? (read === undefined ? undefined : noteText(stored, was));
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Escape' && typed !== undefined) {
      event.stopPropagation();
      onEdit(stored);
    }
    const by = stepOf(event);
    if (by === 0) return;
    event.preventDefault();
    neighbour(event.currentTarget, by)?.focus();
  };
  return (
    <span className={styles.price}>
      <input
        className={`figures ${styles.input} ${typed === undefined ? '' : styles.changed}`}
        aria-label={`${priceFields[field]} of ${plan.subject}`}
        aria-describedby={note === undefined ? undefined : id}
        aria-invalid={fault === undefined ? undefined : true}
        data-field={field}
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        value={typeof typed === 'string' ? typed : stored}
        onChange={(event) => onEdit(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={() => {
          if (read !== undefined && 'text' in read) onEdit(numberText(read.text));
        }}
        onKeyDown={keyDown}
      />
      {note === undefined ? null : (
        <span id={id} className={`${styles.note} ${fault === undefined ? '' : styles.fault}`}>
          {note}
        </span>
      )}
    </span>
  );
}

/** Whether a plan is on sale. */
export function SaleCell({
  plan,
  typed,
  was,
  onEdit,
}: Omit<CellProps, 'problem'> & {
  /** The rows are sorted by it. */
  readonly state: string;
}) {
  const id = useId();
  const isChanged = typeof typed === 'boolean';
  const stored = yesNo(plan.active);
  return (
    <span className={styles.price}>
      <label className={`${styles.sale} ${isChanged ? styles.changed : ''}`}>
        <input
          type="checkbox"
          aria-label={`${plan.subject} on sale`}
          aria-describedby={isChanged ? id : undefined}
          checked={isChanged ? typed : plan.active}
          onChange={(event) => onEdit(event.target.checked)}
        />
        <span aria-hidden="true">{yesNo(isChanged ? typed : plan.active)}</span>
      </label>
      {isChanged ? (
        <span id={id} className={styles.note}>
          {noteText(stored, was)}
        </span>
      ) : null}
    </span>
  );
}

export function yesNo(value: boolean): string {
  return value ? 'Yes' : 'No';
}

function noteText(stored: string, was: string | undefined): string {
  return was === undefined ? `Was ${stored}` : `Changed from ${was} to ${stored} meanwhile`;
}

function stepOf({ key, shiftKey }: KeyboardEvent): -1 | 0 | 1 {
  if (key === 'ArrowDown' || (key === 'Enter' && !shiftKey)) return 1;
  return key === 'ArrowUp' || key === 'Enter' ? -1 : 0;
}

/** Returns the input of the same field in the next or previous row. */
function neighbour(input: HTMLInputElement, by: -1 | 1): HTMLInputElement | undefined {
  const field: string = input.dataset.field ?? '';
  const all = input.closest('table')?.querySelectorAll<HTMLInputElement>(`input[data-field="${field}"]`);
  const inputs = [...(all ?? [])];
  return inputs[inputs.indexOf(input) + by];
}

/** Returns the text of the value that a change started from, if the catalog now has another one. */
export function startText(plan: Plan, field: Field, from: unknown): string | undefined {
  const present = plan.record[field];
  if (from === undefined || from === present) return undefined;
  return typeof from === 'boolean' ? yesNo(from) : numberText(String(from));
}
