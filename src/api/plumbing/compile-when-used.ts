/**
 * Compiles the schemas of a route when its first request arrives. A start of the gateway would
 * compile hundreds of schemas, of which most processes use a few.
 */
import AjvCompiler, { type BuildCompilerFromPool } from '@fastify/ajv-compiler';
import SerializerSelector, { type SerializerFactory } from '@fastify/fast-json-stringify-compiler';

/** Like Fastify's own compiler of validators. A schema of headers must name them in lower case. */
export const validateWhenUsed: BuildCompilerFromPool = (schemas, options) => {
  const compile = AjvCompiler()(schemas, options);
  return (route) => {
    let validate: ReturnType<typeof compile> | undefined;
    const check: ReturnType<typeof compile> = Object.assign((value: unknown) => {
      validate ??= compile(route);
      const valid = validate(value);
      check.errors = validate.errors ?? null;
      return valid;
    });
    return check;
  };
};

/** Like Fastify's own compiler of serializers. */
export const serializeWhenUsed: SerializerFactory = (schemas, options) => {
  const compile = SerializerSelector()(schemas, options);
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined;
    return (value) => {
      serialize ??= compile(route);
      return serialize(value);
    };
  };
};
