/** The server's own log file: its output since a start, within a size limit. */
import { open, rename, stat } from 'node:fs/promises';

const sizeMax = 8 * 1024 * 1024;
const tailBytes = 8 * 1024;

/**
 * Returns the current length of the log. A log that grew too long is first renamed and replaces the
 * previously renamed one.
 */
export async function rotateLog(path: string): Promise<number> {
  const size = await stat(path).then(
    (file) => file.size,
    () => 0,
  );
  if (size <= sizeMax) {
    return size;
  }
  await rename(path, `${path}.old`);
  return 0;
}

/**
 * Returns why the server ended, in its own words since `offset`: its last fatal line, otherwise its
 * last line.
 */
export async function lastComplaint(path: string, offset: number): Promise<string> {
  await using file = await open(path);
  const { size } = await file.stat();
  const start = Math.max(offset, size - tailBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.max(0, size - start)), { position: start });
  const lines = buffer.toString('utf8', 0, bytesRead).split('\n').filter(Boolean);
  const line =
    lines.findLast((text) => /(FATAL|PANIC|ERROR):/.test(text)) ?? lines.at(-1) ?? 'it said nothing';
  return line.replace(/^.*?(?:FATAL|PANIC|ERROR):\s*/, '');
}
