/** The feed of events, the endpoints that receive them, and the deliveries. */
import { call, pathOf } from '../call.ts';
import { mayPass } from '../errors.ts';
import {
  type EndpointBody,
  type EventsAnswer,
  type Operations,
  operations,
  type WebhookDeliveriesAnswer,
} from '../generated/api.ts';
import type { CallOptions, Settings } from '../options.ts';
import { type Paged, paged } from '../pages.ts';
import { delayBefore, sleep } from '../retry.ts';

type Answer<Name extends keyof Operations> = Promise<Operations[Name]['answer']>;
type Body<Name extends keyof Operations> = Operations[Name]['body'];

export type FeedEvent = EventsAnswer['data'][number];
export type EventsQuery = Omit<NonNullable<Operations['listEvents']['query']>, 'types'> & {
  readonly types?: string | readonly string[];
};
export type WebhookDelivery = WebhookDeliveriesAnswer['data'][number];

export type EventMethods = {
  /** Oldest first, up to the present. Pass the `cursor` of a page as `after` to continue. */
  list(query?: EventsQuery, options?: CallOptions): Paged<EventsAnswer, FeedEvent>;
  /**
   * Endless pages, each returned as soon as there are events. Store the `cursor` of a page with
   * your results, in one transaction. It waits while the gateway is unavailable, and ends with the
   * reason of `signal` when it is aborted.
   */
  follow(query?: EventsQuery, options?: CallOptions): AsyncIterable<EventsAnswer>;
};

export function eventMethods(settings: Settings): EventMethods {
  const read = (query: EventsQuery, options: CallOptions | undefined): Promise<EventsAnswer> =>
    call(settings, 'look_up', { ...operations.listEvents, query }, options);
  return {
    list: (query = {}, options) =>
      paged({
        read: (cursor) =>
          read({ wait: 0, ...query, ...(cursor === undefined ? {} : { after: cursor }) }, options),
        items: ({ data }) => data,
        next: ({ has_more, cursor }) => (has_more ? cursor : undefined),
      }),
    follow: async function* (query = {}, options) {
      let failures = 0;
      for (let after = query.after; ; ) {
        try {
          const page = await read(after === undefined ? query : { ...query, after }, options);
          failures = 0;
          after = page.cursor;
          if (page.data.length > 0) yield page;
        } catch (error) {
          if (!mayPass(error)) throw error;
          await sleep(delayBefore(failures++), options?.signal);
        }
      }
    },
  };
}

export type EndpointMethods = {
  /** The answer contains the secret, only this time. */
  create(body: EndpointBody, options?: CallOptions): Answer<'createEndpoint'>;
  list(options?: CallOptions): Answer<'listEndpoints'>;
  change(id: string, body: Body<'changeEndpoint'>, options?: CallOptions): Answer<'changeEndpoint'>;
  delete(id: string, options?: CallOptions): Answer<'deleteEndpoint'>;
  /** Creates a new secret. For a time webhooks are signed with both. */
  rotate(
    id: string,
    body?: Body<'rotateEndpointSecret'>,
    options?: CallOptions,
  ): Answer<'rotateEndpointSecret'>;
  test(id: string, options?: CallOptions): Answer<'testEndpoint'>;
  replay(id: string, body: Body<'replayEndpoint'>, options?: CallOptions): Answer<'replayEndpoint'>;
};

export function endpointMethods(settings: Settings): EndpointMethods {
  const act = async <Name extends keyof Operations>(
    name: Name,
    id: string,
    body: object | undefined,
    options: CallOptions | undefined,
  ): Answer<Name> => {
    const { method, path } = operations[name];
    return call(settings, 'act', { method, path: pathOf(path, { id }), body }, options);
  };
  return {
    create: (body, options) => call(settings, 'act', { ...operations.createEndpoint, body }, options),
    list: (options) => call(settings, 'look_up', operations.listEndpoints, options),
    change: (id, body, options) => act('changeEndpoint', id, body, options),
    delete: (id, options) => act('deleteEndpoint', id, undefined, options),
    rotate: (id, body = {}, options) => act('rotateEndpointSecret', id, body, options),
    test: (id, options) => act('testEndpoint', id, undefined, options),
    replay: (id, body, options) => act('replayEndpoint', id, body, options),
  };
}

export type DeliveryMethods = {
  /** Newest first. */
  list(
    query?: Operations['listWebhookDeliveries']['query'],
    options?: CallOptions,
  ): Paged<WebhookDeliveriesAnswer, WebhookDelivery>;
  replay(id: string, options?: CallOptions): Answer<'replayWebhookDelivery'>;
};

export function deliveryMethods(settings: Settings): DeliveryMethods {
  return {
    list: (query = {}, options) =>
      paged({
        read: (cursor) => {
          const page = cursor === undefined ? query : { ...query, cursor };
          return call(settings, 'look_up', { ...operations.listWebhookDeliveries, query: page }, options);
        },
        items: ({ data }: WebhookDeliveriesAnswer) => data,
        next: ({ cursor }) => cursor,
      }),
    replay: async (id, options) => {
      const { method, path } = operations.replayWebhookDelivery;
      return call(settings, 'act', { method, path: pathOf(path, { id }) }, options);
    },
  };
}
