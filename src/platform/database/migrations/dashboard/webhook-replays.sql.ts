export const webhookReplayTables = '';
