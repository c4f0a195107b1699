/** `npm run fuzz -- --requests N --seed S`: generated requests at every route of a gateway. */
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { openFuzzGround } from './ground.ts';
import { checkMemory, sampleText } from './memory.ts';
import { type FuzzResult, faultText, runFuzz } from './run-fuzz.ts';
import { answersText } from './tally.ts';
import { edges } from './targets.ts';

const usage = `usage: npm run fuzz -- [options]

  --requests N   how many requests (default 20000)
  --seed S       the same seed gives the same requests (default 1)
  --from N       the number of the first request (default 0): the report names those that failed
  --lanes N      how many are on their way to the merchants' API at a time (default 32)
  --minutes N    stop after so long
  --stay         leave the gateway there until Ctrl-C, for the curl lines of the report
`;

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '20000' },
    seed: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    lanes: { type: 'string', default: '32' },
    minutes: { type: 'string' },
    stay: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

function numberOf(name: string, text: string, least = 1): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < least) {
    throw new Error(`--${name} must be a whole number from ${least}`);
  }
  return number;
}

function report(result: FuzzResult, seed: number): string {
  const { sent, tookS, targets, served, unavailable, memory, faults } = result;
  const verdict = checkMemory(memory);
  const answered = edges.map((edge) => `  ${answersText(result, edge)}`);
  const away = [...unavailable].toSorted(([, one], [, other]) => other - one).slice(0, 15);
  const never = [...targets].filter((name) => !served.has(name));
  return [
    `${sent} requests in ${tookS.toFixed(0)} s, ${(sent / tookS).toFixed(0)} a second`,
    ...answered,
    `${targets.size} routes and operations, ${targets.size - never.length} of them answered with success; never:`,
    `  ${never.join(', ')}`,
    'answered 503 most often:',
    ...away.map(([why, count]) => `  ${count} × ${why}`),
    'memory after collections:',
    ...memory.map((sample) => `  ${sampleText(sample)}`),
    verdict === undefined
      ? '  too short a run to say whether it grows'
      : `  in 100,000 requests, once warm: heap ${verdict.heapMb.toFixed(2)} MB, resident ${verdict.rssMb.toFixed(2)} MB`,
    ...(verdict?.faults ?? []),
    `${faults.length} faults`,
    ...faults.map((fault) => faultText(fault, seed)),
  ].join('\n');
}

if (values.help) {
  console.log(usage);
} else {
  await using ground = await openFuzzGround();
  const [seed, lanes] = [numberOf('seed', values.seed), numberOf('lanes', values.lanes)];
  const people = Math.ceil(lanes / 4);
  const result = await runFuzz(ground, {
    requests: numberOf('requests', values.requests),
    seed,
    from: numberOf('from', values.from, 0),
    lanes: { api: lanes, admin: people, console: people, portal: people },
    untilMs: values.minutes === undefined ? undefined : numberOf('minutes', values.minutes) * 60_000,
    tell: (line) => process.stderr.write(`\r${line}\n`),
    progress: (sent, faults) => process.stderr.write(`\r${sent} sent, ${faults} faults`),
  });
  process.stderr.write('\n');
  console.log(report(result, seed));
  if (result.faults.length > 0 || (checkMemory(result.memory)?.faults.length ?? 0) > 0) process.exitCode = 1;
  if (values.stay) await once(process, 'SIGINT');
}
