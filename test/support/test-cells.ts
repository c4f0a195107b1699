/**
 * The number of cells of every database of a test process: `OJA_TEST_CELLS`, or one if it is not
 * set.
 */
export const testCells = Number(process.env.OJA_TEST_CELLS ?? 1);
