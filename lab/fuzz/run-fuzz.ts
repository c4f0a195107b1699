/**
 * Sends generated requests to a gateway, many at a time, and checks each answer. A failure is
 * reported once, with the shortest request that still shows it.
 */
import type { Callers, Principal } from './callers.ts';
import { NoAnswer, type RawAnswer, RawClient } from './client.ts';
import { curlLine } from './curl-line.ts';
import { BLOCK, createGenerator, edgeOf, type Generator, type Numbered } from './generate.ts';
import type { FuzzGround } from './ground.ts';
import { createJudge, type Fault } from './judge.ts';
import { type MemorySample, sampleText, watchMemory } from './memory.ts';
import { complete, type FuzzRequest, toBytes } from './requests.ts';
import { createTally, type Tally } from './tally.ts';
import { type Edge, edges, readSurface, type Surface } from './targets.ts';

export type FuzzOptions = {
  readonly requests: number;
  /** The number of the first. */
  readonly from?: number;
  readonly seed: number;
  /** The number of concurrent requests to each API. */
  readonly lanes: Readonly<Record<Edge, number>>;
  /** After this many requests all callers are replaced and the memory is measured. */
  readonly chapter?: number;
  /** Stops early. */
  readonly untilMs?: number | undefined;
  readonly progress?: (sent: number, faults: number) => void;
  /** Called while it runs: with each fault, and with measured memory. */
  readonly tell?: (line: string) => void;
};

export type FoundFault = Fault & {
  readonly number: number;
  /** Sends it again. */
  readonly curl: string;
};

export type FuzzResult = Omit<Tally, 'count'> & {
  readonly tookS: number;
  readonly faults: readonly FoundFault[];
  readonly memory: readonly MemorySample[];
};

const CHAPTER = 25_000;

export function faultText({ words, curl, number }: FoundFault, seed: number): string {
  return `- ${words}\n  ${curl}\n  npm run fuzz -- --seed ${seed} --from ${number} --requests 1`;
}

export async function runFuzz(ground: FuzzGround, options: FuzzOptions): Promise<FuzzResult> {
  const { requests, from = 0, seed, chapter = CHAPTER, untilMs = Number.POSITIVE_INFINITY } = options;
  const surface = await readSurface(ground.gateway);
  using memory = await watchMemory(ground.gateway);
  const startedAt = performance.now();
  const run: Run = {
    ground,
    surface,
    options,
    judge: createJudge(surface),
    tally: createTally(surface.targets),
    faults: new Map(),
    isOver: () => performance.now() - startedAt > untilMs,
  };
  const samples: MemorySample[] = [];
  for (let first = from; first < from + requests && !run.isOver(); first += chapter) {
    const callers = await ground.bring();
    run.judge.know(callers.merchants);
    const generator = createGenerator(surface.targets, callers, seed);
    await playChapter(run, callers, generator, first, Math.min(first + chapter, from + requests));
    const sample = await memory.sample(run.tally.sent);
    samples.push(sample);
    options.tell?.(sampleText(sample));
  }
  const { count: _count, ...tally } = run.tally;
  const tookS = (performance.now() - startedAt) / 1_000;
  return { ...tally, tookS, faults: [...run.faults.values()], memory: samples };
}

type Run = {
  readonly ground: FuzzGround;
  readonly surface: Surface;
  readonly options: FuzzOptions;
  readonly judge: ReturnType<typeof createJudge>;
  readonly tally: Tally;
  readonly faults: Map<string, FoundFault>;
  readonly isOver: () => boolean;
};

/** Ends when all are answered. */
async function playChapter(
  run: Run,
  callers: Callers,
  generator: Generator,
  from: number,
  to: number,
): Promise<void> {
  const letIn = createLettingIn(callers);
  const send = (clients: RawClient, request: FuzzRequest): Promise<Fault | undefined> =>
    sendOne(run, callers, letIn, clients, request);
  const lane = async (edge: Edge, take: () => Numbered | undefined): Promise<void> => {
    using client = new RawClient(run.ground.urls[edge]);
    for (let next = take(); next !== undefined && !run.isOver(); next = take()) {
      const { number, request } = next;
      const fault = await send(client, request);
      if (fault === undefined || run.faults.has(fault.key)) continue;
      const curlOf = (one: FuzzRequest): string =>
        curlLine(
          complete(one, callers.principals[edge][one.by] as Principal, '10.0.0.1'),
          run.ground.urls[edge],
        );
      // Immediately, so that no other lane also reports it.
      run.faults.set(fault.key, { ...fault, number, curl: curlOf(request) });
      const shortest = await generator.shorten(
        number,
        async (one) => !run.isOver() && (await send(client, one))?.key === fault.key,
      );
      const found = { ...fault, number, curl: curlOf(shortest) };
      run.faults.set(fault.key, found);
      run.options.tell?.(faultText(found, run.options.seed));
    }
  };
  await Promise.all(
    edges.flatMap((edge) => {
      const take = inOrder(generator, edge, from, to);
      return Array.from({ length: run.options.lanes[edge] }, () => lane(edge, take));
    }),
  );
}

/** The callers of an API, in rotation, created on demand. */
function inOrder(generator: Generator, edge: Edge, from: number, to: number): () => Numbered | undefined {
  let block = Math.floor(from / BLOCK);
  let ready: Numbered[] = [];
  return () => {
    while (ready.length === 0 && block * BLOCK < to) {
      if (edgeOf(block) === edge) {
        ready = generator.block(block).filter(({ number }) => number >= from && number < to);
      }
      block += 1;
    }
    return ready.shift();
  };
}

async function sendOne(
  { judge, tally, options, faults }: Run,
  { principals }: Callers,
  letIn: (request: FuzzRequest, principal: Principal, answer: RawAnswer) => void,
  client: RawClient,
  request: FuzzRequest,
): Promise<Fault | undefined> {
  const principal = principals[request.edge][request.by] as Principal;
  const address = `10.${tally.sent & 127}.${(tally.sent >> 7) & 255}.${(tally.sent >> 15) & 255}`;
  const bytes = toBytes(complete(request, principal, address));
  const startedAt = performance.now();
  const answer = await client.send(bytes, request.method).catch((error: unknown) => {
    if (error instanceof NoAnswer) return error;
    throw error;
  });
  tally.count(request, answer, performance.now() - startedAt);
  if (tally.sent % 1_000 === 0) options.progress?.(tally.sent, faults.size);
  if (answer instanceof NoAnswer) {
    return { key: `no answer: ${request.what}`, words: `no answer: ${answer.message}` };
  }
  letIn(request, principal, answer);
  return judge.judge(request, answer, principal);
}

/** Requests sign users out and revoke their credentials, so all sign in again. */
function createLettingIn({ principals }: Callers) {
  const coming = new Set<Principal>();
  const ownHeaders = new Set(['cookie', 'authorization', 'x-merchant-key', 'x-merchant-secret']);
  return ({ edge, by, headers }: FuzzRequest, principal: Principal, { status }: RawAnswer): void => {
    if (status !== 401 || principal.again === undefined || coming.has(principal)) return;
    if (principals[edge][by] !== principal || headers.some(([name]) => ownHeaders.has(name))) return;
    coming.add(principal);
    principal
      .again()
      .then((anew) => {
        principals[edge][by] = anew;
      })
      .catch(() => undefined)
      .finally(() => coming.delete(principal));
  };
}
