/**
 * Returns the memory of the young heap, which loading the modules grew to its largest. It grows
 * again with the load. Call it before the process listens, since it stops the process for about a
 * quarter of a second of processor time. Without `--expose-gc` it does nothing.
 */
export function shrinkYoungHeap(): void {
  // Only a collection of last resort makes the young heap smaller.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
