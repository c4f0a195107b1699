/**
 * Types of PostgreSQL's values in rows. Money and counts are int8 and must not become floats; a day
 * has no time zone and must not become a time.
 *
 * int8 is a bigint, numeric a string, date and timestamp (without zone) their text, timestamptz a
 * Date, json and jsonb parsed, uuid text; arrays of these likewise. Everything else is the driver's
 * default.
 */
import pg from 'pg';

type ParseText = (text: string) => unknown;

const textArrayOid: number = 1009;

const asText: ParseText = (text) => text;
const asTexts: (text: string) => (string | null)[] = pg.types.getTypeParser(textArrayOid);
const asBigints: ParseText = (text) => asTexts(text).map((item) => (item === null ? null : BigInt(item)));

const parsers = new Map<number, ParseText>([
  [20, BigInt], // int8
  [1016, asBigints], // int8[]
  [1231, asTexts], // numeric[]
  [1082, asText], // date
  [1182, asTexts], // date[]
  [1114, asText], // timestamp
  [1115, asTexts], // timestamp[]
]);

export const rowValues: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const parser = format === 'binary' ? undefined : parsers.get(oid);
    return parser ?? pg.types.getTypeParser(oid, format);
  },
};
