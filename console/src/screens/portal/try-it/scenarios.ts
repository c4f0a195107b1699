/** The first scenarios to try. The documentation lists all test numbers. */

type Scenario = { readonly number: string; readonly name: string };

export const scenarios: readonly Scenario[] = [
  { number: '08031234567', name: 'Delivered immediately' },
  { number: '08000000101', name: 'Refused immediately' },
  { number: '08000000110', name: 'Pending for a few seconds, then delivered' },
  { number: '08000000111', name: 'Pending for a few seconds, then refused' },
  { number: '08000000120', name: 'Delivered, but the response is lost' },
  { number: '08000000201', name: 'Pending for a minute, then delivered' },
];
