/**
 * The alert rules and the dashboard, on the metrics of real processes during simulated incidents:
 * each alert is silent in a calm hour, and fires at its incident. A rule or panel that names a
 * metric which no process exports fails.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parse } from 'yaml';
import { ofInstallation } from '../../src/app/collected-metrics.ts';
import { createMetrics } from '../../src/app/metrics.ts';
import { insertPause } from '../../src/catalog/routes/pause-store.ts';
import { alarmKinds } from '../../src/notifications/alarms/alarm-actions.ts';
import { airtime, airtimeSync, eventually } from '../e2e/gateway-under-test.ts';
import { cleanUpAfter } from '../support/clean-up-after.ts';
import { type Gateway, startGateway } from '../support/gateway.ts';
import { keyOf, type Scrape, type Series, scrape } from './scrape.ts';

const root = join(import.meta.dirname, '..', '..');
const rulesPath = join(root, 'deploy', 'monitoring', 'rules.yaml');

type Rule = { record?: string; alert?: string; expr: string; for?: string };

const { groups } = parse(await readFile(rulesPath, 'utf8')) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);
const alerts = rules.filter((rule) => rule.alert !== undefined);
const dashboard = JSON.parse(
  await readFile(join(root, 'deploy', 'monitoring', 'dashboard.json'), 'utf8'),
) as {
  panels: { id: number; title: string; gridPos: object; targets: { expr: string }[] }[];
};
const queries = [
  ...rules.map(({ expr }) => expr),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
];
const page = await readFile(join(root, 'docs', 'operators', 'alerts.md'), 'utf8');

/** Of Prometheus; a machine may lack it. */
const [promtool = ''] = ['promtool'];
const hasPromtool = spawnSync(promtool, ['--version']).status === 0;
const withPromtool = { skip: hasPromtool ? false : 'there is no promtool here' };

function metricsIn(expr: string): string[] {
  const words = expr.replaceAll(/"[^"]*"/g, '').replaceAll(/\{[^}]*\}/g, '');
  return [...words.matchAll(/\b(?:oja_|process_|nodejs_)\w+/g)].map(([name]) => name);
}

describe('alerts and alarms', () => {
  it('has a section with instructions for each alert and alarm, and no others', () => {
    const headings = [...page.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading);
    assert.deepEqual(headings, [
      ...alerts.map(({ alert }) => alert),
      ...alarmKinds.map((kind) => `\`${kind}\``),
    ]);
  });

  it('the list of alarms has every kind that is raised', async () => {
    const raised = new Set<string>();
    for (const file of await readdir(join(root, 'src'), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(join(root, 'src', file), 'utf8');
      const statements = [...text.matchAll(/into alarms[^;]*?(?:values \(|select\s+)'(\w+)'/g)];
      const items = [...text.matchAll(/(?:[aA]larm\b[^;]{0,60}\{[^;]{0,80}kind: )'(\w+)'/g)];
      for (const [, kind] of [...statements, ...items]) raised.add(kind ?? '');
    }
    assert.ok(raised.size >= 10, [...raised].join());
    assert.deepEqual(
      [...raised].filter((kind) => !(alarmKinds as readonly string[]).includes(kind)),
      [],
    );
  });
});

describe('the metrics of two processes', { concurrency: false }, () => {
  const stack = new AsyncDisposableStack();
  after(async () => {
    // Pending purchases without an answer would delay an orderly stop.
    for (const gateway of [first, second]) gateway.kill('SIGKILL');
    await stack.disposeAsync();
  });
  let first: Gateway;
  let second: Gateway;
  let calm: Scrape;
  let incident: Scrape;

  before(async () => {
    first = stack.use(await startGateway());
    await eventually('every job has done well', async () => {
      const { series } = await scrape(first.metricsUrl, 'a');
      const ended = series.filter(({ name }) => name === 'oja_job_last_success_timestamp_seconds');
      return ended.length > 10 && ended.every(({ value }) => value > 0) ? true : undefined;
    });
    calm = await scrape(first.metricsUrl, 'a');
    second = stack.use(
      await startGateway({
        databaseUrl: first.databaseUrl,
        dataDir: first.dataDir,
        simulatorUrl: first.simulatorUrl,
      }),
    );
    await play();
    incident = await scrape(first.metricsUrl, 'a');
  });

  /** All faults that can occur at the same time, in the rows and at the provider. */
  async function play(): Promise<void> {
    const { database } = first;
    const old = (age: string, count: number): Promise<unknown> =>
      database.query(
        `insert into pending_purchases (merchant_id, environment, purchase_id, wallet_id, charge, step, created_at, provider,
           network, recipient)
         select 1, 'live', overlay(gen_random_uuid()::text placing
             substr(ms, 1, 8) || '-' || substr(ms, 9, 4) from 1 for 13)::uuid,
           1, 100, 'query', now() - $1::interval, 'vtpass', 'MTN', ''
         from lpad(to_hex((extract(epoch from now() - $1::interval) * 1000)::bigint), 12, '0') as ms,
           generate_series(1, $2)`,
        [age, count],
      );
    await database.query(
      "insert into backups (id, taken_at, target, verified) values ('a', now(), 'b', true)",
    );
    await old('1 minute', 1_100);
    await old('2 hours', 1);
    await old('30 hours', 1);
    await database.query("insert into alarms (kind, message) values ('overdue', 'played')");
    await database.query(
      `insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint, state)
       select 1, 'live', gen_random_uuid(), 'email', '', '', 'given_up'`,
    );
    await database.query(
      `insert into money_totals (environment, kind, product, provider, amount)
       values ('live', 'loss', 'airtime', 'vtpass', 500)
       on conflict (environment, kind, product, provider) do update set amount = money_totals.amount + 500`,
    );
    const paused = { provider: 'nomba', product: '*', network: '*', reason: 'played', pausedBy: 'test' };
    await database.transaction((tx) => insertPause(tx, paused));
    await database.query('alter table bank_notices rename to bank_notices_away');
    await breakProvider();
  }

  /** Calls without an answer open the breaker; it admits one again after two seconds. */
  async function breakProvider(): Promise<void> {
    await fetch(`${first.simulatorUrl}/faults`, {
      method: 'PUT',
      body: JSON.stringify({ rules: [{ fault: 'cut_before' }] }),
    });
    await eventually('the provider is away', async () => {
      // They stay pending, and no test waits for them.
      for (let count = 0; count < 5; count += 1) {
        first.call('POST', airtimeSync, { as: 'live', body: airtime() }).catch(() => undefined);
      }
      await fetch(first.metricsUrl.replace('/metrics', '/healthz'));
      const { series } = await scrape(first.metricsUrl, 'a');
      return series.some((one) => one.name === 'oja_provider_away' && one.value === 1) ? true : undefined;
    });
  }

  it('rules and panels use exported names only', () => {
    const { help } = calm;
    const unknown = queries.flatMap(metricsIn).filter((name) => !help.has(name));
    assert.deepEqual(unknown, []);
  });

  it('installation-wide metrics are equal in both processes, and are not added up', async () => {
    const shared = [...calm.help].filter(([, words]) => words.endsWith(ofInstallation)).map(([name]) => name);
    assert.ok(shared.includes('oja_open_alarms') && shared.includes('oja_sales_charge_naira_total'));
    // Values that each process reads periodically agree soon after.
    const read = new Set(['oja_provider_float', 'oja_provider_float_naira']);
    await eventually('both say the same', async () => {
      const [one, other] = await Promise.all(
        [first, second].map(async ({ metricsUrl }) => {
          const { series } = await scrape(metricsUrl, 'any');
          return series
            .filter(({ name }) => shared.includes(name) && !read.has(name))
            .map((sample) => `${keyOf(sample)} ${sample.value}`)
            .sort();
        }),
      );
      return one !== undefined && one.length > 5 && one.join() === other?.join() ? true : undefined;
    });
    for (const expr of queries) {
      for (const name of metricsIn(expr).filter((metric) => shared.includes(metric))) {
        const once = new RegExp(`\\b(?:max|min)(?: by \\([^)]*\\))? ?\\((?:increase\\()?${name}\\b`);
        assert.match(expr, once, `${name} is the same in every process`);
      }
    }
  });

  it('every panel is valid', withPromtool, async () => {
    const asRules = dashboard.panels.flatMap(({ id, targets }) =>
      targets.map(({ expr }, index) => ({ record: `panel:${id}:${index}`, expr })),
    );
    await assertPromtool('check', { groups: [{ name: 'panels', rules: asRules }] });
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    assert.equal(
      new Set(dashboard.panels.map(({ gridPos }) => JSON.stringify(gridPos))).size,
      dashboard.panels.length,
    );
  });

  it('each alert fires at its incident, and not before', withPromtool, async () => {
    assert.equal(spawnSync(promtool, ['check', 'rules', rulesPath]).status, 0);
    const tests = await Promise.all(alerts.map((rule) => testOf(rule)));
    await assertPromtool('test', { rule_files: [rulesPath], evaluation_interval: '1m', tests });
  });

  const CALM_MINUTES = 30;
  const INCIDENT_MINUTES = 75;

  /** In the calm hour it is silent. It fires within a minute of the time when it has to. */
  async function testOf({ alert = '', for: wait = '0m' }: Rule): Promise<object> {
    const waitMinutes = Number.parseInt(wait, 10) * (wait.endsWith('h') ? 60 : 1);
    // A job is late five minutes after it stopped, and a backlog is compared with ten minutes ago.
    const seenAfter = /Job|Float|Backlog|Refusing/.test(alert) ? 7 : 2;
    const expr = `clamp_max(count(ALERTS{alertname="${alert}",alertstate="firing"}), 1)`;
    return {
      name: alert,
      interval: '1m',
      input_series: seriesOf(alert),
      promql_expr_test: [
        { expr, eval_time: `${CALM_MINUTES - 1}m`, exp_samples: [] },
        {
          expr,
          eval_time: `${CALM_MINUTES + waitMinutes + seenAfter}m`,
          exp_samples: [{ labels: '{}', value: 1 }],
        },
      ],
    };
  }

  /** Minute by minute: the metrics of the calm period, then those of the incident. */
  function seriesOf(alert: string): { series: string; values: string }[] {
    const before = new Map(calm.series.map((one) => [keyOf(one), one]));
    const during = new Map([...incident.series, ...notPlayed()].map((one) => [keyOf(one), one]));
    const up = { name: 'up', labels: { job: 'oja', instance: 'a' } };
    const isGone = alert === 'OjaProcessGone';
    return [
      { series: keyOf(up), values: `1x${CALM_MINUTES - 1} ${isGone ? 0 : 1}x${INCIDENT_MINUTES}` },
      ...[...new Set([...before.keys(), ...during.keys()])]
        .filter((key) => key.startsWith('oja_'))
        .map((key) => ({ series: key, values: valuesOf(key, before.get(key), during.get(key)) })),
    ];
  }

  function valuesOf(key: string, was: Series | undefined, is: Series | undefined): string {
    if (/_timestamp_seconds\{/.test(key)) {
      // Time begins at 0 there. Continuing series are shifted, ended ones are not.
      const stopped = /deposits|vtpass|oja_backup/.test(key)
        ? `x${INCIDENT_MINUTES}`
        : `+60x${INCIDENT_MINUTES}`;
      return `0+60x${CALM_MINUTES - 1} ${60 * CALM_MINUTES}${stopped}`;
    }
    const part = (value: number | undefined, minutes: number): string =>
      value === undefined ? `_x${minutes + 1}` : `${value}x${minutes}`;
    return `${part(was?.value, CALM_MINUTES - 1)} ${risesOf(key, is, part)}`;
  }

  function risesOf(
    key: string,
    is: Series | undefined,
    part: (value: number | undefined, minutes: number) => string,
  ): string {
    // Requests are refused, and more purchases arrive, during the whole incident.
    if (key.includes('status="503"')) return `0+120x${INCIDENT_MINUTES}`;
    if (key.includes('age="30s_to_5m"')) return `${is?.value ?? 0}+10x${INCIDENT_MINUTES}`;
    return part(is?.value, INCIDENT_MINUTES);
  }

  /**
   * Their names and labels are those that processes export. Their values would take too long to
   * reach in a test.
   */
  function notPlayed(): Series[] {
    const exaggerate: readonly [string, Readonly<Record<string, string>>, number][] = [
      ['oja_queue_depth', { queue: 'accept' }, 4_000],
      ['oja_provider_calls_waiting', { provider: 'vtpass', kind: 'orders' }, 9],
      ['oja_provider_float_naira', { provider: 'vtpass' }, 99_999],
      ['oja_health_down', { check: 'database' }, 1],
      ['oja_backup_max_age_seconds', {}, 60],
    ];
    const found = exaggerate.map(([name, labels, value]) => {
      const all = [...incident.series, ...calm.series];
      const one = all.find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, text]) => sample.labels[label] === text),
      );
      assert.ok(one !== undefined, `${name} ${JSON.stringify(labels)} is exported`);
      return { ...one, value };
    });
    const failed = { route: '/v1/transactions/airtime/sync', job: 'oja', instance: 'a' };
    return [
      ...found,
      {
        name: 'oja_contradictions_total',
        labels: { provider: 'vtpass', job: 'oja', instance: 'a' },
        value: 1,
      },
      { name: 'oja_http_request_seconds_count', labels: { ...failed, status: '500' }, value: 1 },
      { name: 'oja_http_request_seconds_count', labels: { ...failed, status: '503' }, value: 1 },
    ];
  }

  it('metrics that no test produced have their labels', async () => {
    const metrics = createMetrics();
    metrics.purchaseEvents.onContradiction({ attempt: { provider: 'vtpass' } } as never);
    metrics.observeRequest('/x', 500, 1);
    const text = await metrics.registry.metrics();
    assert.match(text, /^oja_contradictions_total\{provider="vtpass"\} 1$/m);
    assert.match(text, /^oja_http_request_seconds_count\{route="\/x",status="500"\} 1$/m);
  });
});

async function assertPromtool(what: 'check' | 'test', content: object): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-promtool-'));
  cleanUpAfter(folder);
  const path = join(folder, 'file.yaml');
  // JSON is YAML.
  await writeFile(path, JSON.stringify(content));
  const ran = spawnSync(promtool, [what, 'rules', path], { encoding: 'utf8' });
  assert.equal(ran.status, 0, `${ran.stdout}${ran.stderr}`.slice(0, 4_000));
}
