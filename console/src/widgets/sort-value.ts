/** Reads a cell's content as a value for sorting rows. Pure. */
import { isValidElement, type ReactNode } from 'react';

type SortValue = string | number;

/** The properties of the elements in `values.tsx` that hold the shown value. */
type Shown = {
  readonly amount?: string | null;
  readonly at?: string | null;
  readonly state?: string;
  readonly value?: string;
  readonly children?: ReactNode;
};

/** An empty cell has no value. A cell of several parts has that of its first part. */
export function sortValue(cell: ReactNode): SortValue | undefined {
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string') return textValue(cell);
  if (Array.isArray(cell)) return cell.map(sortValue).find((value) => value !== undefined);
  if (!isValidElement<Shown>(cell)) return undefined;
  const { amount, at, state, value, children } = cell.props;
  if (amount !== undefined) return amount === null ? undefined : Number(amount);
  return at ?? state ?? value ?? sortValue(children);
}

/** Returns 1234.5 for "1,234.5 %", and text in lower case. */
function textValue(text: string): SortValue | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const number = /^(-?[\d,]+(?:\.\d+)?)(?: ?(?:%|ms|s))?$/.exec(trimmed)?.[1];
  return number === undefined || /^0\d/.test(number)
    ? trimmed.toLowerCase()
    : Number(number.replaceAll(',', ''));
}

/** Orders values, with missing ones last in both directions. */
export function compareValues(
  one: SortValue | undefined,
  other: SortValue | undefined,
  isDescending: boolean,
): number {
  if (one === undefined || other === undefined)
    return Number(one === undefined) - Number(other === undefined);
  const order =
    typeof one === 'number' && typeof other === 'number'
      ? one - other
      : String(one).localeCompare(String(other), 'en', { numeric: true });
  return isDescending ? -order : order;
}
