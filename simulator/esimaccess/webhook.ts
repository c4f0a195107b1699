/** eSIM Access's webhook for an order whose profile was allocated. It is not signed. */
import type { Order } from '../books.ts';
import type { Callback } from '../callbacks.ts';

export function webhook(order: Order): Callback {
  return {
    body: {
      notifyType: 'ORDER_STATUS',
      content: {
        orderNo: order.detail.orderNo,
        transactionId: order.reference,
        orderStatus: order.status === 'delivered' ? 'GOT_RESOURCE' : 'CANCEL',
      },
    },
    isAccepted: async (response) => response.ok,
  };
}
