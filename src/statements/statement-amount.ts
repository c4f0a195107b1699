/** Amounts as statements write them. Pure; no floating point. */
import { minorUnitsOf } from '../kernel/money.ts';

const SIGNS =
  /^(?:NGN|USD|EUR|GBP|CAD|AED|₦|\$|€|£|N(?=\s*[\d(-]))\s*|\s*(?:NGN|USD|EUR|GBP|CAD|AED|₦|\$|€|£)$/giu;

/**
 * Minor units of `₦1,234.50`, `1234.5`, `-1,234.50`, `(1,234.50)`, `1.234,50` where the decimal
 * sign is a comma. Rounded half up beyond two decimals. Undefined for anything else: separators
 * must stand where thousands do.
 */
export function parseStatementAmount(cell: string, decimal: '.' | ',' = '.'): bigint | undefined {
  const bare = cell.replace(/[\u00a0\u202f]/g, ' ').trim();
  const inBrackets = /^\((.*)\)$/.exec(bare);
  const unsigned = (inBrackets?.[1] ?? bare).trim();
  const [, before, rest = ''] = /^([+-]?)\s*(.*)$/.exec(unsigned) ?? [];
  const [, after, digits = ''] = /^([+-]?)\s*(.*)$/.exec(rest.replace(SIGNS, '').trim()) ?? [];
  const magnitude = parseDigits(digits, decimal);
  if (magnitude === undefined) return undefined;
  const isNegative = inBrackets !== null || before === '-' || after === '-';
  return isNegative ? -magnitude : magnitude;
}

function parseDigits(text: string, decimal: '.' | ','): bigint | undefined {
  const separator = decimal === '.' ? '[, ]' : '[. ]';
  const point = decimal === '.' ? '\\.' : ',';
  const pattern = new RegExp(`^(\\d{1,15}|\\d{1,3}(?:${separator}\\d{3}){1,4})(?:${point}(\\d{1,20}))?$`);
  const [, whole, fraction] = pattern.exec(text) ?? [];
  return whole === undefined ? undefined : minorUnitsOf(whole.replace(/\D/g, ''), fraction);
}
