/** Copies `text`. Servers at home have no certificate, and browsers no `navigator.clipboard` there. @throws if refused */
export async function writeClipboard(text: string): Promise<void> {
  if (isSecureContext) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  // A dialog lets the focus go nowhere else.
  const place = document.activeElement?.closest('[role=dialog], [role=alertdialog]') ?? document.body;
  place.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser refused to copy.');
}
