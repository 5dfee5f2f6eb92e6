/** Extracts a six-digit code from typed or pasted text such as `123 456`. */
export const sixDigits = (typed: string): string => typed.replace(/\D/g, '').slice(0, 6);
