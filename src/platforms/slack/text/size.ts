/**
 * In UTF-8 bytes, which Slack counts in streams (measured in openclaw/openclaw#143882) and in edits
 * (openclaw/openclaw#115027). What it counts in blocks isn't known; a text never has fewer bytes than characters.
 */
export const sizeOf = (text: string): number => Buffer.byteLength(text)
