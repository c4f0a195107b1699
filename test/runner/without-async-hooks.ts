/**
 * Loaded before Node's test runner, which follows every promise of a process to know its test. That
 * takes a tenth of the processor time of our files. An asynchronous context knows the same.
 */
import asyncHooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

type Init = (asyncId: number, type: string, triggerAsyncId: number, resource: object) => void;

const running = new AsyncLocalStorage<number>();
/** What the runner does with a new resource: it remembers the tests among them. */
let remember: Init = () => undefined;

class ResourceInContext extends AsyncResource {
  constructor(...options: ConstructorParameters<typeof AsyncResource>) {
    super(...options);
    remember(this.asyncId(), options[0], running.getStore() ?? 0, this);
  }

  override runInAsyncScope<This, Result>(
    work: (this: This, ...values: unknown[]) => Result,
    self?: This,
    ...values: unknown[]
  ): Result {
    const inContext = (): Result =>
      running.run(this.asyncId(), () => Reflect.apply(work, self, values) as Result);
    return super.runInAsyncScope(inContext);
  }
}

Object.assign(asyncHooks, {
  AsyncResource: ResourceInContext,
  executionAsyncId: () => running.getStore() ?? 0,
  createHook: ({ init }: { init: Init }) => ({
    enable: () => {
      remember = init;
    },
    disable: () => undefined,
  }),
});
