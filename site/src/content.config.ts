/** Every page comes from `generated/content`, which `npm run generate` writes. */

import { defineCollection } from 'astro:content';
import { docsSchema } from '@astrojs/starlight/schema';
import { glob } from 'astro/loaders';

export const collections = {
  docs: defineCollection({
    loader: glob({ base: './generated/content', pattern: '**/*.{md,mdx}' }),
    schema: docsSchema(),
  }),
};
