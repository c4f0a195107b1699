/** The simulated panels, one of each family, below `/panel/<family>`. */
import type { FastifyPluginAsync } from 'fastify';
import type { Simulation } from '../account.ts';
import { adexRoutes } from './adex.ts';
import { msorgRoutes } from './msorg.ts';
import { phpRoutes } from './php.ts';
import { smartrechargeRoutes } from './smartrecharge.ts';

export const panelRoutes: FastifyPluginAsync<Simulation> = async (app, { books, faults, lies, settings }) => {
  const simulation = { books, faults, lies, settings };
  await app.register(msorgRoutes, { ...simulation, prefix: '/msorg' });
  await app.register(adexRoutes, { ...simulation, prefix: '/adex' });
  await app.register(phpRoutes, { ...simulation, prefix: '/php' });
  await app.register(smartrechargeRoutes, { ...simulation, prefix: '/smartrecharge' });
};
