#!/usr/bin/env node
/**
 * `npx create-oja shop`: sets up a gateway in a folder. Exit 0 done, also where all was there
 * already; 1 it could not be written; 2 not understood, and nothing was written.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { filesOf, markOf, stepsOf } from './files.js';
import { providers } from './providers.js';
import { completeAnswers, questions } from './questions.js';
import { faultOfFolder, writeFiles } from './write-files.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const usage = `Usage: create-oja <folder> [options]

  --profile demo|production
  --run compose|systemd        how it runs (production; default: compose)
  --domain shop.example        the API; console. and portal. are added (production)
  --person ada@shop.example    the first person, who becomes admin (production)
  --email ops@shop.example     for the certificate authority (default: the first person)
  --database included|URL      a postgresql:// URL, or the PostgreSQL of Docker Compose
  --provider ${Object.keys(providers).join('|')}
  --image oja:${version}            the image of the gateway

A terminal asks for missing options. Existing files are kept.`;

class Refused extends Error {}

async function main() {
  const { positionals, values } = parse(process.argv.slice(2));
  if (values.help) return console.log(usage);
  const [name, ...others] = positionals;
  if (name === undefined || name === '' || others.length > 0) {
    throw new Refused(`one folder is required\n\n${usage}`);
  }
  const { answers, faults } = await answersOf(values);
  const folder = resolve(name);
  if (/[\s'"\\$%]/.test(folder)) faults.push(`the folder's path has a blank, a quote, \\, $ or %: ${folder}`);
  for (const key of providers[answers.provider] ?? []) {
    // Such a value would end its quotes in .env.
    if (/['\r\n]/.test(process.env[key] ?? '')) faults.push(`${key} has a quote or a line break in it`);
  }
  const wrong = faults.length > 0 ? undefined : faultOfFolder(folder, markOf(answers));
  if (wrong !== undefined) faults.push(wrong);
  if (faults.length > 0) throw new Refused(faults.join('\n'));

  for (const { path, isWritten } of writeFiles(folder, filesOf(answers, folder, process.env))) {
    console.log(`${isWritten ? 'wrote' : 'kept '}  ${path}`);
  }
  stepsOf(answers, folder, process.env).forEach(({ what, commands }, index) => {
    console.log(`\n${index + 1}. ${what}:\n`);
    for (const command of commands) console.log(`     ${command}`);
  });
}

function parse(args) {
  const options = Object.fromEntries(questions.map(({ name }) => [name, { type: 'string' }]));
  try {
    return parseArgs({ args, allowPositionals: true, options: { ...options, help: { type: 'boolean' } } });
  } catch (error) {
    throw new Refused(error.message);
  }
}

/** Asks on a terminal only: elsewhere flags answer, or the defaults. */
async function answersOf(flags) {
  if (!stdin.isTTY) return await completeAnswers(flags, version, undefined);
  const terminal = createInterface({ input: stdin, output: stdout });
  // An iterator keeps lines that were pasted before their question.
  const lines = terminal[Symbol.asyncIterator]();
  const prompt = async (text) => {
    stdout.write(text);
    const { value, done } = await lines.next();
    if (done) throw new Refused('not all questions were answered');
    return value;
  };
  try {
    return await completeAnswers(flags, version, prompt);
  } finally {
    terminal.close();
  }
}

try {
  await main();
} catch (error) {
  if (error instanceof Refused) {
    console.error(`create-oja: ${error.message.replaceAll('\n', '\n  ')}`);
    process.exitCode = 2;
  } else {
    console.error(`create-oja: ${error.message}`);
    process.exitCode = 1;
  }
}
