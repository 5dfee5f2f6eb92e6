export interface MailAddress {
  name: string;
  address: string;
}

/** The parts of `Name <you@example.com>` or `you@example.com`, as settings are written. */
export function parsedAddress(text: string): MailAddress {
  const [, name = '', address = text] = /^(.*) <(.+)>$/.exec(text) ?? [];
  return { name: name.replaceAll('"', '').trim(), address };
}
