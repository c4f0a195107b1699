/** The things that the files of a worker share, such as its gateway, and how they end. */

type End = () => PromiseLike<unknown>;

const ends: End[] = [];

/** Registers the end of something that a file starts and leaves to the files after it. */
export function endWithSharing(end: End): void {
  ends.push(end);
}

/** Ends everything that is shared. A file that wants it again starts it again. */
export async function endSharing(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()));
}
