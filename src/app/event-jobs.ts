/** The jobs that send events to merchants: the feed of events, and webhooks. */

import type { Job } from '../core/job.ts';
import type { Database } from '../db/database.ts';
import { tellExpiringCredentials } from '../merchants/expiring-credential-store.ts';
import {
  assignNewPositions,
  deleteInSlices,
  purgeOldEvents,
} from '../notifications/events/assign-positions.ts';
import type { WebhookWork } from '../notifications/webhooks/deliver-events.ts';
import { deleteOldDeliveries } from '../notifications/webhooks/webhook-delivery-store.ts';
import { tellLowWallets } from '../wallet/wallet-alert-store.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

type EventParts = { readonly database: Database; readonly webhooks: { readonly work: WebhookWork } };

export function eventJobs({ database, webhooks }: EventParts): readonly Job[] {
  return [
    {
      name: 'events',
      role: 'worker',
      everyMs: SECOND_MS / 2,
      failure: 'cannot assign positions to events: merchants receive them later',
      run: async () => void (await assignNewPositions(database)),
    },
    {
      name: 'low-wallets',
      role: 'worker',
      everyMs: 5 * SECOND_MS,
      failure: 'cannot check for low wallets: merchants are notified later',
      run: async () => void (await tellLowWallets(database)),
    },
    {
      name: 'expiring-credentials',
      role: 'worker',
      everyMs: MINUTE_MS,
      failure: 'cannot check for credentials that expire soon: merchants are notified later',
      run: async () => void (await tellExpiringCredentials(database)),
    },
    {
      name: 'old-events',
      role: 'worker',
      everyMs: MINUTE_MS,
      failure: 'cannot delete old events: they are kept until the next run',
      run: () => purgeOldEvents(database),
    },
    {
      name: 'webhooks',
      role: 'worker',
      everyMs: SECOND_MS / 2,
      stopWithinMs: 20 * SECOND_MS,
      failure: 'cannot look for endpoints with events to send: webhooks are sent later',
      run: () => webhooks.work.run(),
      finish: () => webhooks.work.finish(),
    },
    {
      name: 'old-webhook-deliveries',
      role: 'worker',
      everyMs: MINUTE_MS,
      failure: 'cannot delete old webhook deliveries: they are kept until the next run',
      run: () => deleteInSlices((limit) => deleteOldDeliveries(database, limit)),
    },
  ];
}
