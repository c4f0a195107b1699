/** Every screen, with the roles that may see little. The gate uses a viewer, who sees least. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { screens } from '../../../console/src/screens.ts';
import { itInProof } from '../../support/budget.ts';
import { openPage, settle, visit } from '../browser.ts';
import type { Console } from '../fixture.ts';
import { names } from '../names.ts';

/** Texts that the role must never see. */
const people = screens.team.name;
const closed = { viewer: [screens.auditLog.name, people], support: [people], finance: [people] };

/** Codes, names of operations and ids that no text may show. */
const technical = /[a-z]_[a-z]|[a-z]\.[a-z]|[0-9a-f]{8}-|\d{3}/;

export function roleStories(open: () => Console): void {
  for (const role of ['viewer', 'support', 'finance'] as const) {
    const register = role === 'viewer' ? it : itInProof;
    register(`shows every screen to ${role}, or says who may see it`, async () => {
      const it_ = open();
      await using person = await it_.person(`only-${role}@shop.example`, role);
      const { page, take } = await openPage(person.context);
      await page.goto('/overview');
      await settle(page);
      const navigation = page.getByRole('navigation', { name: names.parts.screens });
      const offered = await navigation.getByRole('link').allInnerTexts();
      assert.ok(offered.some((name) => name.startsWith(screens.purchases.name)));
      const refused: string[] = [];
      for (const { path, name } of Object.values(screens)) {
        const address = path
          .replace('$reference', it_.sold.success)
          .replace('$merchant', 'DEMO')
          .replace('$provider', 'vtpass');
        if (address.includes('$')) continue;
        await visit(page, address);
        const said = await page.getByRole('alert').allInnerTexts();
        for (const text of said) {
          assert.ok(text.includes(names.said.yourRolesDoNotShowThis), `${role} at ${address}: ${text}`);
          assert.doesNotMatch(text, technical, `${role} at ${address}`);
        }
        if (said.length > 0) refused.push(name);
        assert.deepEqual(take(), [], address);
      }
      // A button that the role may not see is absent.
      assert.deepEqual(
        refused.filter((name) => offered.some((one) => one.startsWith(name))),
        [],
      );
      assert.deepEqual(refused, closed[role]);
    });
  }
}
