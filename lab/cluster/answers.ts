/** How long buyers of each cell waited for answers during an event, and which they got. */
import type { ClientAnswer } from '../../test/support/load.ts';

type Answered = { readonly number: number; readonly tookMs: number; readonly status: string };

export class Answers {
  #answered: Answered[] = [];
  readonly #open = new Set<{ readonly number: number; readonly sentMs: number }>();

  /** A buyer of the cell sends. The result is called with the answer. */
  start(number: number): (answer: ClientAnswer) => void {
    const sent = { number, sentMs: performance.now() };
    this.#open.add(sent);
    return ({ status }) => {
      this.#open.delete(sent);
      this.#answered.push({ number, tookMs: performance.now() - sent.sentMs, status: String(status) });
    };
  }

  /** Forgets what was answered before. */
  begin(): void {
    this.#answered = [];
  }

  print(isOfEvent: (cell: { readonly number: number }) => boolean, name: string): void {
    for (const [title, of] of [
      [name, isOfEvent],
      ['other cells', (cell: Answered) => !isOfEvent(cell)],
    ] as const) {
      const answered = this.#answered.filter(of);
      const slowest = Math.max(0, ...answered.map(({ tookMs }) => tookMs));
      const open = [...this.#open].filter((sent) => isOfEvent(sent) === (title === name));
      const kinds = Object.entries(Object.groupBy(answered, ({ status }) => status))
        .map(([status, all]) => `${all?.length} times ${status}`)
        .join(', ');
      console.log(
        `    ${title}: slowest answer ${Math.round(slowest)} ms, ${open.length} open; ${kinds || 'no answers'}`,
      );
    }
  }
}
