/** `oja report`: what was sold, and what is owed. */
import { showReportOperation } from '../../finance/reports/operations/show-report.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { csvOption } from '../print-pages.ts';
import { printReport } from '../report-output.ts';

export const reportCommands: readonly OperationCommand[] = [
  commandOf(showReportOperation, {
    command: 'report',
    examples: [
      'report',
      'report --from 2026-11-01 --to 2026-11-30 --by product,network,provider,merchant',
      'report --from 2026-11-21 --to 2026-11-21 --by provider --csv',
    ],
    whole: {
      options: [csvOption()],
      hides: ['limit', 'cursor'],
      print: printReport,
    },
  }),
];
