const TABLES = 12;
const TABLE_LENGTH = 16;
/** `name` */
const NAME_TABLE = 0x6e616d65;
const NAME_RECORDS = 6;
const NAME_RECORD_LENGTH = 12;
const POSTSCRIPT_NAME = 6;
/** Platform of names in Mac OS Roman; those of the others are in UTF-16. */
const MACINTOSH = 1;
/** Printable ASCII without the delimiters of PostScript, at most 63 characters (OpenType, `name` table, name ID 6). */
const valid = /^(?![^]*[[\](){}<>/%])[!-~]{1,63}$/;

function decode(bytes: Uint8Array, platform: number): string {
  return new TextDecoder(platform === MACINTOSH ? 'latin1' : 'utf-16be').decode(bytes);
}

function findName(font: Uint8Array): string | null {
  const view = new DataView(font.buffer, font.byteOffset, font.byteLength);
  const tables = view.getUint16(4);
  for (let at = TABLES; at < TABLES + tables * TABLE_LENGTH; at += TABLE_LENGTH) {
    if (view.getUint32(at) !== NAME_TABLE) continue;
    const names = view.getUint32(at + 8);
    const texts = names + view.getUint16(names + 4);
    const end = names + NAME_RECORDS + view.getUint16(names + 2) * NAME_RECORD_LENGTH;
    for (let record = names + NAME_RECORDS; record < end; record += NAME_RECORD_LENGTH) {
      if (view.getUint16(record + 6) !== POSTSCRIPT_NAME) continue;
      const start = texts + view.getUint16(record + 10);
      const bytes = font.subarray(start, start + view.getUint16(record + 8));
      const name = decode(bytes, view.getUint16(record));
      if (valid.test(name)) return name;
    }
  }
  return null;
}

/** Returns the name by which phones find a TrueType or OpenType font; null if it has none or is cut off. */
export function postScriptNameOf(font: Uint8Array): string | null {
  try {
    return findName(font);
  } catch (error) {
    // A read beyond the end of the file.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
