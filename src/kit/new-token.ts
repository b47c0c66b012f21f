import { randomBytes } from 'node:crypto'

/** A token for the console: 192 random bits behind a beginning that makes it known as one. */
export const newToken = (): string => `bobbin_${randomBytes(24).toString('base64url')}`
