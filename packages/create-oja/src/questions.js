/**
 * The questions: each has a flag, a rule, and a default. What a flag does not answer is asked on a
 * terminal.
 */
import { providers } from './providers.js';

const DOMAIN = /^(?=.{4,200}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
const EMAIL = /^[A-Za-z0-9.!#$%&*+/=?^_{|}~-]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/i;
const IMAGE = /^[a-z0-9][a-z0-9._:/@-]*$/i;

const isProduction = ({ profile }) => profile === 'production';

function oneOf(values) {
  return (text) => (values.includes(text) ? undefined : `must be one of ${values.join(', ')}`);
}

function isDatabase(text, { run }) {
  if (text === 'included') {
    return run === 'systemd' ? 'must be a postgresql:// URL: systemd brings no PostgreSQL' : undefined;
  }
  // The URL may hold a password: it is not quoted.
  const isUrl = /^postgres(?:ql)?:\/\/./.test(text) && URL.canParse(text) && !/[\s']/.test(text);
  return isUrl ? undefined : 'must be a URL such as postgresql://oja:password@db.example:5432/oja';
}

/** In the order in which they are asked. `when` says for which other answers there is a question. */
export const questions = [
  {
    name: 'profile',
    ask: 'demo (play money) or production?',
    fallback: () => 'demo',
    fault: oneOf(['demo', 'production']),
  },
  {
    name: 'run',
    ask: 'compose or systemd?',
    fallback: () => 'compose',
    fault: oneOf(['compose', 'systemd']),
    when: isProduction,
    isOptional: true,
  },
  {
    name: 'domain',
    ask: 'domain of the API, such as shop.example?',
    fault: (text) =>
      DOMAIN.test(text)
        ? undefined
        : 'must be a domain such as shop.example, in lower case and without https://',
    when: isProduction,
  },
  {
    name: 'person',
    ask: 'e-mail address of the first person?',
    fault: (text) => (EMAIL.test(text) ? undefined : 'must be an e-mail address'),
    when: isProduction,
  },
  {
    name: 'email',
    ask: 'e-mail address for the certificate authority?',
    fallback: ({ person }) => person,
    fault: (text) => (EMAIL.test(text) ? undefined : 'must be an e-mail address'),
    when: (answers) => isProduction(answers) && answers.run === 'compose',
    isOptional: true,
  },
  {
    name: 'database',
    ask: 'database: included, or a postgresql:// URL?',
    fallback: ({ run }) => (run === 'systemd' ? undefined : 'included'),
    fault: isDatabase,
    when: isProduction,
    isOptional: true,
  },
  {
    name: 'provider',
    ask: `first provider: ${Object.keys(providers).join(', ')}?`,
    fallback: () => 'none',
    fault: oneOf(Object.keys(providers)),
    when: isProduction,
    isOptional: true,
  },
  {
    name: 'image',
    ask: undefined,
    fallback: ({ profile, version }) => `${profile === 'demo' ? 'oja-demo' : 'oja'}:${version}`,
    fault: (text) => (IMAGE.test(text) ? undefined : 'must be the name of an image, such as oja:1.0.0'),
    when: ({ run }) => run !== 'systemd',
    isOptional: true,
  },
];

/**
 * Completes the answers. `prompt` asks a person, and is undefined where there is no terminal: then
 * questions with a default take it, and the others are faults. Returns all faults.
 */
export async function completeAnswers(flags, version, prompt) {
  const answers = { version };
  const faults = [];
  for (const { name, ask, fallback, fault, when, isOptional = false } of questions) {
    const given = flags[name];
    if (when !== undefined && !when(answers)) {
      if (given !== undefined) faults.push(`--${name} does not apply to ${describe(answers)}`);
      continue;
    }
    const otherwise = fallback?.(answers);
    if (given !== undefined || prompt === undefined || ask === undefined) {
      const value = given ?? (isOptional ? otherwise : undefined);
      if (value === undefined) faults.push(`--${name} is required`);
      const why = value === undefined ? undefined : fault(value, answers);
      if (why !== undefined) faults.push(`--${name} ${why}`);
      answers[name] = value;
    } else {
      answers[name] = await askUntilGood(prompt, { ask, otherwise, fault }, answers);
    }
  }
  return { answers, faults };
}

function describe({ profile, run }) {
  return profile === 'production' && run !== undefined
    ? `${profile} with ${run}`
    : (profile ?? 'this profile');
}

async function askUntilGood(prompt, { ask, otherwise, fault }, answers) {
  for (;;) {
    const shown = otherwise === undefined ? ask : `${ask} [${otherwise}]`;
    const typed = (await prompt(`${shown} `)).trim() || otherwise || '';
    const why = fault(typed, answers);
    if (why === undefined) return typed;
    console.log(`  This ${why}.`);
  }
}
