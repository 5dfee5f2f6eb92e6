export const environmentLabels = { production: 'Production', sandbox: 'Sandbox' };
