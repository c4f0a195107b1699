/** Removes our keys from what is stored and shown, in case an upstream quotes them in a reply. */
import type { CustomerAnswer, ProviderAnswer } from './provider.ts';

export type Scrubber = {
  answer(answer: ProviderAnswer): ProviderAnswer;
  customer(answer: CustomerAnswer): CustomerAnswer;
};

/** `secrets` is called at every use, since keys can change. */
export function createScrubber(secrets: () => readonly string[]): Scrubber {
  const scrub = (text: string): string =>
    secrets()
      .filter((secret) => secret !== '')
      .reduce((clean, secret) => clean.replaceAll(secret, '[key]'), text);
  return {
    answer: (answer) => ({
      ...answer,
      message: scrub(answer.message),
      ...(answer.telcoMessage !== undefined && { telcoMessage: scrub(answer.telcoMessage) }),
    }),
    customer: (answer) =>
      answer.kind === 'verified' ? answer : { ...answer, message: scrub(answer.message) },
  };
}
