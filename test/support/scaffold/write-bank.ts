/** Writes a bank of funding accounts. */
import { copyModel, type Model } from './copy-model.ts';

const model: Model = {
  folder: 'test/app/own/depot',
  source: 'src/funding/banks',
  tests: 'test/funding/banks',
  page: (title, prefix, name) => `# ${title}

Holds [funding accounts](../funding.md).

## Settings

| Setting | Value |
|---|---|
| \`${prefix}_URL\` | the address of the API |
| \`${prefix}_KEY\` | the key of your account |

## Go live

1. Set the webhook URL to \`<your public address>/hooks/${name}\`.
2. Start the gateway with \`OJA_FUNDING_PROVIDER=${name}\`. Enable and register your own merchant.
3. Transfer 200 naira. 200 naira without the fees must reach the wallet.

## What its replies mean

| Reply | Meaning |
|---|---|
| \`open\` | the account is active |
| \`refused\` | the registration is refused |
| \`paid\` | the payment is credited |
| anything else | the bank is queried again |
`,
};

export function writeBank(root: string, name: string): readonly string[] {
  return [
    ...copyModel(root, model, name).map((path) => `wrote ${path}`),
    'To do: its calls, replies and settings; the simulator; test/conformance/funding.test.ts.',
    'See docs/maintainers/adding-a-bank.md.',
  ];
}
