/**
 * Test and live are separate worlds: separate credentials, wallets, vends, idempotency keys and
 * house accounts.
 */
export const environments = ['test', 'live'] as const;

export type Environment = (typeof environments)[number];
