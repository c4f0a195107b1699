/** Builds the image of the gateway into an archive, where the machine has a builder. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './run.ts';

/** The state of the image, for the person who releases. */
export type Image = { readonly built: boolean; readonly said: string };

const builders = ['podman', 'docker'] as const;

/**
 * `OJA_IMAGE_BASE` names another base image, for a machine that reaches no registry of images.
 * `madeAt`: the time that the image bears, in seconds since 1970. The other format of podman has no
 * health check.
 */
export function buildImage(tag: string, archive: string, madeAt: number): Image {
  if (!['Containerfile', 'Dockerfile'].some((name) => existsSync(join(root, name))))
    return { built: false, said: 'the project has no Containerfile' };
  const builder = builders.find((name) => spawnSync(name, ['--version']).status === 0);
  if (builder === undefined) return { built: false, said: `neither ${builders.join(' nor ')} is installed` };
  const { OJA_IMAGE_BASE: base } = process.env;
  const options = [
    ...(base === undefined ? [] : ['--build-arg', `BASE=${base}`]),
    ...(builder === 'podman'
      ? ['--format', 'docker', '--timestamp', String(madeAt)]
      : ['--build-arg', `SOURCE_DATE_EPOCH=${madeAt}`]),
  ];
  const commands = [
    ['build', ...options, '--tag', tag, '.'],
    ['save', '--output', archive, tag],
  ];
  for (const command of commands) {
    const { status, stderr } = spawnSync(builder, command, { cwd: root, encoding: 'utf8' });
    if (status !== 0) return { built: false, said: `${builder} failed: ${stderr.trim().slice(-600)}` };
  }
  return { built: true, said: `built by ${builder}` };
}
