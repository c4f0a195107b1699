/**
 * The simulated Termii: it accepts messages to phones and records them. Guarantees: a message is on
 * disk before its call is answered, and appears once for each time it was accepted. Like Termii, it
 * has no idempotency.
 */
import { join } from 'node:path';
import type { Faults } from '../faults.ts';
import { Journal } from '../journal.ts';
import type { Settings } from '../settings.ts';

export type SentMessage = {
  readonly provider: 'termii';
  readonly message_id: string;
  readonly channel: string;
  readonly from: string;
  readonly to: string;
  readonly text: string;
  readonly sent_at: string;
};

export class Termii {
  readonly faults: Faults;
  readonly settings: Settings;
  readonly #messages: SentMessage[] = [];
  #journal: Journal | undefined;

  private constructor(faults: Faults, settings: Settings) {
    this.faults = faults;
    this.settings = settings;
  }

  /** Opens its book in the folder of the settings, with all entries of earlier processes. */
  static async open({ faults, settings }: { faults: Faults; settings: Settings }): Promise<Termii> {
    const termii = new Termii(faults, settings);
    termii.#journal = await Journal.open(join(settings.folder, 'messages.ndjson'), (entry) =>
      termii.#messages.push(entry as SentMessage),
    );
    return termii;
  }

  /** On disk when this resolves. */
  async take(message: SentMessage): Promise<void> {
    await this.#journal?.append(message);
    this.#messages.push(message);
  }

  /** Oldest first. */
  messages(): readonly SentMessage[] {
    return this.#messages;
  }

  async close(): Promise<void> {
    await this.#journal?.close();
  }
}
