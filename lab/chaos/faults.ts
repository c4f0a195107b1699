/**
 * The faults. Each strikes, lasts for a moment, and is over when its target serves again. Its
 * effects on gateways and merchants may last longer.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { mixedMisbehaviour } from '../../test/support/mixed-misbehaviour.ts';
import type { Member } from './fleet.ts';
import type { FaultKind } from './options.ts';
import type { Site } from './site.ts';

type Random = () => number;

type Fault = {
  /** The action. */
  readonly what: string;
  /** Its relative frequency. */
  readonly weight: number;
  /** Resolves with the details when it is over. */
  readonly strike: (site: Site, random: Random) => Promise<string>;
};

export const faults: Readonly<Record<FaultKind, Fault>> = {
  'kill-gateway': {
    what: 'SIGKILL of a gateway, and its start',
    weight: 4,
    strike: async ({ fleet }, random) => await killAndStart([pick(fleet.gateways, random)]),
  },
  'kill-worker': {
    what: 'SIGKILL of the worker, and its start',
    weight: 2,
    strike: async ({ fleet }) => await killAndStart([fleet.worker]),
  },
  'kill-all': {
    what: 'SIGKILL of all gateways and the worker in one moment, and their start',
    weight: 1,
    strike: async ({ fleet }) => await killAndStart(fleet.members),
  },
  'freeze-gateway': {
    what: 'SIGSTOP of a gateway for 0.3 to 2 s, or for 6 to 8 s, when it counts as dead',
    weight: 3,
    strike: async ({ fleet }, random) => await freeze(pick(fleet.gateways, random), random),
  },
  'freeze-worker': {
    what: 'the same for the worker',
    weight: 2,
    strike: async ({ fleet }, random) => await freeze(fleet.worker, random),
  },
  'kill-database': {
    what: 'SIGKILL of all processes of PostgreSQL, and its recovery',
    weight: 3,
    strike: async ({ postgres }) => {
      await postgres.fall(postgres.kill);
      return '';
    },
  },
  'stop-database': {
    what: 'immediate stop of PostgreSQL, and its recovery',
    weight: 2,
    strike: async ({ postgres }) => {
      await postgres.fall(postgres.stop);
      return '';
    },
  },
  'kill-session': {
    what: 'SIGKILL of one session, at which PostgreSQL ends all and recovers',
    weight: 2,
    strike: async ({ postgres }, random) => {
      const session = pick(await postgres.sessions(), random);
      await postgres.fall(() => process.kill(session, 'SIGKILL'));
      return '';
    },
  },
  'freeze-database': {
    what: 'SIGSTOP of all processes of PostgreSQL for 0.3 to 2 s',
    weight: 2,
    strike: async ({ postgres }, random) => {
      const processes = postgres.processes();
      signalAll(processes, 'SIGSTOP');
      const ms = await pause(300, 2_000, random);
      signalAll(processes, 'SIGCONT');
      return `for ${ms} ms`;
    },
  },
  'cut-wires': {
    what: 'connections to the database are cut, and new ones refused for up to 1 s',
    weight: 3,
    strike: async (site, random) =>
      await onWires(site, random, async ({ wire }, ms) => {
        wire.refuse(true);
        wire.sever();
        await sleep(ms / 2);
        wire.refuse(false);
      }),
  },
  'slow-wires': {
    what: 'everything between gateways and database is 20 to 150 ms late for 0.3 to 2 s',
    weight: 2,
    strike: async (site, random) => {
      const lateMs = Math.round(20 + random() * 130);
      const where = await onWires(site, random, async ({ wire }, ms) => {
        wire.delay(lateMs);
        await sleep(ms);
        wire.delay(0);
      });
      return `${lateMs} ms, ${where}`;
    },
  },
  'half-open-wires': {
    what: 'present connections to the database are silent for 0.3 to 2 s, and are then reset',
    weight: 3,
    strike: async (site, random) =>
      await onWires(site, random, async ({ wire }, ms) => {
        wire.swallow();
        await sleep(ms);
        wire.sever();
      }),
  },
  'lost-wires': {
    what: 'present connections of a process to the database are silent for good, new ones are well',
    weight: 2,
    strike: async ({ fleet }, random) => {
      const member = pick(fleet.members, random);
      member.wire.swallow();
      return member.name;
    },
  },
  'full-disk': {
    what: 'the file system of the database is full for 0.3 to 2 s',
    weight: 2,
    strike: async ({ postgres }, random) => {
      await postgres.disk?.fill();
      const ms = await pause(300, 2_000, random);
      await postgres.disk?.free();
      await postgres.untilWell();
      return `for ${ms} ms`;
    },
  },
  'set-clock': {
    what: 'the clock that a gateway or the worker reads is set by up to an hour, and set back',
    weight: 2,
    strike: async ({ fleet }, random) => {
      const member = pick(fleet.members, random);
      const aheadS = Math.round((random() < 0.5 ? -1 : 1) * (10 + random() * 3_590));
      await member.setClock(aheadS * 1_000);
      const ms = await pause(500, 2_000, random);
      await member.setClock(0);
      return `${member.name} by ${aheadS} s for ${ms} ms`;
    },
  },
  'kill-provider': {
    what: 'SIGKILL of the simulator, and its start within a second',
    weight: 2,
    strike: async ({ simulator }, random) => {
      await simulator.kill();
      await pause(0, 500, random);
      await simulator.start();
      return '';
    },
  },
  'lying-provider': {
    what: 'the providers hang up, delay, contradict and answer rubbish for 0.5 to 2 s',
    weight: 2,
    strike: async ({ simulator }, random) => {
      await simulator.misbehave(Math.floor(random() * 1_000_000), mixedMisbehaviour);
      const ms = await pause(500, 2_000, random);
      const strikes = await simulator.strikes();
      await simulator.misbehave(0, []);
      return `${strikes} lies in ${ms} ms`;
    },
  },
  upgrade: {
    what: 'gateways and worker are stopped and started one after another',
    weight: 1,
    strike: async ({ fleet }) => {
      fleet.upgrade();
      for (const member of fleet.members) {
        await member.stop();
        await member.start();
      }
      return '';
    },
  },
};

async function killAndStart(members: readonly Member[]): Promise<string> {
  await Promise.all(members.map((member) => member.kill()));
  await Promise.all(members.map((member) => member.start()));
  return members.map(({ name }) => name).join(', ');
}

async function freeze(member: Member, random: Random): Promise<string> {
  const isLong = random() < 0.2;
  member.signal('SIGSTOP');
  const ms = isLong ? await pause(6_000, 8_000, random) : await pause(300, 2_000, random);
  member.signal('SIGCONT');
  return `${member.name} for ${ms} ms`;
}

/** The connections of one process, or all. */
async function onWires(
  { fleet }: Site,
  random: Random,
  strike: (member: Member, ms: number) => Promise<void>,
): Promise<string> {
  const struck = random() < 0.5 ? fleet.members : [pick(fleet.members, random)];
  const ms = Math.round(300 + random() * 1_700);
  await Promise.all(struck.map((member) => strike(member, ms)));
  return `${struck.length === 1 ? struck[0]?.name : 'all'} for ${ms} ms`;
}

async function pause(minMs: number, maxMs: number, random: Random): Promise<number> {
  const ms = Math.round(minMs + random() * (maxMs - minMs));
  await sleep(ms);
  return ms;
}

function pick<T>(list: readonly T[], random: Random): T {
  const item = list[Math.floor(random() * list.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has already ended.
    }
  }
}
