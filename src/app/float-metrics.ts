/**
 * Metrics of floats besides what the providers report: what the books expect, how long it lasts.
 */
import type { Registry } from 'prom-client';
import type { FloatStatus } from '../floats/float-status.ts';
import { formatAmount } from '../kernel/money.ts';
import { gauge } from './collected-metrics.ts';

/** A worker shows what it looked at last; what is unknown is left out. */
export function watchFloatStatuses(registry: Registry, read: () => readonly FloatStatus[]): void {
  const byProvider = (name: string, help: string, of: (status: FloatStatus) => number | undefined): void =>
    gauge(registry, name, help, ['provider', 'environment'], (set) => {
      for (const status of read()) {
        const value = of(status);
        const { provider, environment } = status;
        if (value !== undefined) set({ provider, environment }, value);
      }
    });
  const naira = (kobo: bigint | undefined): number | undefined =>
    kobo === undefined ? undefined : Number(formatAmount(kobo));
  byProvider(
    'oja_float_expected_naira',
    'Our money at a provider by the books, once a top-up was booked',
    ({ isOpened, expected }) => (isOpened ? naira(expected) : undefined),
  );
  byProvider(
    'oja_float_difference_naira',
    'What a provider reports less what the books expect',
    ({ isOpened, difference }) => (isOpened ? naira(difference) : undefined),
  );
  byProvider(
    'oja_float_runway_hours',
    'For how many hours the float lasts, by the hours of the day; more than two weeks is 336',
    ({ runway: { hours } }) => (hours === undefined ? undefined : Math.min(hours, 336)),
  );
}
