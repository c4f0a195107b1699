/**
 * An error with a code that a script or a test can rely on. The code stays; the message is for
 * people and may be reworded.
 */
export abstract class CodedError<Code extends string = string> extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
