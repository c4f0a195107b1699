/** The files of the repository that a new folder is made from. */
import { existsSync, readFileSync } from 'node:fs';

const compose = [
  'Caddyfile',
  'grafana-dashboards.yaml',
  'grafana.yaml',
  'pgbackrest.sh',
  'pgbackrest-backup.sh',
  'postgres-init.sh',
  'prometheus.yaml',
  'record-backups.sh',
].map((name) => `deploy/compose/${name}`);

const monitoring = ['deploy/monitoring/dashboard.json', 'deploy/monitoring/rules.yaml'];

/** What a production with Docker Compose has beside its compose file. */
export const composeParts = [...compose, ...monitoring];

export const templateFiles = [
  'compose.yaml',
  'compose.demo.yaml',
  'deploy/systemd/oja.service',
  ...composeParts,
];

/** In the package they are copies; in the repository they are the files themselves. */
export function readTemplate(path) {
  const packed = new URL(`../template/${path}`, import.meta.url);
  const source = new URL(`../../../${path}`, import.meta.url);
  return readFileSync(existsSync(packed) ? packed : source, 'utf8');
}
