/** The tasks of a day, in order. */
import { merchantTasks } from './merchant-tasks.ts';
import { operatorTasks } from './operator-tasks.ts';
import type { Task } from './play.ts';

export const tasks: readonly Task[] = [...operatorTasks, ...merchantTasks];
