/** Screens of the preview, in points. */
export const devices = {
  phone: { label: 'iPhone', width: 393, height: 852 },
  small: { label: 'Small phone', width: 320, height: 568 },
  tablet: { label: 'Tablet', width: 820, height: 1180 },
  web: { label: 'Web', width: 1280, height: 800 },
} as const;

export type Device = keyof typeof devices;
