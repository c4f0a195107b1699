/** A screen of the console or of the portal. */
import type { OperationName } from './api/operations.ts';

/** The groups of the navigation, in its order. */
export const groups = ['Sell', 'Money', 'Operate', 'Admin'] as const;

export type Screen = {
  readonly path: string;
  readonly name: string;
  /** Whether it is in the navigation. */
  readonly isListed: boolean;
  /** Absent in the portal, whose navigation is one list. */
  readonly group?: (typeof groups)[number];
  /** The page that explains it, below `docs/`, with the heading. */
  readonly document: string;
  /** The navigation hides the screen from users who may not run its operations. */
  readonly woven: readonly OperationName[];
};
