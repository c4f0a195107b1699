/** The parts that every scenario gets. */
import type { Cluster } from './cluster.ts';
import type { LoadGenerator } from './load/generator.ts';
import type { Options } from './options.ts';
import type { Scale } from './scale.ts';

export type Bench = {
  readonly options: Options;
  readonly scale: Scale;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A data folder, which is removed when the run ends. */
  readonly dir: string;
  readonly cluster: Cluster;
  readonly load: LoadGenerator;
  /** Disposed of when the scenario ends. */
  readonly stack: AsyncDisposableStack;
  /** Prints the current step. */
  readonly progress: (text: string) => void;
};
