/** Objects that the files of a worker share, such as its gateway, and how they end. */

type End = () => PromiseLike<unknown>;

const ends: End[] = [];

/** Registers how to end something that a file starts and later files use. */
export function endWithSharing(end: End): void {
  ends.push(end);
}

/** Ends everything that is shared. A file that needs it again starts it again. */
export async function endSharing(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
}
