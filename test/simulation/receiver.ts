/** The merchant's webhook endpoint: it fails in many ways, and records the events it accepted. */
import type { EventMessage } from '../../src/notifications/webhooks/run-endpoint.ts';
import type { TryResult } from '../../src/notifications/webhooks/send-event.ts';

const receptions = [
  'takes it',
  'takes it',
  'takes it in silence',
  'answers 500',
  'is never reached',
] as const;

export class Receiver {
  /** False: it accepts everything. */
  faults = true;
  /** The events that it answered with 200 or accepted without an answer: ids by content. */
  readonly taken = new Map<string, Set<string>>();

  /** `chance`: 0 or more, and below 1. */
  receive({ id, body }: EventMessage, chance: number): TryResult {
    const reception = this.faults ? receptions[Math.floor(chance * receptions.length)] : 'takes it';
    if (reception === 'takes it' || reception === 'takes it in silence') {
      const ids = this.taken.get(body) ?? new Set();
      this.taken.set(body, ids.add(id));
    }
    const rest = { note: undefined, answer: undefined, retryAfterMs: undefined, durationMs: 1 };
    if (reception === 'takes it') return { ...rest, status: 200 };
    if (reception === 'answers 500') return { ...rest, status: 500 };
    return { ...rest, status: undefined, note: 'no answer came' };
  }
}

/** The delivery of an event, and the final check. */
export function tellEvent(type: string, subject: string): string {
  return `${type} ${subject}`;
}
