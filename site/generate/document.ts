/** The parts of the OpenAPI document that the reference is made from, and its routes in order. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
type Media = { readonly schema: Schema; readonly examples?: Examples };
export type Response = {
  readonly description: string;
  readonly content?: Readonly<Record<string, Media>>;
};
export type Parameter = {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: string | number | boolean;
};
export type Operation = {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content: Readonly<Record<string, Media>>;
  };
  readonly responses: Readonly<Record<string, Response | { readonly $ref: string }>>;
};
export type OpenApi = {
  readonly info: { readonly title: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};

export type Route = { readonly method: string; readonly path: string; readonly operation: Operation };

/** By the order of the tags, and within a tag by the order of the document. */
export function listRoutes(document: OpenApi): Route[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );
  const ranked = document.tags.map(({ name }) => name);
  const rank = ({ operation }: Route): number => ranked.indexOf(operation.tags[0] ?? '');
  return all.toSorted((one, other) => rank(one) - rank(other));
}

/** Resolves a reference of the document, or returns the value itself. */
export function resolve<T extends object>(document: OpenApi, value: T | { readonly $ref: string }): T {
  if (!('$ref' in value) || typeof value.$ref !== 'string') return value as T;
  const [, , kind = '', name = ''] = value.$ref.split('/');
  const found = document.components[kind]?.[name];
  if (found === undefined) throw new Error(`the document has no ${value.$ref}`);
  return found as T;
}

export function isOpen(operation: Operation): boolean {
  return operation.security !== undefined && operation.security.length === 0;
}
