interface Name {
  platform: number;
  id: number;
  text: string;
}

/** A font with a `name` table only. */
export function font(names: Name[], signature = '\x00\x01\x00\x00'): Buffer {
  const texts = names.map(({ platform, text }) =>
    platform === 1 ? Buffer.from(text, 'latin1') : Buffer.from(text, 'utf16le').swap16(),
  );
  const table = Buffer.alloc(6 + names.length * 12);
  table.writeUInt16BE(names.length, 2);
  table.writeUInt16BE(table.length, 4);
  let offset = 0;
  names.forEach(({ platform, id }, index) => {
    const at = 6 + index * 12;
    table.writeUInt16BE(platform, at);
    table.writeUInt16BE(id, at + 6);
    table.writeUInt16BE(texts[index]?.length ?? 0, at + 8);
    table.writeUInt16BE(offset, at + 10);
    offset += texts[index]?.length ?? 0;
  });
  const header = Buffer.alloc(28);
  header.write(signature, 0, 'latin1');
  header.writeUInt16BE(1, 4);
  header.write('name', 12, 'latin1');
  header.writeUInt32BE(28, 20);
  return Buffer.concat([header, table, ...texts]);
}
