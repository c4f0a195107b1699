/**
 * Composite types of the database, and arrays of them in PostgreSQL's binary format: the parameters
 * of functions that take a batch. Reading a record costs the server a third of what the same row
 * costs it as JSON (docs/decisions/0003).
 */
import type { Sql } from './database.ts';
import { WireWriter } from './wire-writer.ts';

type ScalarValues = {
  smallint: number;
  integer: number;
  bigint: bigint;
  boolean: boolean;
  text: string;
  uuid: string;
  timestamptz: Date;
  json: object;
  jsonb: object;
};

type Scalar = keyof ScalarValues;

/**
 * A type of the database as the code knows it: its columns in order. A column that is a record type
 * holds an array of such records.
 */
export type RecordType<C extends Columns = Columns> = { readonly name: string; readonly columns: C };

// biome-ignore lint/suspicious/noExplicitAny: the columns of a column's type are any.
type Columns = Readonly<Record<string, Scalar | RecordType<any>>>;

type ColumnValue<T> = T extends Scalar ? ScalarValues[T] : T extends RecordType ? readonly RowOf<T>[] : never;

/** A row of the type. A value that is undefined or left out is null. */
export type RowOf<T extends RecordType> = {
  readonly [K in keyof T['columns']]?: ColumnValue<T['columns'][K]> | undefined;
};

/** The object ids that PostgreSQL gives its own types, everywhere the same (pg_type.dat). */
const scalarOids: Record<Scalar, number> = {
  smallint: 21,
  integer: 23,
  bigint: 20,
  boolean: 16,
  text: 25,
  uuid: 2950,
  timestamptz: 1184,
  json: 114,
  jsonb: 3802,
};

type Write = (writer: WireWriter, value: never) => void;

const scalarWrites: { readonly [K in Scalar]: (writer: WireWriter, value: ScalarValues[K]) => void } = {
  smallint: (writer, value) => writer.int16(value),
  integer: (writer, value) => writer.int32(value),
  bigint: (writer, value) => writer.int64(value),
  boolean: (writer, value) => writer.byte(value ? 1 : 0),
  text: (writer, value) => writer.text(value),
  uuid: (writer, value) => writer.uuid(value),
  timestamptz: (writer, value) => writer.timestamp(value),
  json: (writer, value) => writer.text(JSON.stringify(value)),
  jsonb: (writer, value) => {
    writer.byte(JSONB_VERSION);
    writer.text(JSON.stringify(value));
  },
};

const JSONB_VERSION = 1;
const NULL_LENGTH = -1;

/** A record type with the object ids of one database. */
type Layout = {
  readonly oid: number;
  readonly arrayOid: number;
  readonly columns: readonly { readonly name: string; readonly oid: number; readonly write: Write }[];
};

type AttributeRow = {
  type: string;
  oid: number;
  array_oid: number;
  column_name: string;
  column_oid: number;
};

/** An array of records, for a parameter of the type `type[]`. */
export type EncodedRecords = {
  readonly bytes: Buffer;
  /**
   * To be called when the records were sent: their memory may be used again. Otherwise every batch
   * would leave a large buffer to the garbage collector.
   */
  release(): void;
};

/** Writers that are kept for the next batches. */
const IDLE_MAX = 8;

/** Encodes rows of the types it was opened with, for the database it was opened on. */
export class RecordEncoder {
  readonly #layouts: ReadonlyMap<string, Layout>;
  readonly #idle: WireWriter[] = [];

  private constructor(layouts: ReadonlyMap<string, Layout>) {
    this.#layouts = layouts;
  }

  /**
   * A type that is a column of another comes before it. Rejects when the types of the database
   * differ from those of the code.
   */
  static async open(sql: Sql, types: readonly RecordType[]): Promise<RecordEncoder> {
    const rows = await sql.query<AttributeRow>(
      `select
         t.typname as type, t.oid, t.typarray as array_oid, a.attname as column_name, a.atttypid as column_oid
       from pg_type t
       join pg_attribute a
         on a.attrelid = t.typrelid
         and a.attnum > 0
         and not a.attisdropped
       where t.typname = any($1::name[])
       and pg_type_is_visible(t.oid)
       order by a.attnum`,
      [types.map((type) => type.name)],
    );
    const layouts = new Map<string, Layout>();
    for (const type of types) {
      const attributes = rows.filter((row) => row.type === type.name);
      layouts.set(type.name, layOut(type, attributes, layouts));
    }
    return new RecordEncoder(layouts);
  }

  /** Throws RangeError where a value does not fit its column. */
  encode<T extends RecordType>(type: T, rows: readonly RowOf<T>[]): EncodedRecords {
    const layout = this.#layouts.get(type.name);
    if (layout === undefined) throw new Error(`the encoder was not opened with the type ${type.name}`);
    const writer = this.#idle.pop() ?? new WireWriter();
    writer.begin();
    writeArray(writer, layout, rows);
    return {
      bytes: writer.end(),
      release: () => {
        if (this.#idle.length < IDLE_MAX) this.#idle.push(writer);
      },
    };
  }
}

function layOut(
  type: RecordType,
  attributes: readonly AttributeRow[],
  layouts: ReadonlyMap<string, Layout>,
): Layout {
  const columns = Object.entries(type.columns).map(([name, column]) => ({
    name,
    ...(typeof column === 'string'
      ? { oid: scalarOids[column], write: scalarWrites[column] as Write }
      : layOutArray(column, layouts)),
  }));
  const [first] = attributes;
  const isSame =
    attributes.length === columns.length &&
    attributes.every(
      ({ column_name, column_oid }, index) =>
        column_name === columns[index]?.name && column_oid === columns[index]?.oid,
    );
  if (first === undefined || !isSame) {
    throw new Error(`the type ${type.name} of the database is not the one that this version of Oja knows`);
  }
  return { oid: first.oid, arrayOid: first.array_oid, columns };
}

function layOutArray(
  { name }: RecordType,
  layouts: ReadonlyMap<string, Layout>,
): { oid: number; write: Write } {
  const layout = layouts.get(name);
  if (layout === undefined) throw new Error(`the type ${name} must come before those that contain it`);
  return {
    oid: layout.arrayOid,
    write: (writer, rows: readonly object[]) => writeArray(writer, layout, rows),
  };
}

/**
 * As array_recv reads it: dimensions, whether there are nulls, type; then each dimension's length
 * and lower bound.
 */
function writeArray(writer: WireWriter, layout: Layout, rows: readonly object[]): void {
  writer.int32(rows.length === 0 ? 0 : 1);
  writer.int32(0);
  writer.int32(layout.oid);
  if (rows.length === 0) return;
  writer.int32(rows.length);
  writer.int32(1);
  for (const row of rows) {
    const begin = writer.beginSized();
    writeRecord(writer, layout, row as Readonly<Record<string, unknown>>);
    writer.endSized(begin);
  }
}

/** As record_recv reads it: how many columns; then each one's type, length and value. */
function writeRecord(writer: WireWriter, { columns }: Layout, row: Readonly<Record<string, unknown>>): void {
  writer.int32(columns.length);
  for (const { name, oid, write } of columns) {
    const value = row[name];
    writer.int32(oid);
    if (value === undefined || value === null) {
      writer.int32(NULL_LENGTH);
    } else {
      const begin = writer.beginSized();
      write(writer, value as never);
      writer.endSized(begin);
    }
  }
}
