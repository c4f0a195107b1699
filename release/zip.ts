/** Writes a zip archive: the same files give the same bytes at any time. */
import { crc32, deflateRawSync } from 'node:zlib';

/** Paths within the archive, with their contents. */
export type Files = ReadonlyMap<string, Buffer>;

/** 1 January 1980, the earliest date of the format. */
const DATE = 0x21;
const UTF8_NAMES = 0x800;
const DEFLATE = 8;
/** A regular file of mode 0644, made on Unix. */
const MADE_BY = 0x314;
const ATTRIBUTES = 0o100644 * 0x10000;

export function zip(files: Files): Buffer {
  const contents: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [path, data] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const name = Buffer.from(path);
    const packed = deflateRawSync(data, { level: 9 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(UTF8_NAMES, 2);
    fields.writeUInt16LE(DEFLATE, 4);
    fields.writeUInt16LE(DATE, 8);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(ATTRIBUTES, 6);
    place.writeUInt32LE(offset, 10);
    contents.push(signature(0x04034b50), fields, name, packed);
    directory.push(signature(0x02014b50), word(MADE_BY), fields, place, name);
    offset += 4 + fields.length + name.length + packed.length;
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.size, 4);
  end.writeUInt16LE(files.size, 6);
  end.writeUInt32LE(size, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...contents, ...directory, signature(0x06054b50), end]);
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
