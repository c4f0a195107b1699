/** Reads the kind, the size and the validity of a data plan from providers' texts. Pure. */
import type { DataKind } from './plan-kind.ts';

/** The first that matches counts: "SME2" has "SME", and "Corporate Gifting" has "Gifting". */
const kindWords: readonly (readonly [RegExp, DataKind])[] = [
  [/\bSME[ _-]?2(?:\.0)?\b/i, 'sme2'],
  [/\bSME\b/i, 'sme'],
  [/\b(?:CORPORATE|CG)\b/i, 'corporate_gifting'],
  [/\bDATA[ _-]?SHARE\b/i, 'data_share'],
  [/\bGIFTING\b/i, 'gifting'],
  [/\bDIRECT\b/i, 'direct'],
];

/** Undefined for other words, which name no kind that we know. */
export function readPlanKind(text: string): DataKind | undefined {
  const words = text.replaceAll('_', ' ');
  return kindWords.find(([pattern]) => pattern.test(words))?.[1];
}

const MB_PER_UNIT: Readonly<Record<string, number>> = { m: 1, g: 1_000, t: 1_000_000 };

/** Reads the first size, in megabytes, 1,000 to the gigabyte. `1024MB` is one gigabyte. */
export function readPlanSize(text: string): number | undefined {
  const [, digits, unit] = /(?<![\d.,])(\d{1,5}(?:\.\d{1,3})?)\s*([MGT])B\b/i.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return undefined;
  const megabytes = Math.round(Number(digits) * (MB_PER_UNIT[unit.toLowerCase()] ?? 1));
  if (megabytes <= 0) return undefined;
  return megabytes % 1_024 === 0 ? (megabytes / 1_024) * 1_000 : megabytes;
}

const DAYS_PER_UNIT: Readonly<Record<string, number>> = { day: 1, week: 7, month: 30, year: 365 };

/** Reads the first period, in days, 30 to the month. */
export function readPlanDays(text: string): number | undefined {
  const [, digits = '1', unit = ''] =
    /(?:(?<![\d.,])(\d{1,3})\s*-?\s*|\b)(day|week|month|year)s?\b/i.exec(text) ?? [];
  const days = Number(digits) * (DAYS_PER_UNIT[unit.toLowerCase()] ?? 0);
  return days > 0 ? days : undefined;
}

export function formatPlanSize(megabytes: number): string {
  return megabytes % 100 === 0 && megabytes >= 1_000 ? `${megabytes / 1_000}GB` : `${megabytes}MB`;
}

export function formatPlanDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
