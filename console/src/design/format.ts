/** Formats times, amounts and names for people. Pure. */

const LAGOS = 'Africa/Lagos';
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
/** The second time zone: the reader's own, or UTC for a reader in Lagos. */
const OTHER = here === LAGOS ? 'UTC' : here;

const dayAndTime = formatterOf(LAGOS, true);
const dayOnly = formatterOf(LAGOS, false);
const otherZone = formatterOf(OTHER, true);

function formatterOf(timeZone: string, isTimed: boolean): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    ...(isTimed && { hour: '2-digit', minute: '2-digit', second: '2-digit' }),
  });
}

/** Returns a time in Lagos with its zone, West Africa Time. */
export function timeText(at: string): string {
  return `${dayAndTime.format(new Date(at))} WAT`;
}

export function dayText(at: string): string {
  return dayOnly.format(new Date(at));
}

export function otherTimeText(at: string): string {
  return `${otherZone.format(new Date(at))} ${OTHER}`;
}

/** Returns the day in Lagos in the format of operations: 2026-11-22. */
export function lagosDay(at: Date = new Date(), daysBefore = 0): string {
  const moved = new Date(at.getTime() - daysBefore * 86_400_000);
  return new Intl.DateTimeFormat('en-CA', { timeZone: LAGOS }).format(moved);
}

const units: readonly (readonly [number, string])[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
];

/** Returns "1 minute" for 90. */
export function ageText(seconds: number): string {
  const [size, word] = units.find(([one]) => seconds >= one) ?? [1, 'second'];
  const count = Math.floor(seconds / size);
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

export function fromNow(at: string, now: number = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1_000);
  return seconds >= 0 ? `in ${ageText(seconds)}` : `${ageText(-seconds)} ago`;
}

const signs: Readonly<Record<string, string>> = { NGN: '₦', USD: '$', EUR: '€', GBP: '£' };

/** Returns "₦1,234,567.50" for "1234567.5", exactly at any size. */
export function moneyText(amount: string, currency = 'NGN'): string {
  const minus = amount.startsWith('-') ? '−' : '';
  return `${minus}${signs[currency] ?? `${currency} `}${numberText(amount.replace(/^[-+]/, ''))}`;
}

/** Returns "1,234,567.50" for "1234567.5". */
export function numberText(number: string): string {
  const [, whole = '0', part = ''] = /^(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  return `${whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',')}.${part.padEnd(2, '0')}`;
}

/** Returns 1250n for "12.5". */
export function minorUnits(amount: string): bigint {
  const [, minus, whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? [];
  const units = BigInt(`${whole}${part.padEnd(2, '0')}`);
  return minus === '-' ? -units : units;
}

/** Returns "12.50" for 1250n. */
export function amountText(units: bigint): string {
  const text = (units < 0n ? -units : units).toString().padStart(3, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -2)}.${text.slice(-2)}`;
}

export function countText(count: number): string {
  return count.toLocaleString('en-GB');
}

const productNames: Readonly<Record<string, string>> = { GIFTCARD: 'Gift card', ESIM: 'eSIM' };

const kindNames: Readonly<Record<string, string>> = { sme: 'SME', sme2: 'SME 2', vtu: 'VTU' };

/** Returns "Share and sell" for `share_and_sell`, and "SME" for `sme`. */
export function kindText(kind: string): string {
  return kindNames[kind] ?? words(kind);
}

/** Returns "Airtime MTN". Gift cards and eSIMs have no network. */
export function goodsText(product: string, network: string): string {
  return product === network ? productText(product) : `${productText(product)} ${network}`;
}

/** Returns a network or biller, and "Gift card" for goods without a network. */
export function networkText(network: string): string {
  return productNames[network] ?? network;
}

/** Returns "Electricity" for `ELECTRICITY`, and "eSIM" for `ESIM`. */
export function productText(product: string): string {
  return productNames[product] ?? words(product.toLowerCase());
}

/**
 * Returns "Float: vtpass" for `float:vtpass:live:NGN`, "Assets: floats: vtpass" for an account of
 * the journal, and "Wallet" for a merchant's wallet.
 */
export function accountText(account: string): string {
  const [kind = '', ...rest] = account.replace(/:(?:live|test):[A-Z]{3}$/, '').split(':');
  return kind === 'wallet' ? 'Wallet' : [words(kind), ...rest].join(': ');
}

const goodsNames: Readonly<Record<string, string>> = {
  kct1: 'First key change token',
  kct2: 'Second key change token',
};

/** Returns "Customer name" for `customer_name`, and names key change tokens in full. */
export function goodsName(name: string): string {
  return goodsNames[name] ?? words(name);
}

const spellings: Readonly<Record<string, string>> = {
  api: 'API',
  bvn: 'BVN',
  csv: 'CSV',
  email: 'e-mail',
  emails: 'e-mails',
  id: 'ID',
  ip: 'IP',
  ips: 'IPs',
  mcp: 'MCP',
  sms: 'SMS',
  totp: 'authenticator',
  url: 'URL',
  whatsapp: 'WhatsApp',
  xlsx: 'XLSX',
};

/** Returns "Provider refund" for `provider_refund`, and "Expires in" for `expires_in`. */
export function words(name: string): string {
  const spaced = name
    .replaceAll(/[_.-]+/g, ' ')
    .trim()
    .replaceAll(/\b[a-z]+\b/g, (word) => spellings[word] ?? word);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}
