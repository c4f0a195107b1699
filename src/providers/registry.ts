/** The providers of Oja, one line each. The demo routes live purchases to them in this order. */

import { buypower } from './buypower/index.ts';
import { clubkonnect } from './clubkonnect/index.ts';
import { easyAccess } from './easyaccess/index.ts';
import { esimAccess } from './esimaccess/index.ts';
import { flutterwaveBills } from './flutterwave-bills/index.ts';
import { nomba } from './nomba/index.ts';
import { ogdams } from './ogdams/index.ts';
import { panel } from './panel/index.ts';
import type { ProviderDefinition } from './provider-definition.ts';
import { reloadly } from './reloadly/index.ts';
import { sandbox } from './sandbox/index.ts';
import { smeplug } from './smeplug/index.ts';
import { vtpass } from './vtpass/index.ts';
import { vtung } from './vtung/index.ts';

export const builtInProviders: readonly ProviderDefinition[] = [
  sandbox,
  vtpass,
  nomba,
  reloadly,
  esimAccess,
  clubkonnect,
  smeplug,
  buypower,
  flutterwaveBills,
  vtung,
  easyAccess,
  ogdams,
  panel,
];
