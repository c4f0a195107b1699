/**
 * The two environments, test and live. Each has credentials, wallets, vends, idempotency keys and
 * house accounts of its own.
 */
export const environments = ['test', 'live'] as const;

export type Environment = (typeof environments)[number];
