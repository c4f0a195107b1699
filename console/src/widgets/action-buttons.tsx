/** The buttons of the actions that the server proposes for a row. */
import type { Output } from '../api/operations.ts';
import { buttonOf } from './action-text.ts';
import { LinkButton } from './button.tsx';
import { OperationButton } from './operation-button.tsx';

export function ActionButtons({
  actions,
  about,
}: {
  readonly actions: Output<'alarm.list'>['data'][number]['actions'];
  /** The subject, for the review of what moves money. */
  readonly about?: Readonly<Record<string, string>>;
}) {
  return actions.map((action) => {
    const button = buttonOf(action);
    if (button === undefined) return null;
    if (button.kind === 'screen') {
      return (
        <LinkButton key={action.operation} to={button.to}>
          {button.verb}
        </LinkButton>
      );
    }
    const { kind: _, ...form } = button;
    return <OperationButton key={action.operation} {...form} {...(about !== undefined && { about })} />;
  });
}
