/**
 * The spending limits of a credential: a cap per purchase, a cap per day, and whether agents may
 * buy with it over MCP. Guarantees: no cap is zero, the one per purchase is within the one per day,
 * and agents buy only under both caps.
 */
import { OperationError } from '../core/errors.ts';
import { formatAmount, parseAmount } from '../core/money.ts';
import type { CredentialRow, Spending } from './credential-store.ts';

export const uncapped: Spending = { purchaseCap: undefined, dailyCap: undefined, mcpPurchases: false };

type SpendingInput = {
  readonly per_purchase?: string | undefined;
  readonly per_day?: string | undefined;
  readonly mcp_purchases?: 'allowed' | 'none' | undefined;
};

/**
 * Amounts as text, or `none`; absent fields stay unchanged. Throws OperationError: `caps_crossed`,
 * `mcp_needs_caps`.
 */
export function readSpending(input: SpendingInput, before: Spending): Spending {
  const spending = {
    purchaseCap: readCap(input.per_purchase, before.purchaseCap),
    dailyCap: readCap(input.per_day, before.dailyCap),
    mcpPurchases: input.mcp_purchases === undefined ? before.mcpPurchases : input.mcp_purchases === 'allowed',
  };
  const { purchaseCap, dailyCap, mcpPurchases } = spending;
  if (purchaseCap !== undefined && dailyCap !== undefined && purchaseCap > dailyCap) {
    throw new OperationError({ code: 'caps_crossed', perPurchase: purchaseCap, perDay: dailyCap });
  }
  if (mcpPurchases && (purchaseCap === undefined || dailyCap === undefined)) {
    throw new OperationError({ code: 'mcp_needs_caps' });
  }
  return spending;
}

function readCap(text: string | undefined, before: bigint | undefined): bigint | undefined {
  if (text === undefined) return before;
  return text === 'none' ? undefined : parseAmount(text);
}

export function spendingOf(row: CredentialRow): Spending {
  return {
    purchaseCap: row.purchase_cap ?? undefined,
    dailyCap: row.daily_cap ?? undefined,
    mcpPurchases: row.mcp_purchases,
  };
}

/** The caps in the form of the audit log. */
export function spendingEntry({ purchaseCap, dailyCap, mcpPurchases }: Spending): Record<string, unknown> {
  return {
    per_purchase: purchaseCap === undefined ? null : formatAmount(purchaseCap),
    per_day: dailyCap === undefined ? null : formatAmount(dailyCap),
    mcp_purchases: mcpPurchases ? 'allowed' : 'none',
  };
}
