/** Builds the application into `dist`. The server puts the nonce of each answer into the page. */
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import manifest from '../package.json' with { type: 'json' };
import { described } from './described.ts';

// biome-ignore lint/style/noDefaultExport: Vite reads the default export.
export default defineConfig({
  root: import.meta.dirname,
  // The server puts the nonce of each answer in its place.
  html: { cspNonce: '__OJA_NONCE__' },
  define: {
    __OJA_DOCUMENTS__: JSON.stringify(
      `${manifest.repository.url.replace(/^git\+|\.git$/g, '')}/blob/v${manifest.version}/docs`,
    ),
  },
  plugins: [react(), described()],
  build: {
    target: 'es2023',
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows no inline file, and no script of a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The licenses of the packages whose code is in the application.
    license: { fileName: 'licenses.json' },
    rolldownOptions: {
      // The warning is useless for an installation on a busy machine.
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          // The common code of all screens is one file, which the page names, so it is loaded at
          // the start. Each screen is a separate file.
          groups: [{ name: 'widgets', test: /[\\/]src[\\/](?:api|design|widgets)[\\/]/, minShareCount: 2 }],
        },
      },
    },
  },
  server: { proxy: { '/api': process.env.OJA_CONSOLE_URL ?? 'http://127.0.0.1:8082' } },
});
