/**
 * Copies `text`. Browsers without a secure context lack `navigator.clipboard`, as on home servers without a
 * certificate.
 * @throws if refused
 */
export async function writeClipboard(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // A dialog traps the focus, so the element must be inside it.
  const place = document.activeElement?.closest('[role=dialog], [role=alertdialog]') ?? document.body;
  place.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser refused to copy.');
}
