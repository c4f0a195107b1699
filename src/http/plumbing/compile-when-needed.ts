/**
 * Schemas of routes become code when a request first needs them. For all routes at once that is a
 * sixth of what a start takes, and a request that comes first waits some milliseconds.
 */
import ajvCompiler from '@fastify/ajv-compiler';
import jsonStringifyCompiler from '@fastify/fast-json-stringify-compiler';
import type { FastifyServerOptions } from 'fastify';

type Compilers = NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>;

type ValidatorFactory = ReturnType<typeof ajvCompiler>;
type Validators = ReturnType<ValidatorFactory>;
type Serializers = ReturnType<ReturnType<typeof jsonStringifyCompiler>>;

/** The compilers of Fastify for one server, each put off until what it compiles is called. */
export function compileWhenNeeded(): Compilers {
  const [validators, serializers] = [ajvCompiler(), jsonStringifyCompiler()];
  return {
    buildValidator: (...given: Parameters<ValidatorFactory>) => putOffValidators(validators(...given)),
    buildSerializer: (...given) => putOffSerializers(serializers(...given)),
  };
}

function putOffValidators(compile: Validators): Validators {
  return (route) => {
    let validate: ReturnType<Validators> | undefined;
    const putOff = (value: unknown): unknown => {
      validate ??= compile(route);
      const answer = validate(value);
      putOff.errors = validate.errors;
      return answer;
    };
    // Fastify reads what was wrong from the function that it called.
    putOff.errors = undefined as ReturnType<Validators>['errors'];
    return putOff as ReturnType<Validators>;
  };
}

function putOffSerializers(compile: Serializers): Serializers {
  return (route) => {
    let serialize: ReturnType<Serializers> | undefined;
    return (answer) => {
      serialize ??= compile(route);
      return serialize(answer);
    };
  };
}
