/** The providers this version of Oja can speak to: each folder here is one. Whether it is configured, the settings say. */
import { readdirSync } from 'node:fs';

export function listProviderNames(): string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}
