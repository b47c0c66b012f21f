import { isId } from '../api/snowflakes.ts'

/** The message that a link, or an id alone, names. */
export function messageIn(text: string): string | undefined {
  const named = /(?:\/channels\/(?:@me|\d+)\/\d+\/)?(\d{15,20})\/?$/.exec(text.trim())?.[1]
  return named !== undefined && isId(named) ? named : undefined
}
