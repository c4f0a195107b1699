/** All commands that there are, and a machine on which they do nothing. */
import type { Command } from 'commander';
import type { Machine } from '../../src/cli/machine.ts';

export type Leaf = { readonly path: string; readonly command: Command };

/** Tells `note`, and does nothing. */
export function idleMachine(note: () => void = () => undefined): Machine {
  const run = (): Promise<never> => {
    note();
    return Promise.reject(new Error('nothing is done here'));
  };
  return {
    writeArchive: run,
    restoreArchive: run,
    checkArchives: run,
    listArchives: run,
    examine: run,
    newBackupKey: run,
    listBackups: run,
    takeBackup: run,
    verifyBackup: run,
    planRestore: run,
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
