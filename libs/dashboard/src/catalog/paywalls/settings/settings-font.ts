/** A font by the name that documents use. */
export interface SettingsFont {
  media_asset_id: string;
  family: string;
  weight: number;
  style: 'normal' | 'italic';
}

export const fontWeights: Record<string, string> = {
  100: 'Thin',
  200: 'Extra light',
  300: 'Light',
  400: 'Regular',
  500: 'Medium',
  600: 'Semibold',
  700: 'Bold',
  800: 'Extra bold',
  900: 'Black',
};
