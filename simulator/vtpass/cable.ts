/** Cable at the simulated VTpass: the bouquets of the demo catalog, and who has which. */
import { findCustomer, isPlausible } from '../customers.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import type { SimulatedBill } from './bill.ts';
import { presentBouquet } from './bouquet.ts';

export const cable: SimulatedBill = {
  product: 'CABLE',
  category: 'tv-subscription',
  type: 'TV Subscription',
  services: [
    ['dstv', 'DSTV Subscription'],
    ['gotv', 'Gotv Payment'],
    ['startimes', 'Startimes Subscription'],
  ],
  bounds: { min: 100_00n, max: 1_000_000_00n },
  isByAmount: false,
  takesType: false,
  isPlausible: (recipient) => isPlausible('CABLE', recipient),
  find: ({ serviceId }, recipient) => findCustomer('CABLE', recipient, serviceId.toUpperCase()),

  toContent: (service, recipient, _variation, customer) => {
    const common = { Customer_Name: customer.name, WrongBillersCode: false };
    if (service.serviceId === 'startimes') return { ...common, Balance: 0, Smartcard_Number: recipient };
    const { bouquet, due } = presentBouquet(service, recipient);
    return {
      ...common,
      Status: 'ACTIVE',
      Due_Date: '2026-12-31T00:00:00',
      Customer_Number: recipient,
      Customer_Type: service.serviceId.toUpperCase(),
      Current_Bouquet: `${bouquet.name} N${nairaText(bouquet.price)}`,
      Current_Bouquet_Code: bouquet.code,
      Renewal_Amount: nairaNumber(due),
    };
  },
  unknownText: 'SmartCardNumber is not valid. Please check and try again',
};
