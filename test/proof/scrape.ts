/**
 * The metrics of a process as Prometheus reads them: series with labels, under the job name `oja`.
 */
export type Series = {
  readonly name: string;
  /** As Prometheus stores them: sorted, and a label `job` of ours as `exported_job`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
};

export type Scrape = {
  readonly series: readonly Series[];
  /** Every metric by its name and help, also without a sample; of histograms each of its parts. */
  readonly help: ReadonlyMap<string, string>;
};

const parts = ['', '_bucket', '_count', '_sum'];

export async function scrape(metricsUrl: string, instance: string): Promise<Scrape> {
  const answer = await fetch(metricsUrl);
  const text = await answer.text();
  const help = new Map<string, string>();
  for (const [, name = '', words = ''] of text.matchAll(/^# HELP (\S+) (.*)$/gm)) {
    for (const part of parts) help.set(`${name}${part}`, words);
  }
  const series = [...text.matchAll(/^(\w+)(?:\{([^}]*)\})? (\S+)$/gm)].map(
    ([, name = '', labels, value]) => ({
      name,
      labels: { ...readLabels(labels ?? ''), job: 'oja', instance },
      value: Number(value),
    }),
  );
  return { series, help };
}

function readLabels(text: string): Record<string, string> {
  const labels = [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
    name === 'job' ? 'exported_job' : name,
    value,
  ]);
  return Object.fromEntries(labels);
}

/** `oja_open_alarms{instance="a",job="oja"}` */
export function keyOf({ name, labels }: Pick<Series, 'name' | 'labels'>): string {
  const pairs = Object.entries(labels)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([label, value]) => `${label}="${value}"`);
  return `${name}{${pairs.join(',')}}`;
}
