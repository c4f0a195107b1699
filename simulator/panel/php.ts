/**
 * A panel of the family `php`, below `/panel/php`. A failure has HTTP 400, a repeated reference
 * looks like a refusal, a wrong key is quoted, and no order can be queried.
 */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { delayCalls, json, type Reply } from '../http.ts';
import type { Words } from '../misbehave.ts';
import { nairaText, parseNaira } from '../naira.ts';
import {
  buy,
  EXAM_PRICE,
  fieldsOf,
  goodsOf,
  moved,
  nameOf,
  openPanel,
  PANEL_KEY,
  type PanelProduct,
  page404,
  priceOf,
  saidOf,
  textOf,
  verify,
} from './panel.ts';

const fail = (msg: string, status = 400): Reply => json({ status: 'fail', msg }, status);

const words: Words = {
  odd: { status: 'success' },
  noAccess: fail('Sorry, MTN is not available at the moment'),
  floatOut: fail('Insufficient balance fund your wallet and try again'),
  billerDown: fail('Sorry, MTN is not available at the moment'),
  unauthorized: fail(`Authorization token not found ${PANEL_KEY}`, 401),
  rateLimited: fail('Too many requests', 429),
  stranger: (proper) => proper,
};

export const phpRoutes: FastifyPluginAsync<Simulation> = async (app, simulation) => {
  const panel = openPanel('panel-php', simulation, {
    words,
    liesAboutAirtime: false,
    reply: (order) => {
      const said = saidOf(order);
      if (said === 'failed')
        return json({ status: 'fail', Status: 'failed', msg: 'The network refused it' }, 400);
      if (said === 'pending') return json({ status: 'processing', Status: 'processing' });
      const { pin } = goodsOf(order);
      return json({
        status: 'success',
        Status: 'successful',
        ...(pin !== undefined && { msg: pin, pin, pins: pin }),
      });
    },
    repeated: () => fail('Transaction Ref Already Exist'),
  });
  app.addHook('onClose', async () => panel.account.close());
  delayCalls(app, simulation.settings.latencyMs);
  app.addHook('preHandler', ({ headers }, reply, done) => {
    if (headers.authorization === `Token ${PANEL_KEY}`) done();
    else reply.send(fail(`Authorization token not found ${headers.authorization ?? ''}`, 401));
  });
  const order = (
    path: string,
    product: PanelProduct,
    recipient: string | undefined,
    toAmount: ToAmount,
  ): void => {
    app.post(`/api/${path}/`, ({ body }) => {
      const fields = fieldsOf(body);
      return buy(
        panel,
        {
          product,
          reference: textOf(fields.ref),
          recipient: recipient === undefined ? 'exam' : textOf(fields[recipient]),
          network: textOf(fields.network ?? fields.provider),
          amount: toAmount(fields),
        },
        fail('Network Id Required'),
      );
    });
    app.post(`/api/${path}`, () => moved);
  };
  order('airtime', 'airtime', 'phone', ({ amount }) => parseNaira(amount));
  order('data', 'data', 'phone', ({ data_plan: plan }) => priceOf(plan));
  order('cabletv', 'CABLE', 'iucnumber', ({ plan }) => priceOf(plan));
  order('exam', 'EDUCATION', undefined, () => EXAM_PRICE);
  app.post('/api/cabletv/verify/', ({ body }) => {
    const recipient = textOf(fieldsOf(body).iucnumber);
    const name = nameOf('CABLE', recipient);
    const known = json({ status: 'success', Status: 'successful', msg: name, name, Customer_Name: name });
    return verify(panel, recipient, name === undefined ? fail('Could Not Verify IUC Number') : known);
  });
  app.post('/api/user/', () =>
    json({ status: 'success', name: 'OJA', balance: nairaText(panel.account.balance()) }),
  );
  app.setNotFoundHandler(() => page404);
};

type ToAmount = (fields: ReturnType<typeof fieldsOf>) => bigint | undefined;
