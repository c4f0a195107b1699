/** `oja webhook`: where merchants are called, and what became of it. */
import type { Static } from 'typebox';
import type { endpointOutput, webhookDeliveryOutput } from '../../webhooks/endpoint-answer.ts';
import {
  changeEndpointOperation,
  createEndpointOperation,
  deleteEndpointOperation,
  rotateEndpointOperation,
} from '../../webhooks/operations/change-endpoint.ts';
import {
  listEndpointsOperation,
  listWebhookDeliveriesOperation,
  showEndpointOperation,
} from '../../webhooks/operations/list-endpoints.ts';
import {
  replayDeliveryOperation,
  replayEndpointOperation,
  testEndpointOperation,
} from '../../webhooks/operations/replay-endpoint.ts';
import {
  disableEndpointOperation,
  enableEndpointOperation,
} from '../../webhooks/operations/set-endpoint-state.ts';
import { optional, timeText } from '../format.ts';
import { commandOf, environmentFlag, type OperationCommand } from '../operation-command.ts';
import { pairs, table } from '../output.ts';

type Endpoint = Static<typeof endpointOutput>;
type Delivery = Static<typeof webhookDeliveryOutput>;

const example = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';

export const webhookCommands: readonly OperationCommand[] = [
  commandOf(listEndpointsOperation, {
    flags: { environment: environmentFlag, merchant: '--merchant <code>' },
    examples: ['webhook list', 'webhook list --merchant SHOP', 'webhook list --troubled'],
    text: ({ data }) =>
      table(
        data,
        [
          { title: 'ID', of: (row) => row.id },
          { title: 'MERCHANT', of: (row) => `${row.merchant} (${row.environment})` },
          { title: 'STATE', of: stateText },
          { title: 'EVENTS', of: (row) => (row.events.length === 0 ? 'all' : String(row.events.length)) },
          { title: 'URL', of: (row) => row.url },
        ],
        'No webhook endpoints.',
      ),
  }),
  commandOf(showEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook show ${example}`],
    text: ({ newest, ...endpoint }) => `${endpointText(endpoint)}\n\n${deliveriesTable(newest)}`,
  }),
  commandOf(listWebhookDeliveriesOperation, {
    arguments: ['endpoint'],
    examples: [`webhook deliveries ${example} --state failed`],
    text: ({ data }) => deliveriesTable(data),
  }),
  commandOf(disableEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook disable ${example} --reason "it floods our network"`],
    text: changedText,
  }),
  commandOf(enableEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook enable ${example}`],
    text: changedText,
  }),
  commandOf(rotateEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook rotate ${example}`, `webhook rotate ${example} --overlap 0s`],
    text: ({ endpoint, secret, old_secret_ends_at: endsAt }) =>
      `The secret of ${endpoint}, shown once: ${secret}\n` +
      (endsAt === null ? 'The old one signs no more.' : `The old one signs too until ${timeText(endsAt)}.`),
  }),
  commandOf(replayEndpointOperation, {
    arguments: ['endpoint'],
    examples: [
      `webhook replay ${example} --since 24h`,
      `webhook replay ${example} --since 24h --until 1h --state delivered`,
    ],
    text: ({ replayed, next }) =>
      next === null
        ? `${replayed} sent again.`
        : `${replayed} sent again. There are more: repeat the command, with a --since back to ${timeText(next)}.`,
  }),
  commandOf(replayDeliveryOperation, {
    arguments: ['endpoint', 'delivery'],
    examples: [`webhook replay-delivery ${example} 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a11`],
    text: ({ event_type: type, event_id: id }) => `${type} ${id} is on its way.`,
  }),
  commandOf(testEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook test ${example}`],
    text: ({ event_id: id }) => `The test event ${id} is on its way: see oja webhook deliveries.`,
  }),
  commandOf(createEndpointOperation, {
    arguments: ['merchant', 'url'],
    flags: { environment: environmentFlag },
    examples: [
      'webhook create SHOP https://shop.example/webhooks --env live',
      'webhook create SHOP https://shop.example/webhooks --env test --events transaction.success order.success',
    ],
    text: ({ secret, ...endpoint }) => `${endpointText(endpoint)}\n\nThe secret, shown once: ${secret}`,
  }),
  commandOf(changeEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook change ${example} --url https://shop.example/hooks`],
    text: endpointText,
  }),
  commandOf(deleteEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook delete ${example} --yes`],
    text: ({ id }) => `${id} is deleted.`,
  }),
];

function stateText({ state, reason, failing_since: since }: Endpoint): string {
  if (state === 'disabled') return `disabled: ${reason ?? ''}`;
  return since === null ? 'well' : `failing since ${timeText(since)}`;
}

function changedText({ id, state, changed }: Endpoint & { readonly changed: boolean }): string {
  return `${id} is ${changed ? 'now' : 'already'} ${state}.`;
}

function endpointText(endpoint: Endpoint): string {
  return pairs([
    ['Id', endpoint.id],
    ['Merchant', `${endpoint.merchant} (${endpoint.environment})`],
    ['URL', endpoint.url],
    ['Description', endpoint.description],
    ['Events', endpoint.events.join(', ') || 'all'],
    ['Goods', endpoint.include_goods ? 'included' : 'left out'],
    ['State', stateText(endpoint)],
    ['Failures in a row', String(endpoint.failures)],
    ['Old secret signs until', optional(endpoint.old_secret_ends_at, timeText)],
    ['Since', timeText(endpoint.created_at)],
  ]);
}

function deliveriesTable(deliveries: readonly Delivery[]): string {
  return table(
    deliveries,
    [
      { title: 'AT', of: (row) => timeText(row.created_at) },
      { title: 'EVENT', of: (row) => row.event_type },
      { title: 'STATE', of: (row) => row.state },
      { title: 'TRIES', of: (row) => String(row.tries), right: true },
      { title: 'ANSWER', of: (row) => String(row.http_status ?? row.note ?? '-') },
      { title: 'NEXT', of: (row) => optional(row.due_at, timeText) },
      { title: 'EVENT ID', of: (row) => row.event_id },
    ],
    'No deliveries.',
  );
}
