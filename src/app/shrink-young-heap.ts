/**
 * Releases the memory of the young heap, which loading the modules grew to its maximum. It grows
 * again with the load. Call it before the process listens, because it blocks the process for about
 * a quarter of a second. Without `--expose-gc` it does nothing.
 */
export function shrinkYoungHeap(): void {
  // Only a last-resort garbage collection shrinks the young heap.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
