/** What the settings say of where people sign in. */
import type { SignInServices } from '../users/sign-in-services.ts';
import type { Config } from './config.ts';
import { addressOfFace } from './console-config.ts';

export function signInServices({
  faces,
  smtp,
  profile,
}: Pick<Config, 'faces' | 'smtp' | 'profile'>): SignInServices {
  return {
    addresses: { console: addressOfFace(faces.console), portal: addressOfFace(faces.portal) },
    // In the demo e-mails become files.
    hasMail: smtp !== undefined || profile === 'demo',
  };
}
