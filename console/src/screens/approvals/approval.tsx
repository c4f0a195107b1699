/** An approval request. */
import { useParams } from '@tanstack/react-router';
import { useDescribed } from '../../api/described.ts';
import type { Output } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { useSession } from '../../api/session.ts';
import { goodsText, moneyText, words } from '../../design/format.ts';
import { AnswerView } from '../../widgets/answer-view.tsx';
import { Copyable } from '../../widgets/copy.tsx';
import { approvalPath, Go, merchantPath, purchasePath } from '../../widgets/go.tsx';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Facts, Page, Panel } from '../../widgets/page.tsx';
import { Code, Environment, Money, State, Time } from '../../widgets/values.tsx';

type Approval = Output<'approval.show'>;
type Person = Approval['asker'];

/** The page of operations that concern no merchant, purchase or deposit. */
const places: Readonly<Record<string, readonly [path: string, name: string]>> = {
  'fx.set': ['/catalog?tab=rates', 'Exchange rates'],
  'catalog.import': ['/catalog', 'Catalog'],
  'guard.set': ['/catalog?tab=guards', 'Guards'],
  'route.set': ['/providers', 'Routes'],
  'route.remove': ['/providers', 'Routes'],
  'price_list.remove_merchants': ['/price-lists', 'Price lists'],
};

export function ApprovalScreen() {
  const { approval: id = '' } = useParams({ strict: false });
  const { data: approval, error, refetch } = useAnswer('approval.show', { approval: id });
  if (error !== null) {
    return (
      <Page title="Approval request">
        <Trouble error={error} again={() => void refetch()} />
      </Page>
    );
  }
  if (approval === undefined) return <Loading what="the request" />;
  return (
    <Page
      title={approval.title}
      lead={approval.state === 'waiting' ? 'A second person must approve this request.' : undefined}
      actions={approval.state === 'waiting' ? <Actions approval={approval} /> : undefined}
    >
      <WhyNot approval={approval} />
      <Panel title="Request">
        <Facts facts={[...subjectOf(approval), ['Link to this page', <PageLink key="l" id={id} />]]} />
      </Panel>
      <Panel title="Status">
        <Facts
          facts={[
            ['State', <State key="s" state={approval.state} />],
            ['Requested by', <Who key="a" person={approval.asker} />],
            ['Requested at', <Time key="at" at={approval.asked_at} near />],
            approval.state === 'waiting'
              ? ['Expires at', <Time key="e" at={approval.expires_at} near />]
              : undefined,
            approval.state === 'waiting'
              ? ['Can be approved by', <Deciders key="d" people={approval.deciders} />]
              : undefined,
            approval.decider === null ? undefined : ['Decided by', <Who key="w" person={approval.decider} />],
            approval.decided_at === null
              ? undefined
              : ['Decided at', <Time key="t" at={approval.decided_at} near />],
            approval.reason === null ? undefined : ['Reason', approval.reason],
          ]}
        />
      </Panel>
      <Panel title="Exact input">
        <AnswerView value={approval.input} />
      </Panel>
      {approval.output === null || approval.output === undefined ? null : (
        <Panel title="Result">
          <AnswerView value={approval.output} />
        </Panel>
      )}
    </Page>
  );
}

/** Offers approval only to users whom the server allows to approve. */
function Actions({ approval }: { readonly approval: Approval }) {
  const isOwn = useIsOwn(approval);
  const described = useDescribed();
  // The secret is shown only once, to the person who approves.
  const showsSecret = described?.get(approval.operation)?.showsSecret === true;
  return (
    <>
      {approval.may_decide ? (
        <OperationButton
          name="approval.approve"
          verb="Approve"
          look="main"
          title="Approve this request"
          given={{ approval: approval.id }}
          about={aboutTexts(approval)}
          fields={[]}
          {...(showsSecret ? {} : { done: 'Approved and carried out.' })}
        />
      ) : null}
      <OperationButton
        name="approval.reject"
        verb={isOwn ? 'Withdraw' : 'Reject'}
        look="danger"
        title={isOwn ? 'Withdraw your request' : 'Reject this request'}
        given={{ approval: approval.id }}
        fields={['reason']}
        done={isOwn ? 'Request withdrawn.' : 'Request rejected.'}
      />
    </>
  );
}

function WhyNot({ approval }: { readonly approval: Approval }) {
  const isOwn = useIsOwn(approval);
  if (approval.state !== 'waiting' || approval.may_decide) return null;
  if (approval.refusal === 'role_lacking') {
    return <Hint>You do not have the role to approve this request.</Hint>;
  }
  return (
    <Hint>
      {isOwn
        ? 'You made this request, so someone else must approve it. Send them the link to this page.'
        : 'Someone else must approve this request. You and its author count as one person, because one of you invited or reset the other, or gave the other a role or a token.'}
    </Hint>
  );
}

function useIsOwn({ asked_principal: principal }: Approval): boolean {
  const session = useSession();
  return session !== undefined && principal.startsWith(`user:${session.user.id} `);
}

type Fact = Parameters<typeof Facts>[0]['facts'][number];

function subjectOf({ operation, title, about }: Approval): readonly Fact[] {
  const place = places[operation];
  const { merchant, purchase, deposit, price_list: list, environment } = about ?? {};
  return [
    ['Request', title],
    about?.amount ? ['Amount', <Amount key="a" about={about} />] : undefined,
    merchant
      ? [
          'Merchant',
          <span key="m">
            <Go to={merchantPath(merchant.code)}>{merchant.name}</Go> <Code>{merchant.code}</Code>
          </span>,
        ]
      : undefined,
    purchase
      ? [
          'Purchase',
          <span key="p">
            <Go to={purchasePath(purchase.id)}>
              {goodsText(purchase.product, purchase.network)}, {moneyText(purchase.charge)}
            </Go>{' '}
            <Code>{purchase.reference}</Code>
          </span>,
        ]
      : undefined,
    deposit
      ? [
          'Deposit',
          <span key="d">
            <Go to="/money">{deposit.provider}</Go> <Code>{deposit.provider_reference}</Code>
          </span>,
        ]
      : undefined,
    list
      ? [
          'Price list',
          <Go key="l" to={`/price-lists/${list}`}>
            {list}
          </Go>,
        ]
      : undefined,
    place
      ? [
          'Page',
          <Go key="g" to={place[0]}>
            {place[1]}
          </Go>,
        ]
      : undefined,
    environment ? ['Environment', <Environment key="e" environment={environment} />] : undefined,
  ];
}

function Amount({ about }: { readonly about: NonNullable<Approval['about']> }) {
  const { amount, currency, naira } = about;
  if (currency === 'NGN') return <Money amount={amount} />;
  return (
    <>
      <Money amount={amount} currency={currency ?? undefined} />
      {naira === null ? ' (no exchange rate)' : ` (${moneyText(naira)})`}
    </>
  );
}

/** Summarizes the request for the review before approval. */
function aboutTexts({ title, about }: Approval): Readonly<Record<string, string>> {
  const { amount, currency, merchant, purchase, price_list: list } = about ?? {};
  return {
    Request: title,
    ...(amount && { Amount: moneyText(amount, currency ?? undefined) }),
    ...(merchant && { Merchant: merchant.name }),
    ...(purchase && { Purchase: purchase.reference }),
    ...(list && { 'Price list': list }),
  };
}

function Who({ person: { name, email, roles } }: { readonly person: Person }) {
  const details = [...(email === null || email === name ? [] : [email]), roles.map(words).join(', ')];
  const shown = details.filter((detail) => detail !== '');
  return (
    <span>
      {name}
      {shown.length === 0 ? null : ` (${shown.join('; ')})`}
    </span>
  );
}

function Deciders({ people }: { readonly people: readonly Person[] }) {
  if (people.length === 0) {
    return 'No other person can approve it.';
  }
  return (
    <>
      {people.map((person) => (
        <div key={person.email}>
          <Who person={person} />
        </div>
      ))}
    </>
  );
}

function PageLink({ id }: { readonly id: string }) {
  return <Copyable value={`${location.origin}${approvalPath(id)}`} name="link" />;
}
