/** The stories that are worth a try first: all are on the page of the test numbers. */

export type Story = { readonly number: string; readonly name: string };

export const stories: readonly Story[] = [
  { number: '08031234567', name: 'It is delivered at once' },
  { number: '08000000101', name: 'It is refused at once' },
  { number: '08000000110', name: 'It is pending for a few seconds, then delivered' },
  { number: '08000000111', name: 'It is pending for a few seconds, then refused' },
  { number: '08000000120', name: 'It is delivered, but the answer is lost' },
  { number: '08000000201', name: 'It is pending for a minute, then delivered' },
];
