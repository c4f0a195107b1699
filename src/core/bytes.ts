/** Sizes in bytes, as text for people. */
const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Formats a size for people: `12.3 MiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
