/** What a new folder holds, and what its owner does next. */
import { randomBytes } from 'node:crypto';
import { providers } from './providers.js';
import { composeParts, readTemplate } from './template.js';

const OPEN = 0o644;
const PRIVATE = 0o600;
const PROGRAM = 0o755;

/** The first line of `.env`: what the folder was made for. */
export function markOf({ profile, run }) {
  return `# Made by create-oja for: ${[profile, run].filter((part) => part !== undefined).join(', ')}`;
}

/** The files of the folder. `folder` is its absolute path; `variables` may hold a provider's keys. */
export function filesOf(answers, folder, variables) {
  if (answers.profile === 'demo') return demoFiles(answers);
  return answers.run === 'systemd'
    ? systemdFiles(answers, folder, variables)
    : composeFiles(answers, variables);
}

const ignored = { path: '.gitignore', text: '.env\nsecrets/\n', mode: OPEN };

function demoFiles(answers) {
  return [
    {
      path: '.env',
      text: `${markOf(answers)}\nDEMO_IMAGE=${answers.image}\n`,
      mode: PRIVATE,
    },
    { path: 'compose.yaml', text: withoutSources(readTemplate('compose.demo.yaml')), mode: OPEN },
    ignored,
  ];
}

function composeFiles(answers, variables) {
  const { domain, email, image, database } = answers;
  const lines = [
    markOf(answers),
    '# Settings of the gateway: each name of docs/operators/settings.md can be added.',
    `DOMAIN=${domain}`,
    `EMAIL=${email}`,
    `GATEWAY_IMAGE=${image}`,
    ...(database === 'included' ? [] : [`DATABASE_URL='${database}'`]),
    ...providerLines(answers, variables),
  ];
  const secrets = ['encryption_key', 'backup_passphrase', 'grafana_password'];
  return [
    { path: '.env', text: `${lines.join('\n')}\n`, mode: PRIVATE },
    // The folder is closed. The users of the containers read the files.
    ...secrets.map((name) => ({ path: `secrets/${name}`, text: newKey, mode: OPEN })),
    { path: 'compose.yaml', text: withoutSources(readTemplate('compose.yaml')), mode: OPEN },
    ...(database === 'included'
      ? []
      : [
          {
            path: 'compose.override.yaml',
            text: '# The database of .env takes the place of this one.\nservices:\n  postgres:\n    profiles: [included-database]\n',
            mode: OPEN,
          },
        ]),
    ...composeParts.map((path) => ({
      path,
      text: readTemplate(path),
      mode: path.endsWith('.sh') ? PROGRAM : OPEN,
    })),
    ignored,
  ];
}

function systemdFiles(answers, folder, variables) {
  const { domain, database } = answers;
  const env = () =>
    [
      markOf(answers),
      '# Settings of the gateway: each name of docs/operators/settings.md can be added.',
      `DATABASE_URL='${database}'`,
      `OJA_ENCRYPTION_KEY=${newKey()}`,
      `OJA_CONSOLE_URL=https://console.${domain}`,
      `OJA_PORTAL_URL=https://portal.${domain}`,
      'OJA_TRUSTED_PROXIES=127.0.0.1,::1',
      ...providerLines(answers, variables),
      '',
    ].join('\n');
  const unit = readTemplate('deploy/systemd/oja.service')
    .replace(/^EnvironmentFile=-.*\n/m, '')
    .replace(/^EnvironmentFile=.*$/m, `EnvironmentFile=${folder}/.env`);
  return [
    { path: '.env', text: env, mode: PRIVATE },
    { path: 'oja.service', text: unit, mode: OPEN },
    { path: 'Caddyfile', text: caddyfile(domain), mode: OPEN },
    ignored,
  ];
}

function caddyfile(domain) {
  const site = (name, port) => `${name} {\n\treverse_proxy 127.0.0.1:${port}\n}\n`;
  return [site(domain, 8080), site(`console.${domain}`, 8082), site(`portal.${domain}`, 8083)].join('\n');
}

/** Values in single quotes are taken as they are, by Docker Compose and by systemd. */
function providerLines({ provider }, variables) {
  return providers[provider].map((name) => {
    const value = variables[name] ?? '';
    return value === '' ? `${name}=` : `${name}='${value}'`;
  });
}

function newKey() {
  return randomBytes(32).toString('hex');
}

/** The sources are not in the folder: the image of the gateway is built or pulled elsewhere. */
function withoutSources(compose) {
  return compose
    .replace(/^ *build: \.\n/m, '')
    .replace(/^ *build:\n *context: \.\n *target: demo\n/m, '')
    .replace(/^# docs\/operators.*\n/m, '');
}

/** The names of keys that are still to be filled in. */
function missingKeys({ provider = 'none' }, variables) {
  return providers[provider].filter((name) => (variables[name] ?? '') === '');
}

/** The three next steps, each with its commands. */
export function stepsOf(answers, folder, variables) {
  const { profile, run, person, provider, image } = answers;
  if (profile === 'demo') {
    return [
      {
        what: `Build the image ${image} in a clone of Oja`,
        commands: [`docker build -t ${image} --target demo .`],
      },
      { what: 'Start the demo', commands: [`cd ${folder}`, 'docker compose up -d'] },
      { what: 'Read its addresses and keys', commands: ['docker compose logs demo'] },
    ];
  }
  const keys =
    missingKeys(answers, variables).length > 0 ? `Fill in the keys of ${provider} in ${folder}/.env. ` : '';
  const invite = `user invite ${person} --roles admin --link`;
  if (run === 'systemd') {
    return [
      {
        what: `${keys}Install Oja in /opt/oja, and copy OJA_ENCRYPTION_KEY to a safe place`,
        commands: [
          'sudo useradd --system --home-dir /var/lib/oja --shell /usr/sbin/nologin oja',
          'sudo git clone <repository> /opt/oja && cd /opt/oja && sudo npm ci',
        ],
      },
      {
        what: 'Start it, with Caddy or your own proxy in front (Caddyfile)',
        commands: [
          `sudo cp ${folder}/oja.service /etc/systemd/system/`,
          'sudo systemctl daemon-reload && sudo systemctl enable --now oja',
        ],
      },
      {
        what: 'Invite the first person',
        commands: [
          `sudo systemd-run --pipe -p User=oja -p EnvironmentFile=${folder}/.env -E OJA_PROFILE=production -E OJA_DATA_DIR=/var/lib/oja /opt/oja/oja ${invite}`,
        ],
      },
    ];
  }
  return [
    {
      what: `${keys}Copy secrets/encryption_key to a safe place, apart from backups`,
      commands: [`cp ${folder}/secrets/encryption_key <a safe place>`],
    },
    {
      what: `Start it. Where the image ${image} is not there, build it in a clone of Oja with "docker build -t ${image} ."`,
      commands: [`cd ${folder}`, 'docker compose --profile backup --profile monitoring up -d'],
    },
    {
      what: 'Check it, and invite the first person',
      commands: ['docker compose exec gateway-1 oja doctor', `docker compose exec gateway-1 oja ${invite}`],
    },
  ];
}
