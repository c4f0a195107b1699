/** `oja merchant`: who may buy, what, and at which price. */
import { setDiscountOperation } from '../../catalog/operations/discount-merchant.ts';
import { listMerchantsOperation } from '../../merchants/operations/list-merchants.ts';
import { disableProductOperation, enableProductOperation } from '../../merchants/operations/set-product.ts';
import {
  resumeMerchantOperation,
  suspendMerchantOperation,
} from '../../merchants/operations/suspend-merchant.ts';
import { createMerchantOperation } from '../../wallet/operations/create-merchant.ts';
import { setFloorOperation } from '../../wallet/operations/set-floor.ts';
import { showMerchantOperation } from '../../wallet/operations/show-merchant.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';

export const merchantCommands: readonly OperationCommand[] = [
  commandOf(createMerchantOperation, {
    arguments: ['code', 'name'],
    examples: ['merchant create SHOP "Mama Put Stores"'],
  }),
  commandOf(listMerchantsOperation, {
    examples: ['merchant list', 'merchant list --find mama'],
  }),
  commandOf(showMerchantOperation, {
    arguments: ['merchant'],
    examples: ['merchant show SHOP'],
  }),
  commandOf(enableProductOperation, {
    command: 'merchant enable',
    arguments: ['merchant', 'product'],
    examples: ['merchant enable SHOP data --env live'],
  }),
  commandOf(disableProductOperation, {
    command: 'merchant disable',
    arguments: ['merchant', 'product'],
    examples: ['merchant disable SHOP data --env live'],
  }),
  commandOf(setDiscountOperation, {
    command: 'merchant discount',
    arguments: ['merchant', 'product', 'network', 'basis_points'],
    examples: ['merchant discount SHOP airtime MTN 250'],
  }),
  commandOf(setFloorOperation, {
    command: 'merchant floor',
    arguments: ['merchant', 'floor'],
    examples: ['merchant floor SHOP -50000', 'merchant floor SHOP 0 --env test'],
  }),
  commandOf(suspendMerchantOperation, {
    arguments: ['merchant'],
    examples: ['merchant suspend SHOP'],
  }),
  commandOf(resumeMerchantOperation, {
    arguments: ['merchant'],
    examples: ['merchant resume SHOP'],
  }),
];
