export const environments = ['production', 'sandbox', 'both'] as const;
export type Environment = (typeof environments)[number];
