/** Reads the kind that an operator names for a product. */
import { OperationError } from '../core/errors.ts';
import type { PlanKind } from '../core/products/plan-kind.ts';
import { kindsOf } from '../core/products/registry.ts';

/** Returns the kind, or `*` without one. Throws OperationError `no_such_kind`. */
export function findKind(product: string, kind: PlanKind | undefined): PlanKind | '*' {
  return kind === undefined ? '*' : requireKind(product, kind);
}

/** Throws OperationError `no_such_kind` for a kind that the product does not have. */
export function requireKind(product: string, kind: PlanKind): PlanKind {
  const known = kindsOf(product);
  if (!known.includes(kind)) throw new OperationError({ code: 'no_such_kind', product, kind, known });
  return kind;
}
