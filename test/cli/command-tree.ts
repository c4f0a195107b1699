/** All commands, and a doctor that examines nothing. */
import type { Command } from 'commander';
import type { Examine } from '../../src/cli/commands/doctor.ts';

export type Leaf = { readonly path: string; readonly command: Command };

/** Calls `note`, and rejects. */
export function idleDoctor(note: () => void = () => undefined): Examine {
  return () => {
    note();
    return Promise.reject(new Error('nothing is done here'));
  };
}

export function leavesOf(command: Command, path: readonly string[] = []): Leaf[] {
  return command.commands.flatMap((child) => {
    const here = [...path, child.name()];
    const isGroup = child.commands.length > 0 && child.registeredArguments.length === 0;
    const own = isGroup ? [] : [{ path: here.join(' '), command: child }];
    return [...own, ...leavesOf(child, here)];
  });
}

/** Commands that hold other commands. */
export function groupsOf(command: Command, path: readonly string[] = []): Leaf[] {
  return command.commands
    .filter((child) => child.commands.length > 0)
    .flatMap((child) => {
      const here = [...path, child.name()];
      return [{ path: here.join(' '), command: child }, ...groupsOf(child, here)];
    });
}
