/**
 * The site: static pages of Starlight from the files that `npm run generate` wrote into
 * `generated/`.
 */
import { readFileSync } from 'node:fs';
import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import { place } from './generate/place.ts';

const { origin, base } = place(process.env.OJA_SITE_URL);
const sidebar = JSON.parse(readFileSync(new URL('generated/contents.json', import.meta.url), 'utf8'));

export default defineConfig({
  ...(origin === undefined ? {} : { site: origin }),
  base,
  publicDir: './generated/public',
  trailingSlash: 'always',
  markdown: { smartypants: false },
  integrations: [
    starlight({
      title: 'Oja',
      description: 'A self-hosted prepaid vending gateway',
      favicon: '/favicon.svg',
      logo: { src: './src/assets/logo.svg' },
      customCss: ['./src/styles/site.css'],
      components: { Footer: './src/components/Footer.astro' },
      credits: false,
      expressiveCode: { defaultProps: { frame: 'none', wrap: true } },
      pagination: true,
      lastUpdated: false,
      tableOfContents: { minHeadingLevel: 2, maxHeadingLevel: 3 },
      sidebar,
    }),
  ],
});
