/** Takes our keys out of what is stored and shown, should an upstream ever quote them back. */
import type { CustomerAnswer, ProviderAnswer } from './provider.ts';

export type Scrubber = {
  answer(answer: ProviderAnswer): ProviderAnswer;
  customer(answer: CustomerAnswer): CustomerAnswer;
};

/** `secrets` is asked at every use, for keys that change. */
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
