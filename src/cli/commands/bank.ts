/** `oja bank`: plays a customer at a simulated bank, in the demo and for test credentials. */
import { payInOperation } from '../../funding/operations/pay-in.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const bankCommands: readonly OperationCommand[] = [
  commandOf(payInOperation, {
    arguments: ['account', 'amount'],
    examples: [
      'bank transfer 6012345678 5000',
      'bank transfer 6012345678 5000 --notices 0',
      'bank transfer 6000000000 5000 --provider monnify',
    ],
    text: ({ amount, account_number: account, provider, reference }) =>
      `Paid ${amount} into ${account} at ${provider}: ${reference}.`,
  }),
];
