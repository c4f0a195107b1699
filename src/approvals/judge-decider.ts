/** Decides who may approve an act that waits. What is offered to people and what is done agree. */
import { type Role, roles } from '../kernel/operation.ts';
import type { ApprovalRow } from './approval-store.ts';
import type { Control } from './is-one-person.ts';
import { isOnePerson } from './is-one-person.ts';

export type Decider = { readonly principal: string; readonly roles: readonly Role[] };

/** Who looks, and which roles an operation is open to. */
export type Looking = {
  readonly looker: Decider;
  readonly rolesOf: (operation: string) => readonly Role[];
};

/** The codes with which an approval is refused. */
export const decisionRefusals = ['role_lacking', 'approval_over', 'approval_by_same_person'] as const;
export type DecisionRefusal = (typeof decisionRefusals)[number];

/** Undefined where `decider` may approve it. */
export function refusalOf(
  approval: Pick<ApprovalRow, 'state' | 'operation' | 'asked_principal' | 'asked_at'>,
  decider: Decider,
  controls: readonly Control[],
  rolesOf: Looking['rolesOf'],
): DecisionRefusal | undefined {
  const has = (operation: string): boolean => rolesOf(operation).some((role) => decider.roles.includes(role));
  if (!has('approval.approve')) return 'role_lacking';
  if (approval.state !== 'waiting') return 'approval_over';
  const { asked_principal: asker, asked_at: since } = approval;
  if (isOnePerson(asker, decider.principal, controls, since)) return 'approval_by_same_person';
  return has(approval.operation) ? undefined : 'role_lacking';
}

export function isRole(role: string): role is Role {
  return (roles as readonly string[]).includes(role);
}
