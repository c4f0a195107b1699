/**
 * Shares a limited number of slots. Pools are separate; within a pool, slots are shared fairly by
 * group, then by member.
 *
 * A pool is an environment for merchants' keys (`live`, `test`) and an audience for people
 * (`console`, `portal`, `admin`). A group is a merchant or a person, a member is a key, a session
 * or a token.
 *
 * Guarantees: no pool takes slots of another. The more slots a group holds, the earlier it is
 * refused: it gets one more only while it holds less than `SHARE` times the free slots, and the
 * last free slot goes to a group that holds none. So one busy group gets three quarters of its
 * pool, and a group that holds none still finds a slot. Members of a group share its slots in the
 * same way. If a gate has a queue, the waiting group that holds least goes first.
 *
 * The rule is that of dynamic thresholds for shared buffers (Choudhury and Hahne, 1998). It needs
 * no list of active groups, and costs two map lookups.
 */

/** The pool, group and member that a slot is counted for. */
export type Sharer<Pool extends string = string> = {
  readonly pool: Pool;
  readonly group: string | number;
  readonly member: string;
};

type PoolLimits = {
  readonly places: number;
  /** How many callers may wait for a slot. Absent: none. */
  readonly waiting?: number;
  /** The maximum number of slots of one group, in addition to its fair share. */
  readonly eachGroup?: number;
  /** The maximum number of slots of one member. */
  readonly eachMember?: number;
};

export type GateLimits<Pool extends string = string> = {
  /** The slots of all pools together. Absent: only the pools' own limits apply. */
  readonly atOnce?: number;
  /** In the order in which their queues are served. */
  readonly pools: Readonly<Record<Pool, PoolLimits>>;
};

export type GateWait = {
  /** How long it may wait, in milliseconds. Absent: without a limit. */
  readonly withinMs?: number;
  /** Goes before all other waiting callers, because a purchase waits for it. */
  readonly first?: boolean;
  /** Ends the wait: the caller has disconnected. */
  readonly signal?: AbortSignal | undefined;
};

/** Releases the slot. Only the first call has an effect. */
export type Place = () => void;

/** A group gets one more slot only while it holds less than this many times the free slots. */
const SHARE = 3;

/**
 * Up to this number, groups that hold no slots are kept, because adding one per request costs more.
 */
const KEPT_GROUPS = 1_000;
const KEPT_MEMBERS = 100;

type Held = { all: number; readonly members: Map<string, number>; sweepAt: number };

/** The slots that groups and their members hold in one pool. */
class Count {
  all = 0;
  readonly #groups = new Map<Sharer['group'], Held>();
  #sweepAt = KEPT_GROUPS;

  heldBy({ group }: Sharer): number {
    return this.#groups.get(group)?.all ?? 0;
  }

  memberHolds({ group, member }: Sharer): number {
    return this.#groups.get(group)?.members.get(member) ?? 0;
  }

  /** Whether the sharer may have one more slot out of `most`. */
  allows(sharer: Sharer, most: number, { eachGroup, eachMember }: Partial<PoolLimits>): boolean {
    const free = most - this.all;
    if (free <= 0) return false;
    const held = this.heldBy(sharer);
    if (held === 0) return true;
    const share = Math.min(SHARE * (free - 1), eachGroup ?? most);
    if (held >= share) return false;
    const ofMember = this.memberHolds(sharer);
    if (ofMember === 0) return true;
    if (eachMember !== undefined && ofMember >= eachMember) return false;
    // How many more slots the group can take: each one lowers the number of free slots.
    const room = Math.min(Math.ceil((SHARE * (free - 1) - held) / (SHARE + 1)), share - held);
    return ofMember < SHARE * Math.max(room, 1);
  }

  add({ group, member }: Sharer): void {
    this.all += 1;
    let held = this.#groups.get(group);
    if (held === undefined) {
      if (this.#groups.size >= this.#sweepAt) this.#sweep();
      held = { all: 0, members: new Map(), sweepAt: KEPT_MEMBERS };
      this.#groups.set(group, held);
    }
    held.all += 1;
    held.members.set(member, (held.members.get(member) ?? 0) + 1);
    if (held.members.size > held.sweepAt) sweepMembers(held);
  }

  remove({ group, member }: Sharer): void {
    this.all -= 1;
    const held = this.#groups.get(group);
    if (held === undefined) return;
    held.all -= 1;
    held.members.set(member, (held.members.get(member) ?? 1) - 1);
  }

  #sweep(): void {
    for (const [group, { all }] of this.#groups) if (all === 0) this.#groups.delete(group);
    this.#sweepAt = Math.max(KEPT_GROUPS, 2 * this.#groups.size);
  }
}

function sweepMembers(held: Held): void {
  for (const [member, count] of held.members) if (count === 0) held.members.delete(member);
  held.sweepAt = Math.max(KEPT_MEMBERS, 2 * held.members.size);
}

type Waiter = { readonly sharer: Sharer; readonly go: (place: Place) => void };

/** Waiting callers, by group and member. The one whose turn is next comes first. */
type Line = Map<Sharer['group'], Map<string, Waiter[]>>;

type PoolState = { readonly running: Count; readonly waiting: Count; readonly line: Line };

export class FairGate<Pool extends string = string> {
  #limits: GateLimits<Pool>;
  #running = 0;
  readonly #pools = new Map<string, PoolState>();
  readonly #first: Line = new Map();

  constructor(limits: GateLimits<Pool>) {
    this.#limits = limits;
    for (const pool of Object.keys(limits.pools)) {
      this.#pools.set(pool, { running: new Count(), waiting: new Count(), line: new Map() });
    }
  }

  /** Takes effect with the next slot. */
  setLimits(limits: GateLimits<Pool>): void {
    this.#limits = limits;
    this.#serve();
  }

  /** The number of slots in use. */
  get running(): number {
    return this.#running;
  }

  /** The number of slots of one pool in use. */
  heldOf(pool: Pool): number {
    return this.#stateOf(pool).running.all;
  }

  /** Takes a slot now. Undefined if the sharer may have none. */
  tryEnter(sharer: Sharer<Pool>): Place | undefined {
    return this.#isFree(sharer) ? this.#take(sharer) : undefined;
  }

  /** Waits for a slot and takes it. Undefined if the queue is full or the wait is over. */
  async enter(sharer: Sharer<Pool>, wait: GateWait = {}): Promise<Place | undefined> {
    const { line, waiting } = this.#stateOf(sharer.pool);
    const ownLine = wait.first === true ? this.#first : line;
    // A member that waits although a slot is free has already used its share.
    const isWaiting = ownLine.get(sharer.group)?.has(sharer.member) === true;
    const place = isWaiting ? undefined : this.tryEnter(sharer);
    if (place !== undefined) return place;
    const most = this.#limits.pools[sharer.pool].waiting ?? 0;
    if (wait.signal?.aborted === true || !waiting.allows(sharer, most, {})) return undefined;
    return await this.#wait(ownLine, sharer, wait);
  }

  /** Runs `work` in a slot. Throws the result of `full` if all slots are taken. */
  async run<T>(sharer: Sharer<Pool>, wait: GateWait, full: () => Error, work: () => Promise<T>): Promise<T> {
    const place = await this.enter(sharer, wait);
    if (place === undefined) throw full();
    try {
      return await work();
    } finally {
      place();
    }
  }

  #stateOf(pool: string): PoolState {
    const state = this.#pools.get(pool);
    if (state === undefined) throw new Error(`the gate has no pool ${pool}`);
    return state;
  }

  #isFree(sharer: Sharer): boolean {
    const { atOnce, pools } = this.#limits;
    if (atOnce !== undefined && this.#running >= atOnce) return false;
    const own: PoolLimits = pools[sharer.pool as Pool];
    return this.#stateOf(sharer.pool).running.allows(sharer, own.places, own);
  }

  #take(sharer: Sharer): Place {
    const { running } = this.#stateOf(sharer.pool);
    running.add(sharer);
    this.#running += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      running.remove(sharer);
      this.#running -= 1;
      this.#serve();
    };
  }

  #wait(line: Line, sharer: Sharer, { withinMs, signal }: GateWait): Promise<Place | undefined> {
    const { waiting } = this.#stateOf(sharer.pool);
    waiting.add(sharer);
    return new Promise((resolve) => {
      const end = (place: Place | undefined): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        waiting.remove(sharer);
        resolve(place);
      };
      const waiter: Waiter = { sharer, go: end };
      const giveUp = (): void => {
        leave(line, waiter);
        end(undefined);
      };
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
      signal?.addEventListener('abort', giveUp, { once: true });
      join(line, waiter);
    });
  }

  #serve(): void {
    if (this.#first.size > 0) this.#serveLine(this.#first);
    for (const { line } of this.#pools.values()) if (line.size > 0) this.#serveLine(line);
  }

  #serveLine(line: Line): void {
    for (let next = this.#next(line); next !== undefined; next = this.#next(line)) {
      leave(line, next);
      turn(line, next.sharer);
      next.go(this.#take(next.sharer));
    }
  }

  /** Serves the group that holds least, and in it the member that holds least. */
  #next(line: Line): Waiter | undefined {
    let next: Waiter | undefined;
    for (const members of line.values()) {
      for (const [waiter] of members.values()) {
        if (waiter === undefined || !this.#isFree(waiter.sharer)) continue;
        if (next === undefined || this.#holdsLess(waiter.sharer, next.sharer)) next = waiter;
      }
    }
    return next;
  }

  #holdsLess(one: Sharer, other: Sharer): boolean {
    const [ofOne, ofOther] = [this.#stateOf(one.pool).running, this.#stateOf(other.pool).running];
    const more = ofOne.heldBy(one) - ofOther.heldBy(other);
    if (more !== 0) return more < 0;
    return one.group === other.group && ofOne.memberHolds(one) < ofOther.memberHolds(other);
  }
}

function join(line: Line, waiter: Waiter): void {
  const { group, member } = waiter.sharer;
  let members = line.get(group);
  if (members === undefined) {
    members = new Map();
    line.set(group, members);
  }
  const own = members.get(member);
  if (own === undefined) members.set(member, [waiter]);
  else own.push(waiter);
}

function leave(line: Line, waiter: Waiter): void {
  const { group, member } = waiter.sharer;
  const members = line.get(group);
  const own = members?.get(member);
  const place = own?.indexOf(waiter) ?? -1;
  if (members === undefined || own === undefined || place === -1) return;
  own.splice(place, 1);
  if (own.length === 0) members.delete(member);
  if (members.size === 0) line.delete(group);
}

/** Puts the group, and in it the member, behind the others. */
function turn(line: Line, { group, member }: Sharer): void {
  const members = line.get(group);
  if (members === undefined) return;
  line.delete(group);
  line.set(group, members);
  const own = members.get(member);
  if (own === undefined) return;
  members.delete(member);
  members.set(member, own);
}
