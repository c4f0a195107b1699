/** Who may do something: an open session and, for some things, one that was stepped up. */
import type { FastifyRequest } from 'fastify';
import type { Sharer } from '../kernel/fair-gate.ts';
import type { MerchantRole, Role } from '../kernel/operation.ts';
import type { Operator } from '../operations/run-operation.ts';
import type { Face } from '../users/crew.ts';
import type { Present } from '../users/find-session.ts';
import { SignInError } from '../users/sign-in-error.ts';
import { actorOfUser } from '../users/sign-in-parts.ts';

/** Throws SignInError `signed_out`, `second_factor_needed`. */
export function requireOpen({ present }: Pick<FastifyRequest, 'present'>): Present {
  if (present === undefined) throw new SignInError({ code: 'signed_out' });
  if (present.session.state !== 'open') throw new SignInError({ code: 'second_factor_needed' });
  return present;
}

/** Throws SignInError `step_up_needed`. */
export function requireStepUp({ session }: Present): void {
  if (session.stepped_up_until === null) throw new SignInError({ code: 'step_up_needed' });
}

/** Whose share it takes: a merchant's people share what the merchant has. */
export function sharerOf({ session, user }: Present, face: Face): Sharer<Face> {
  return {
    pool: face,
    group: user.merchant_id ?? user.id,
    member: user.merchant_id === null ? session.id : user.id,
  };
}

/** With the roles as they are now. */
export function operatorOf({ session, user }: Present, face: Face): Operator {
  const actor = actorOfUser(user, face, session.id);
  return user.merchant_code === null
    ? { ...actor, roles: user.roles as readonly Role[] }
    : {
        ...actor,
        roles: [],
        merchant: { code: user.merchant_code, roles: user.roles as readonly MerchantRole[] },
      };
}
