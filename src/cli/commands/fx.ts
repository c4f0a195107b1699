/** `oja fx`: what foreign currencies cost, by which gift cards and eSIMs are priced. */
import { listFxRatesOperation } from '../../catalog/operations/list-fx-rates.ts';
import { setFxRateOperation } from '../../catalog/operations/set-fx-rate.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const fxCommands: readonly OperationCommand[] = [
  commandOf(setFxRateOperation, {
    arguments: ['currency', 'rate'],
    examples: ['fx set USD 1545.25 --margin 3', 'fx set GBP 2065.5'],
  }),
  commandOf(listFxRatesOperation, {
    examples: ['fx list', 'fx list --history --currency USD'],
  }),
];
