/** What the fields of an endpoint are called. */
export const endpointLabels = {
  url: 'Its address',
  events: 'Events; with none, all',
  description: 'What it is for',
  include_goods: 'With the goods, such as tokens',
} as const;
