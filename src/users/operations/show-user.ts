/** Shows one of the operator's people: roles, second factors, who invited. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { inputOf } from '../../kernel/operation-fields.ts';
import { findMember, operatorsCrew } from '../crew.ts';
import { readSecondFactors } from '../second-factor-store.ts';
import { emailField, userAnswer, userOutput } from '../user-answer.ts';

export const showUserOperation = defineOperation({
  name: 'user.show',
  kind: 'question',
  summary: "show one of the operator's people: roles, second factors, who invited",
  roles: admins,
  route: 'GET /users/{email}',
  document: 'operators/console.md',
  input: inputOf({ email: emailField }),
  output: Type.Object({
    ...userOutput.properties,
    created_by: Type.String(),
    second_factors: Type.Object({
      totp: Type.Boolean(),
      passkeys: Type.Integer(),
      recovery_codes_left: Type.Integer(),
    }),
  }),
  run: async ({ sql }: Asking, { email }) => {
    const user = await findMember(sql, operatorsCrew, email);
    const factors = await readSecondFactors(sql, user.id);
    return { ...userAnswer(user), created_by: user.created_by, second_factors: factors };
  },
});
