/** The personal data of one person, and identity documents that are kept no longer. */
import { OperationList } from '../../widgets/operation-list.tsx';
import { Page } from '../../widgets/page.tsx';

export function Privacy() {
  return (
    <Page title="Privacy" lead="Answers the requests of people about their data.">
      <OperationList
        title="One person"
        note="Export first: it lists everything that is held, which is what an erasure concerns."
        names={{ 'person.export': 'Export', 'person.erase': 'Erase' }}
        dangerous={['person.erase']}
      />
      <OperationList
        title="Identity documents"
        note="The result names each merchant whose document was deleted."
        names={{ 'funding.forget_documents': 'Delete old documents' }}
        dangerous={['funding.forget_documents']}
      />
    </Page>
  );
}
