/** Files of a project, by their paths below its root. A file that exists is never replaced. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export function addFile(root: string, path: string, text: string): string {
  const whole = join(root, path);
  if (existsSync(whole)) throw new Error(`${path} exists`);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  return path;
}

/** Throws if the file does not contain `before` exactly once. */
export function changeFile(root: string, path: string, before: string, after: string): string {
  const text = readFileSync(join(root, path), 'utf8');
  if (text.split(before).length !== 2) throw new Error(`${path} must have this once: ${before}`);
  writeFileSync(
    join(root, path),
    text.replace(before, () => after),
  );
  return path;
}

export function firstImportOf(root: string, path: string): string {
  const [line] = /^import .* from .*$/m.exec(readFileSync(join(root, path), 'utf8')) ?? [];
  if (line === undefined) throw new Error(`${path} has no import`);
  return line;
}

/** `esim-access` as `esimAccess`. */
export function camelCase(name: string): string {
  return name.replace(/[-_](.)/g, (_, letter: string) => letter.toUpperCase());
}

export function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}
