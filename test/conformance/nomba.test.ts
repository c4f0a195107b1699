// The Nomba connector against the simulated Nomba: the suite of every connector, then what only Nomba can do wrong.

import { openNombaBench } from './nomba-bench.ts';
import { airtime, betting, cable, data, postpaid, prepaid } from './products.ts';
import { providerSuite } from './provider-suite.ts';

for (const product of [airtime, data, prepaid, postpaid, cable, betting]) {
  providerSuite('Nomba', product, () => openNombaBench({}, {}, product));
}
