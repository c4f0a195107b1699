/** Prints the page `THIRD_PARTY_LICENSES.md`, for the image. The console must be built. */
import { licensePage, shippedLicenses } from './licenses.ts';

console.log(licensePage(shippedLicenses()).trimEnd());
