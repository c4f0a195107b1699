/** A file that cannot be read as a list of records. The message is for operators. */

export type CatalogFileFault = 'empty' | 'not_utf8' | 'not_csv' | 'not_json' | 'not_list';

export class CatalogFileError extends Error {
  readonly code: CatalogFileFault;

  constructor(code: CatalogFileFault, message: string) {
    super(message);
    this.name = 'CatalogFileError';
    this.code = code;
  }
}
