/** Which story an order plays. Pure. */
import { parseMobileNumber } from '../../products/mobile-number.ts';
import { directProducts } from '../../products/product.ts';
import { recordOf } from '../../products/registry.ts';
import { findStory, type StoryPlay, storyOfRecipient } from '../../products/test-stories.ts';
import type { ProviderOrder } from '../provider.ts';

const deliveredAtOnce: StoryPlay = { first: 'delivered' };

/** The stories of the short test numbers, by product and recipient. */
const byNumber: ReadonlyMap<string, ReadonlyMap<string, StoryPlay>> = new Map(
  directProducts.map((product) => [
    product,
    new Map(
      recordOf(product).testNumbers.map(({ number, story }) => [
        parseMobileNumber(number) ?? number,
        playOfStory(story, product),
      ]),
    ),
  ]),
);

/** What the plans of the catalog that are there to be tried call stories. */
const scenarios: Readonly<Record<string, string>> = { failed: '101', pending: '110' };

export function playOf({ product, recipient, story, planCodes }: ProviderOrder): StoryPlay {
  const record = recordOf(product);
  if (record?.kind === 'order') {
    const scenario = planCodes?.scenario;
    const planned = scenario === undefined ? record.testStory : scenarios[scenario];
    return playOfStory(story ?? planned, product);
  }
  return (
    byNumber.get(product)?.get(recipient) ?? storyOfRecipient(product, recipient)?.play ?? deliveredAtOnce
  );
}

function playOfStory(id: string | undefined, product: string): StoryPlay {
  return (id === undefined ? undefined : findStory(id, product)?.play) ?? deliveredAtOnce;
}
