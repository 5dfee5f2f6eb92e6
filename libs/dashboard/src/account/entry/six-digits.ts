/** What was typed or pasted as a code of six digits: `123 456` is one. */
export const sixDigits = (typed: string): string => typed.replace(/\D/g, '').slice(0, 6);
