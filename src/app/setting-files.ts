/**
 * Settings from files, the way container engines and systemd pass secrets: `OJA_SMTP_URL_FILE`
 * names a file that contains `OJA_SMTP_URL`.
 */
import { readFileSync } from 'node:fs';
import type { Variables } from './config.ts';

/** Other programs also have variables of that form, such as SSL_CERT_FILE. */
const NAMES_A_FILE = /^(OJA_[A-Z0-9_]+|DATABASE_URL)_FILE$/;

/**
 * Replaces settings that name a file with the file's content, without trailing line breaks. A
 * setting whose file cannot be read, or that is also set directly, is unchanged: SettingsReader
 * reports it.
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
