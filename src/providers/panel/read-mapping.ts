/** Reads a mapping from JSON: adds it to its preset, and checks the whole. Pure. */
import { Value } from 'typebox/value';
import { isRecord } from '../../core/json.ts';
import { listWords } from '../../core/list-words.ts';
import { mappingSchema, type PanelMapping, type PanelOrder } from './mapping-schema.ts';
import { isPreset, presets } from './presets.ts';
import { isByPlan } from './records.ts';

export type ReadMapping = { readonly mapping: PanelMapping } | { readonly faults: readonly string[] };

/** Errors name fields and never quote a value. */
export function readMapping(json: string): ReadMapping {
  let given: unknown;
  try {
    given = JSON.parse(json);
  } catch {
    return { faults: ['it must be JSON'] };
  }
  if (!isRecord(given)) return { faults: ['it must be an object'] };
  const { preset } = given;
  if (preset !== undefined && !isPreset(preset)) {
    return { faults: [`preset must be ${listWords(Object.keys(presets), 'or')}`] };
  }
  const whole = preset === undefined ? given : merge(presets[preset], given);
  if (!Value.Check(mappingSchema, whole)) {
    return { faults: Value.Errors(mappingSchema, whole).flatMap(faultsOf) };
  }
  const faults = findContradictions(whole);
  return faults.length > 0 ? { faults } : { mapping: whole };
}

/** Adds objects field by field and replaces other values. Null removes a value of the preset. */
function merge(base: unknown, given: unknown): unknown {
  if (!isRecord(base) || !isRecord(given)) return given;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(given)) {
    if (value === null) delete merged[name];
    else merged[name] = merge(base[name], value);
  }
  return merged;
}

function faultsOf(fault: ReturnType<typeof Value.Errors>[number]): string[] {
  const place = fault.instancePath.slice(1).replaceAll('/', '.');
  const inside = place === '' ? '' : `${place}.`;
  switch (fault.keyword) {
    case 'required':
      return fault.params.requiredProperties.map((name) => `${inside}${name} is missing`);
    case 'additionalProperties':
      return fault.params.additionalProperties.map((name) => `${inside}${name} is not a known field`);
    // Each unknown field also causes this error, in addition to the one above.
    case 'boolean':
      return [];
    default:
      return [`${place} ${fault.message}`];
  }
}

/** Finds errors that the schema cannot: a text with two meanings, and a key that is never sent. */
function findContradictions(mapping: PanelMapping): string[] {
  const faults: string[] = [];
  if (!mapping.auth.value.includes('{key}')) faults.push('auth.value must have {key}');
  if (mapping.balance.auth?.value.includes('{login}') === false) {
    faults.push('balance.auth.value must have {login}');
  }
  for (const [product, order] of Object.entries(mapping.orders)) {
    faults.push(...lookupFaults(product, order), ...trustFaults(mapping, product, order));
    for (const { success, pending, failed } of [
      order.statuses ?? mapping.statuses,
      order.lookup?.statuses ?? mapping.statuses,
    ]) {
      const all = [success, pending, failed].flatMap((list) => [
        ...new Set(list.map((word) => word.toLowerCase())),
      ]);
      if (new Set(all).size < all.length) faults.push('a status text must have one meaning');
    }
  }
  return [...new Set(faults)];
}

/** A record is identified by number, and by plan or amount. */
function lookupFaults(product: string, order: PanelOrder): string[] {
  if (order.lookup?.list === undefined) return [];
  const needed = ['recipient', isByPlan(product) ? 'plan' : 'amount'] as const;
  return needed.flatMap((field) =>
    (order[field] ?? []).length > 0 ? [] : `orders.${product}.${field} must be set for lookup.list`,
  );
}

/**
 * A provisional success that nothing confirms would be pending for ever. Our balance can be read at
 * every panel.
 */
function trustFaults({ trust }: PanelMapping, product: string, order: PanelOrder): string[] {
  const { success, confirm_by: by } = order.trust ?? trust;
  const { by_id, list } = order.lookup ?? {};
  const hasRecord = by.includes('record') && (by_id ?? list) !== undefined;
  return success === 'final' || by.includes('balance') || hasRecord
    ? []
    : [`orders.${product} has a provisional success that its trust.confirm_by cannot confirm`];
}
