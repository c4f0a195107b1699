/** Filters that choose one of the merchant's wallets. */
import { environmentFilter, type Filter } from '../../widgets/filter-bar.tsx';

export const walletFilters: readonly Filter[] = [
  environmentFilter,
  {
    name: 'currency',
    label: 'Currency',
    usual: 'NGN',
    choices: [
      { value: 'NGN', name: 'Naira' },
      { value: 'USD', name: 'US dollar' },
    ],
  },
];
