/** The names of the files of the write-ahead log: timeline, log, segment, each eight hex digits. */

/** From the first to the last, both included. They are of one timeline. */
export function walNames(first: string, last: string, segmentBytes: number): string[] {
  const perLog = 2 ** 32 / segmentBytes;
  const timeline = first.slice(0, 8);
  const [from, to] = [first, last].map(
    (name) => Number.parseInt(name.slice(8, 16), 16) * perLog + Number.parseInt(name.slice(16), 16),
  ) as [number, number];
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const number = from + index;
    return `${timeline}${hex(Math.floor(number / perLog))}${hex(number % perLog)}`;
  });
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}
