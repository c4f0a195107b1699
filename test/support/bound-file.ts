/**
 * Loaded before every test file: ends a file that is still alive long after it should have
 * finished, such as one whose failed test left a server running. The runner's own time limit is for
 * each test and never ends a process. The bound is far more than any file takes: the longest takes
 * four minutes on two slow processors, beside two others.
 */
const longestFileMs = 15 * 60_000;

// The runner itself loads this too, and takes as long as all the files.
const isTestFile = process.env.NODE_TEST_CONTEXT !== undefined;
if (isTestFile) {
  setTimeout(() => {
    console.error(`still alive after ${longestFileMs / 60_000} minutes: ${process.getActiveResourcesInfo()}`);
    process.exit(1);
  }, longestFileMs).unref();
}
