/**
 * The processor time of gateway and PostgreSQL for requests. Unlike elapsed time it varies little
 * with other work on the machine.
 */
import { readGrowth } from '../../bench/bench-store.ts';
import { parentOf, processorSeconds } from '../../bench/processes.ts';
import type { Store, StoreName } from './store.ts';

export class ProcessorTime {
  readonly #server: number | undefined;
  readonly #stores: Readonly<Record<StoreName, Store>>;
  readonly #spent = { small: 0, large: 0 };
  readonly #answers = { small: 0, large: 0 };

  private constructor(stores: Readonly<Record<StoreName, Store>>, server: number | undefined) {
    this.#stores = stores;
    this.#server = server;
  }

  static async open(stores: Readonly<Record<StoreName, Store>>): Promise<ProcessorTime> {
    const { backendPid } = await readGrowth(stores.large.database);
    return new ProcessorTime(stores, await parentOf(backendPid));
  }

  /** For answers that were requested in one go. */
  async around<R extends { readonly sent: number }>(which: StoreName, work: () => Promise<R>): Promise<R> {
    const before = await this.#read(which);
    const result = await work();
    const after = await this.#read(which);
    if (before !== undefined && after !== undefined) this.#spent[which] += after - before;
    this.#answers[which] += result.sent;
    return result;
  }

  /** For one answer, in milliseconds; undefined if it is not measurable. */
  ofAnswer(which: StoreName): number | undefined {
    const ms = (1_000 * this.#spent[which]) / this.#answers[which];
    return ms > 0 ? ms : undefined;
  }

  /** How many times as much the large one takes. */
  ratio(): number | undefined {
    const [small, large] = [this.ofAnswer('small'), this.ofAnswer('large')];
    return small === undefined || large === undefined ? undefined : large / small;
  }

  async #read(which: StoreName): Promise<number | undefined> {
    const gateway = await processorSeconds(this.#stores[which].gateway.pid);
    const server = this.#server === undefined ? undefined : await processorSeconds(this.#server);
    return gateway === undefined || server === undefined ? undefined : gateway + server;
  }
}
