/** Writes a provider of airtime. */
import { copyModel, type Model } from './copy-model.ts';

const model: Model = {
  folder: 'test/app/own/acme',
  source: 'src/providers',
  tests: 'test/providers',
  page: (title, prefix, name) => `# ${title}

Sells airtime.

## Settings

| Setting | Value |
|---|---|
| \`${prefix}_URL\` | the address of the API |
| \`${prefix}_KEY\` | the key of your account |

## Going live

Route purchases to it: \`oja route set live airtime MTN ${name}\`.

## What its answers mean

| Answer | Outcome |
|---|---|
| \`done\` | success |
| \`refused\` | failed |
| anything else | pending: the provider is queried |
`,
};

export function writeProvider(root: string, name: string): readonly string[] {
  return [
    ...copyModel(root, model, name).map((path) => `wrote ${path}`),
    'To do: its calls, codes and settings; the simulator; test/conformance.',
    'See docs/maintainers/adding-a-provider.md.',
  ];
}
