/**
 * A panel that cannot be queried, as one simulated process calls it. It answers only with refusals,
 * so only its balance shows the outcome of an order.
 */
import type { CallResult, UpstreamRequest } from '../../src/providers/http/call.ts';
import type { Provider, ProviderOrder } from '../../src/providers/provider.ts';
import { connectPanel, lost, type Outside, type PlayedPanel, presetOf, reply } from './panel-calls.ts';
import type { BookedOrder, ProviderBook } from './provider-book.ts';

export const silentPanelName = 'west';

const mapping = presetOf('php', { AIRTEL: 'airtel' });
/** Orders that it accepted are delivered or refused this late. */
const WORKS_FOR_MS = 60_000;
const FLOAT_KOBO = 100_000_000_00n;

export function silentPanel(process: string, outside: Outside): Provider {
  return connectPanel(silentPanelName, mapping, process, outside, new SilentPanel(outside.book));
}

class SilentPanel implements PlayedPanel {
  readonly #book: ProviderBook;

  constructor(book: ProviderBook) {
    this.#book = book;
  }

  take({ operation }: UpstreamRequest, order: ProviderOrder | undefined): CallResult {
    this.#book.settleOld(silentPanelName, WORKS_FOR_MS);
    if (operation === 'balance') return reply(200, { balance: `${Number(this.#float()) / 100}` });
    if (operation !== 'purchase' || order === undefined) return reply(404, {});
    const answer = this.#book.receive(silentPanelName, order);
    if (answer?.kind === 'not_sent') return { kind: 'not_sent', reason: answer.message };
    if (answer?.kind !== 'failed') return lost;
    return answer.fault === 'provider'
      ? reply(400, { status: 'fail', msg: 'insufficient balance' })
      : reply(400, { Status: 'failed', msg: 'the network refused it' });
  }

  /** A wrong delivery has a different cost. */
  #float(): bigint {
    const sold = ({ amount, script }: BookedOrder): bigint =>
      script.reception === 'delivers something else' ? amount + 100n : amount;
    return [...this.#book.orders]
      .filter(({ provider, state }) => provider === silentPanelName && state === 'delivered')
      .reduce((left, order) => left - sold(order), FLOAT_KOBO);
  }
}
