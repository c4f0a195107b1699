/** `oja completion`: prints a script for bash or zsh that completes commands and options. */
import type { Command } from 'commander';
import { Argument } from 'commander';
import type { Terminal } from '../run.ts';
import { examplesText } from '../run.ts';

const shells = ['bash', 'zsh'] as const;

export function addCompletion(program: Command, { stdout }: Terminal): void {
  program
    .command('completion')
    .description('print the script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('after', examplesText(['completion bash > ~/.local/share/bash-completion/completions/oja']))
    .action((shell: (typeof shells)[number]) => {
      stdout.write(completionScript(shell, program));
    });
}

export function completionScript(shell: (typeof shells)[number], program: Command): string {
  return shell === 'bash' ? bashScript(program) : zshScript(program);
}

/** Returns the subcommands and options that can follow each path of commands. */
function wordsByPath(command: Command, path = ''): Map<string, readonly string[]> {
  const subcommands = command.commands.map((sub) => sub.name());
  const options = command.options.flatMap(({ long }) => (long === null || long === undefined ? [] : [long]));
  const words = new Map<string, readonly string[]>([[path, [...subcommands, ...options, '--help']]]);
  for (const sub of command.commands) {
    for (const entry of wordsByPath(sub, `${path} ${sub.name()}`.trim())) words.set(...entry);
  }
  return words;
}

function casesOf(program: Command, line: (path: string, words: string) => string): string {
  return [...wordsByPath(program)].map(([path, words]) => line(path, words.join(' '))).join('\n');
}

function bashScript(program: Command): string {
  return `# Completion of ./oja for bash.
_oja() {
  local word=\${COMP_WORDS[COMP_CWORD]} path='' next i
  for ((i = 1; i < COMP_CWORD; i++)); do
    next=\${COMP_WORDS[i]}
    [[ $next == -* ]] && continue
    _oja_words "\${path:+$path }$next" >/dev/null && path="\${path:+$path }$next"
  done
  COMPREPLY=($(compgen -W "$(_oja_words "$path")" -- "$word"))
}
_oja_words() {
  case $1 in
${casesOf(program, (path, words) => `    '${path}') echo '${words}' ;;`)}
    *) return 1 ;;
  esac
}
complete -o default -F _oja oja ./oja
`;
}

function zshScript(program: Command): string {
  return `#compdef oja
# Completion of ./oja for zsh.
_oja_words() {
  case $1 in
${casesOf(program, (path, words) => `    '${path}') reply=(${words}) ;;`)}
    *) return 1 ;;
  esac
}
_oja() {
  local path_='' next i
  local -a reply
  for ((i = 2; i < CURRENT; i++)); do
    next=\${words[i]}
    [[ $next == -* ]] && continue
    _oja_words "\${path_:+$path_ }$next" && path_="\${path_:+$path_ }$next"
  done
  _oja_words "$path_"
  compadd -- $reply
}
compdef _oja oja ./oja
`;
}
