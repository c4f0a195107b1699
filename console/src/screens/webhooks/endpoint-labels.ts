/** The labels of an endpoint's fields. */
export const endpointLabels = {
  url: 'URL',
  events: 'Events (none: all)',
  description: 'Label',
  include_goods: 'Include goods, such as tokens',
} as const;
