/** Exit code 0 while the gateway of this container should get traffic: for its health check. */
const port = process.env.METRICS_PORT || '9464';
const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
process.exitCode = answer?.ok === true ? 0 : 1;
