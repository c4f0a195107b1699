/** No guards are set. */
import type { Guards } from '../../src/catalog/margins/guards.ts';

export const noGuards: Guards = {
  stops: () => false,
  loses: () => false,
  expects: () => undefined,
  reload: () => Promise.resolve(),
};
