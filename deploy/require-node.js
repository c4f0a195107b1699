/**
 * Ends `npm start` with a sentence where Node.js is too old. Plain JavaScript, since any Node.js may
 * run it.
 */
if (Number.parseInt(process.versions.node, 10) < 24) {
  console.error(`Oja needs Node.js 24 or later, and this is ${process.version}: install a newer one.`);
  process.exit(1);
}
