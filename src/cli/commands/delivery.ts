/** `oja delivery`: orders that are sent to customers. */
import type { Command } from 'commander';
import type { Environment } from '../../kernel/environment.ts';
import { isUuid } from '../../kernel/ids.ts';
import type { DeliveryState } from '../../messages/decide-delivery.ts';
import { type DeliveryRow, listDeliveries } from '../../messages/delivery-store.ts';
import { retryDelivery } from '../../messages/operations/retry-delivery.ts';
import { findVendsAnywhere } from '../../vending/history/timeline-store.ts';
import { addCommand, type Run } from '../add-command.ts';
import { readEnvironment } from '../arguments.ts';
import { CommandError } from '../command-error.ts';
import { formatTime, optional } from '../format.ts';
import { table } from '../output.ts';

const LISTED_MAX = 100;
const troubled: readonly DeliveryState[] = ['unknown', 'given_up', 'refused'];
const unfinished: readonly DeliveryState[] = [...troubled, 'due', 'sending', 'waiting'];

type RetryOptions = { readonly merchant?: string; readonly env?: Environment; readonly again?: boolean };

export function addDelivery(program: Command, run: Run): void {
  const group = program.command('delivery').description('orders that are sent to customers');
  addCommand<[], { readonly all?: boolean }>(group, run, {
    name: 'list',
    description: `list the ${LISTED_MAX} latest that did not arrive, or may not have: refused, given up, unknown`,
    examples: ['delivery list', 'delivery list --all'],
    configure: (command) => command.option('--all', 'also those that are still to be sent'),
    work: async ({ database }, _args, { all = false }) => {
      const deliveries = await listDeliveries(database, {
        states: all ? unfinished : troubled,
        limit: LISTED_MAX,
      });
      return { data: deliveries, text: listText(deliveries) };
    },
  });
  addCommand<[string], RetryOptions>(group, run, {
    name: 'retry',
    description: 'have an order sent to its customer once more, at once',
    examples: ['delivery retry order-77', 'delivery retry order-77 --merchant SHOP --env live --again'],
    writes: true,
    configure: (command) =>
      command
        .argument('<reference>', "the merchant's reference, or our internal reference")
        .option('--merchant <code>', 'where several merchants used the reference')
        .option('--env <environment>', 'test or live, where it was used in both', readEnvironment)
        .option('--again', 'although it was sent, or may have been'),
    work: async ({ database, actor }, [key], { merchant, env, again = false }) => {
      await database.transaction(async (tx) => {
        const vends = await findVendsAnywhere(tx, {
          reference: key,
          id: isUuid(key.toLowerCase()) ? key : undefined,
          merchantCode: merchant,
          environment: env,
        });
        const [vend, other] = vends;
        if (vend === undefined)
          throw new CommandError(`there is no purchase with the reference or id "${key}"`);
        if (other !== undefined)
          throw new CommandError(`"${key}" was used more than once; say --merchant and --env`);
        await retryDelivery(tx, vend, { again, actor });
      });
      return {
        data: { reference: key, state: 'due' },
        text: `${key} is sent again; see oja vend show ${key}.`,
      };
    },
  });
}

function listText(deliveries: readonly DeliveryRow[]): string {
  return table(
    deliveries,
    [
      { title: 'AT', of: (row) => formatTime(row.updated_at) },
      { title: 'MERCHANT', of: (row) => `${row.merchant_code} (${row.environment})` },
      { title: 'REFERENCE', of: (row) => row.reference },
      { title: 'BY', of: (row) => row.channel },
      { title: 'TO', of: (row) => row.hint },
      { title: 'STATE', of: (row) => row.state },
      { title: 'TRIES', of: (row) => String(row.tries), right: true },
      { title: 'NEXT', of: (row) => (row.state === 'due' ? optional(row.due_at, formatTime) : '-') },
      { title: 'WHY', of: (row) => (row.code === null ? '-' : `${row.code}: ${row.note ?? ''}`) },
    ],
    'Nothing.',
  );
}

/** One line for a purchase's page. */
export function deliveryText({
  channel,
  hint,
  state,
  tries,
  due_at: dueAt,
  code,
  note,
}: DeliveryRow): string {
  const tried = tries === 0 ? '' : `, ${tries} ${tries === 1 ? 'try' : 'tries'}`;
  const next = state === 'due' ? `, next ${optional(dueAt, formatTime)}` : '';
  const why = code === null || state === 'sent' ? '' : ` (${code}: ${note ?? ''})`;
  return `${state} by ${channel} to ${hint}${tried}${next}${why}`;
}
