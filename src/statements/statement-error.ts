/** What is wrong with a statement or its mapping, in words with line numbers, for the operator. */
export class StatementError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'StatementError';
    this.faults = faults;
  }
}
