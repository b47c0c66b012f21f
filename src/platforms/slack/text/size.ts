/**
 * In UTF-8 bytes: that is what Slack counts in streams (openclaw/openclaw#143882) and in edits (#115027). What it counts
 * in blocks isn't known; bytes are never too few.
 */
export const sizeOf = (text: string): number => Buffer.byteLength(text)
