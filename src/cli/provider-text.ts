/** Providers as tables for people. */
import type { Static } from 'typebox';
import type { showSuccessOperation } from '../reports/operations/show-success.ts';
import { placeText } from '../routing/operations/pause-provider.ts';
import type { showProviderOperation } from '../vending/health/operations/list-providers.ts';
import type { ProviderAnswer } from '../vending/health/provider-answer.ts';
import { table } from './output.ts';

export function providersTable(providers: readonly ProviderAnswer[]): string {
  return table(
    providers,
    [
      { title: 'PROVIDER', of: ({ provider }) => provider },
      { title: 'ENV', of: ({ environment }) => environment },
      { title: 'HEALTH', of: healthText },
      { title: '5 MIN', of: ({ five_minutes }) => percentText(five_minutes), right: true },
      { title: 'HOUR', of: ({ hour }) => percentText(hour), right: true },
      { title: 'CALLS', of: callsText, right: true },
      { title: 'WAIT', of: ({ limiter }) => String(limiter.waiting), right: true },
      { title: 'BREAKER', of: breakerText },
      {
        title: 'LAST ANSWER',
        of: ({ last_answer: last }) => (last === null ? '-' : `${last.what} ${last.at}`),
      },
      {
        title: 'FLOAT',
        of: ({ float }) => (float === null ? '-' : `${float.amount} ${float.currency}`),
        right: true,
      },
      { title: 'ROUTES', of: ({ routes }) => String(routes.length), right: true },
      { title: 'PENDING', of: ({ pending }) => `${pending.to_send}+${pending.to_ask}`, right: true },
    ],
    'No providers.',
  );
}

type Success = Static<(typeof showSuccessOperation)['output']>;

export function successText({ data, up_to: upTo }: Success): string {
  const rateText = ({ success_rate: rate }: Success['data'][number]['day']): string => rate ?? '-';
  return [
    table(
      data,
      [
        { title: 'PROVIDER', of: ({ provider }) => provider },
        { title: 'ENV', of: ({ environment }) => environment },
        { title: 'PRODUCT', of: ({ product }) => product ?? 'all' },
        { title: 'NETWORK', of: ({ network }) => network ?? 'all' },
        { title: 'HOUR %', of: ({ hour }) => rateText(hour), right: true },
        { title: '24 H %', of: ({ day }) => rateText(day), right: true },
        { title: 'OK', of: ({ day }) => String(day.successes), right: true },
        { title: 'FAILED', of: ({ day }) => String(day.failures), right: true },
        {
          title: 'P95 MS',
          of: ({ latency_p95_ms: p95 }) => (p95 === null ? '-' : String(p95)),
          right: true,
        },
      ],
      'Nothing became final in the last 24 hours.',
    ),
    '',
    `Complete up to ${upTo}.`,
  ].join('\n');
}

type Shown = Static<(typeof showProviderOperation)['output']>;

export function providerText(shown: Shown): string {
  const { trouble, paused, routes, limiter, credentials, credentials_in_use: inUse } = shown;
  const stored =
    credentials === null
      ? 'none stored'
      : `version ${credentials.version} of ${credentials.set_at} by ${credentials.set_by}`;
  const lines = [
    providersTable([shown]),
    '',
    ...(trouble === null ? [] : [`Unwell since ${trouble.since}: ${trouble.what}.`]),
    ...paused.map(
      (pause) => `Paused for ${placeText(pause)} since ${pause.since} by ${pause.by}: ${pause.reason}.`,
    ),
    `Calls a second: ${limiter.per_second}${limiter.per_second_max === 0 ? '' : ` of ${limiter.per_second_max}`}.`,
    `Pending with it: ${shown.pending.to_send} to be sent, ${shown.pending.to_ask} asked about.`,
    `Credentials: ${stored}; in use: ${inUse.map(versionText).join(', ') || '-'}.`,
    '',
    table(
      routes,
      [
        { title: 'PRODUCT', of: ({ product }) => product },
        { title: 'NETWORK', of: ({ network }) => network },
        { title: 'PLACE', of: ({ position }) => String(position), right: true },
        { title: 'SHARE', of: ({ share }) => (share === null ? '-' : String(share)), right: true },
      ],
      'It is in no route.',
    ),
    '',
    table(
      shown.in_processes,
      [
        { title: 'PROCESS', of: ({ host, pid, role }) => `${host} ${pid} (${role})` },
        { title: '5 MIN', of: ({ five_minutes }) => percentText(five_minutes), right: true },
        { title: 'CALLS', of: callsText, right: true },
        { title: 'BREAKER', of: ({ breaker }) => breaker },
        { title: 'CREDENTIALS', of: (process) => versionText(process.credentials) },
      ],
      'No process uses it.',
    ),
  ];
  return lines.join('\n');
}

function healthText({ health, paused }: ProviderAnswer): string {
  return paused.length === 0 ? health : `${health}, paused`;
}

function callsText({ limiter }: Pick<ProviderAnswer, 'limiter'>): string {
  return `${limiter.calls}/${limiter.calls_max}`;
}

function percentText({ success_percent: percent }: ProviderAnswer['hour']): string {
  return percent === null ? '-' : `${percent} %`;
}

function breakerText({ breaker, processes }: ProviderAnswer): string {
  return breaker.held_back_in === 0 ? 'closed' : `${breaker.state} in ${breaker.held_back_in}/${processes}`;
}

function versionText(version: number): string {
  return version === 0 ? 'environment' : String(version);
}
