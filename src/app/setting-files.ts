/**
 * Settings from files, as container engines and systemd hand over secrets: `OJA_SMTP_URL_FILE`
 * names a file that holds `OJA_SMTP_URL`.
 */
import { readFileSync } from 'node:fs';
import type { Variables } from './config.ts';

/** Other programs have variables of that form too, such as SSL_CERT_FILE. */
const NAMES_A_FILE = /^(OJA_[A-Z0-9_]+|DATABASE_URL)_FILE$/;

/**
 * Puts the contents of files in the place of the settings that name them, without line breaks at
 * the end. A setting whose file cannot be read, or that is also set itself, stays as it is:
 * SettingsReader reports it.
 */
export function readSettingFiles(variables: Variables): Variables {
  const settings: Record<string, string | undefined> = { ...variables };
  for (const [naming, path] of Object.entries(variables)) {
    const [, name] = NAMES_A_FILE.exec(naming) ?? [];
    if (name === undefined || !path || variables[name]) continue;
    const text = readOrNothing(path);
    if (text === undefined) continue;
    settings[name] = text.replace(/[\r\n]+$/, '');
    delete settings[naming];
  }
  return settings;
}

function readOrNothing(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
