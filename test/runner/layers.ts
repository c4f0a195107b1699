/**
 * Which test files belong to which layer, and which of them need a separate process. A file asks
 * for one with a line `// Own process: <reason>`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testCells } from '../support/test-cells.ts';

export const root = join(import.meta.dirname, '..', '..');

export type Layer = 'test' | 'drills' | 'proof';

export const layers: readonly Layer[] = ['test', 'drills', 'proof'];
const folders: Readonly<Record<Exclude<Layer, 'test'>, readonly string[]>> = {
  drills: ['test/browser/', 'test/crash/', 'test/drills/', 'packages/embedded-postgres/test/'],
  proof: ['test/proof/'],
};

/** A line of a file with a gateway takes several times as long as one without. */
const GATEWAY_WEIGHT = 4;
/** The files that share a gateway follow one another, so that it can end after the last of them. */
const SHARING_WEIGHT = 1_000_000;

/**
 * The slowest files of each layer, in this order. They start first, because a long file that starts
 * last delays the end of the run.
 */
const longest: readonly string[] = [
  'test/simulation/seeds.test.ts',
  'test/audit/audit.test.ts',
  'test/purchases/purchases.test.ts',
  'test/cli/commands.test.ts',
  'test/e2e/authentication.test.ts',
  'test/conformance/panel.test.ts',
  'test/operate/retention/forget-old.test.ts',
  'test/conformance/funding.test.ts',
  'test/providers/unclear-answers.test.ts',
  'test/browser/console.test.ts',
  'test/browser/portal.test.ts',
  'test/browser/people.test.ts',
  'test/crash/random-kill.test.ts',
  'test/drills/start.test.ts',
  'test/drills/sharing.test.ts',
  'test/drills/webhooks.test.ts',
  'test/browser/troubles.test.ts',
  'test/crash/partial.test.ts',
  'test/crash/failpoints.test.ts',
];

/** The cells of the second run of some files. */
const CELLS = 8;

/** Files of the money path that `npm test` and the drills run once more on databases with cells. */
const onCells: readonly string[] = [
  'test/purchases/engine/accept.test.ts',
  'test/purchases/engine/resolve.test.ts',
  'test/purchases/engine/hot-plans.test.ts',
  'test/simulation/seeds.test.ts',
  'test/wallet/wallet.test.ts',
  'test/e2e/status.test.ts',
  'test/e2e/idempotency.test.ts',
  'test/crash/lost-answers.test.ts',
];

export type TestFile = {
  /** Relative to the root. */
  readonly path: string;
  /** The cells of its databases. */
  readonly cells: number;
  readonly ownProcess: boolean;
  /** Whether it uses the gateway that the files of a process share. */
  readonly sharesGateway: boolean;
  /** Estimates the duration of a file from its text. */
  readonly weight: number;
};

export function isLayer(word: string | undefined): word is Layer {
  return layers.some((layer) => layer === word);
}

/** All test files of a layer, the longest first. Each file is in exactly one layer. */
export function filesOf(layer: Layer): readonly TestFile[] {
  const files = globSync(['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'], { cwd: root });
  return files
    .filter((path) => layerOf(path) === layer)
    .flatMap((path) => {
      const file = describeFile(path, layer);
      return onCells.includes(path) ? [file, { ...file, cells: CELLS, ownProcess: true }] : [file];
    })
    .sort((a, b) => b.weight - a.weight);
}

function layerOf(path: string): Layer {
  if (folders.drills.some((folder) => path.startsWith(folder))) return 'drills';
  if (folders.proof.some((folder) => path.startsWith(folder))) return 'proof';
  return 'test';
}

export function describeFile(path: string, layer: Layer): TestFile {
  const text = readFileSync(join(root, path), 'utf8');
  const asks = /^(?:\/\/| \*) Own process: /m.test(text);
  const sharesGateway = /\bopenSharedGateway\b/.test(text);
  const startsGateway = /\b(?:openGatewayUnderTest|openSharedGateway|startGateway|linters)\b/.test(text);
  const place = longest.indexOf(path);
  const weight =
    place < 0
      ? text.split('\n').length * (startsGateway ? GATEWAY_WEIGHT : 1) + (sharesGateway ? SHARING_WEIGHT : 0)
      : Number.MAX_SAFE_INTEGER - place;
  return { path, cells: testCells, ownProcess: layer === 'proof' || asks, sharesGateway, weight };
}
