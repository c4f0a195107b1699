/** `oja webhook`: where merchants are called, and what became of it. */
import {
  changeEndpointOperation,
  createEndpointOperation,
  deleteEndpointOperation,
  rotateEndpointOperation,
} from '../../notifications/webhooks/operations/change-endpoint.ts';
import {
  listEndpointsOperation,
  listWebhookDeliveriesOperation,
  showEndpointOperation,
} from '../../notifications/webhooks/operations/list-endpoints.ts';
import {
  replayDeliveryOperation,
  replayEndpointOperation,
  testEndpointOperation,
} from '../../notifications/webhooks/operations/replay-endpoint.ts';
import {
  disableEndpointOperation,
  enableEndpointOperation,
} from '../../notifications/webhooks/operations/set-endpoint-state.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

const example = '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10';

export const webhookCommands: readonly OperationCommand[] = [
  commandOf(listEndpointsOperation, {
    examples: ['webhook list', 'webhook list --merchant SHOP', 'webhook list --troubled'],
  }),
  commandOf(showEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook show ${example}`],
  }),
  commandOf(listWebhookDeliveriesOperation, {
    arguments: ['endpoint'],
    examples: [`webhook deliveries ${example} --state failed`],
  }),
  commandOf(disableEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook disable ${example} --reason "it floods our network"`],
  }),
  commandOf(enableEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook enable ${example}`],
  }),
  commandOf(rotateEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook rotate ${example}`, `webhook rotate ${example} --overlap 0s`],
  }),
  commandOf(replayEndpointOperation, {
    arguments: ['endpoint'],
    examples: [
      `webhook replay ${example} --since 24h`,
      `webhook replay ${example} --since 24h --until 1h --state delivered`,
    ],
  }),
  commandOf(replayDeliveryOperation, {
    arguments: ['endpoint', 'delivery'],
    examples: [`webhook replay-delivery ${example} 019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a11`],
  }),
  commandOf(testEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook test ${example}`],
  }),
  commandOf(createEndpointOperation, {
    arguments: ['merchant', 'url'],
    examples: [
      'webhook create SHOP https://shop.example/webhooks --env live',
      'webhook create SHOP https://shop.example/webhooks --env test --events transaction.success order.success',
    ],
  }),
  commandOf(changeEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook change ${example} --url https://shop.example/hooks`],
  }),
  commandOf(deleteEndpointOperation, {
    arguments: ['endpoint'],
    examples: [`webhook delete ${example} --yes`],
  }),
];
