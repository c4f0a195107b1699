/** Shows and sets how a merchant appears on receipts: the name and the logo of its shop. */
import { Type } from 'typebox';
import { OperationError } from '../../core/errors.ts';
import { nullableText } from '../../core/nullable.ts';
import { admins, defineOperation, roles } from '../../core/operation.ts';
import { inputOf, merchantField, text } from '../../core/operation-fields.ts';
import type { Acting, Asking } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { findByCode, requireMerchant } from '../require-merchant.ts';
import { findShop, type Logo, type Shop, storeShop } from '../shop-store.ts';

const mediaTypes: readonly string[] = ['image/png', 'image/jpeg', 'image/webp'];
const LOGO_BYTES_MAX = 65_536;
/** Base 64 of the logo, and the other fields. */
const BODY_BYTES_MAX = 131_072;

const logoField = Type.String({
  description: 'a PNG, JPEG or WebP image of at most 64 KB, in base 64',
  pattern: '^[A-Za-z0-9+/]+={0,2}$',
  // Four characters hold three bytes.
  maxLength: Math.ceil(LOGO_BYTES_MAX / 3) * 4,
  contentEncoding: 'base64',
  contentMediaType: mediaTypes.join(', '),
});

const shopOutput = Type.Object({
  merchant: Type.String(),
  /** The name on receipts. */
  name: Type.String(),
  /** The media type of the logo. Null without a logo. */
  logo_type: nullableText,
  /** The logo in base 64. */
  logo: nullableText,
});

const showShopOperation = defineOperation({
  name: 'shop.show',
  kind: 'question',
  summary: "show the name and the logo on a merchant's receipts",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/shop',
  document: 'merchants/portal.md',
  input: inputOf({ merchant: merchantField }),
  output: shopOutput,
  run: async ({ sql }: Asking, { merchant: code }) => {
    const merchant = await findByCode(sql, code);
    return answerOf(
      merchant.code,
      (await findShop(sql, merchant.id)) ?? { name: merchant.name, logo: undefined },
    );
  },
});

const setShopOperation = defineOperation({
  name: 'shop.set',
  kind: 'act',
  summary: "set the name and the logo on a merchant's receipts; without a logo, the present one stays",
  roles: admins,
  portal: { roles: [] },
  route: 'PUT /merchants/{merchant}/shop',
  document: 'merchants/portal.md',
  bodyBytesMax: BODY_BYTES_MAX,
  input: inputOf({
    merchant: merchantField,
    name: text('the name of the shop, in 1 to 60 characters of plain text', { maxLength: 60 }),
    logo: Type.Optional(logoField),
    remove_logo: Type.Optional(Type.Boolean({ description: 'true to show no logo', default: false })),
  }),
  output: shopOutput,
  run: async ({ tx, actor }: Acting, { merchant: code, name, logo: sent, remove_logo: removes = false }) => {
    const merchant = await requireMerchant(tx, code);
    const before = (await findShop(tx, merchant.id)) ?? { name: merchant.name, logo: undefined };
    const logo = sent === undefined ? before.logo : await readLogo(sent);
    const shop = { name: name.trim(), logo: removes ? undefined : logo };
    await storeShop(tx, merchant.id, shop);
    await recordOperation(tx, {
      actor,
      action: 'shop.set',
      subject: `merchant:${merchant.code}`,
      before: factsOf(before),
      after: factsOf(shop),
    });
    return answerOf(merchant.code, shop);
  },
});

export const shopOperations = [showShopOperation, setShopOperation] as const;

/** Finds the type from the bytes. Throws OperationError `logo_malformed`. */
async function readLogo(sent: string): Promise<Logo> {
  const bytes = Buffer.from(sent, 'base64');
  const { fileTypeFromBuffer } = await import('file-type');
  const mediaType = (await fileTypeFromBuffer(bytes))?.mime;
  if (mediaType === undefined || !mediaTypes.includes(mediaType) || bytes.length > LOGO_BYTES_MAX) {
    throw new OperationError({ code: 'logo_malformed' });
  }
  return { bytes, mediaType };
}

function factsOf({ name, logo }: Shop) {
  return { name, logo: logo === undefined ? null : { media_type: logo.mediaType, bytes: logo.bytes.length } };
}

function answerOf(merchant: string, { name, logo }: Shop) {
  return {
    merchant,
    name,
    logo_type: logo?.mediaType ?? null,
    logo: logo?.bytes.toString('base64') ?? null,
  };
}
