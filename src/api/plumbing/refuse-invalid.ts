/**
 * Converts the validator's findings into one refusal that names every invalid field and a valid
 * value for it. The status is 422 if a required field is missing, else 400.
 */
import type { Reason } from './reasons.ts';
import { type FieldFault, Refusal } from './refusal.ts';

/** The part of Ajv's verbose report that is used. */
type Finding = {
  readonly keyword: string;
  readonly instancePath: string;
  readonly data?: unknown;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parentSchema?: { readonly description?: unknown; readonly properties?: unknown };
};

/** A longer value is not repeated in the answer. */
const NAMED_MAX = 60;

/** The route's `schemaErrorFormatter`. `part` is `body`, `querystring` or `params`. */
export function refuseInvalid(findings: readonly Finding[], part: string): Refusal {
  const missing = collect(findings.filter((finding) => finding.keyword === 'required').map(missingFault));
  const invalid = collect(
    findings
      .filter((finding) => finding.keyword !== 'required')
      .map((finding) => invalidFault(finding, part)),
  );
  const fields = [...collect([...missing.values(), ...invalid.values()]).values()];
  const message = fields.map((fault) => fault.message).join('; ');
  return missing.size > 0
    ? new Refusal(422, 'field_missing', message, { fields })
    : new Refusal(400, commonReason(fields), message, { fields });
}

function commonReason([first, ...others]: readonly FieldFault[]): Reason {
  return first !== undefined && others.every(({ reason }) => reason === first.reason)
    ? first.reason
    : 'field_invalid';
}

/** One error for each field. Later findings repeat the first. */
function collect(faults: readonly FieldFault[]): Map<string, FieldFault> {
  const byField = new Map<string, FieldFault>();
  for (const fault of faults) {
    if (!byField.has(fault.field)) byField.set(fault.field, fault);
  }
  return byField;
}

function missingFault(finding: Finding): FieldFault {
  const field = String(finding.params.missingProperty);
  return { field, reason: 'field_missing', message: `${field} is required: ${describe(finding, field)}` };
}

function invalidFault(finding: Finding, part: string): FieldFault {
  if (finding.keyword === 'discriminator') {
    const field = String(finding.params.tag);
    return { field, reason: 'field_invalid', message: `${field} must be ${describe(finding, field)}` };
  }
  const field = finding.instancePath === '' ? part : (finding.instancePath.split('/')[1] ?? part);
  if (part === 'querystring' && Array.isArray(finding.data)) {
    return { field, reason: 'field_repeated', message: `${field} was sent more than once: send it once` };
  }
  const message = `${field} must be ${asText(finding.parentSchema?.description)}`;
  return { field, reason: 'field_invalid', message: `${message}${wrongWord(finding)}` };
}

/** The invalid value of a field with enumerated values. */
function wrongWord({ keyword, instancePath, data }: Finding): string {
  const isListed = keyword === 'enum' && /^\/[^/]+\/\d+$/.test(instancePath);
  if (!isListed || typeof data !== 'string' || data.length > NAMED_MAX) return '';
  return `: ${JSON.stringify(data)} is not allowed`;
}

/** Describes a valid value of the property that was reported. */
function describe(finding: Finding, property: string): string {
  const properties = finding.parentSchema?.properties;
  const schema: unknown =
    typeof properties === 'object' && properties !== null ? Reflect.get(properties, property) : undefined;
  return asText(
    typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'description') : undefined,
  );
}

function asText(description: unknown): string {
  return typeof description === 'string' ? description : 'as the documentation says';
}
