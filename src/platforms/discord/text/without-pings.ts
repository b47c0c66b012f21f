import { defusePings } from '../../../kit/markdown/pings.ts'

/** A mention of everybody is a word of its own: an e-mail address contains none. */
const pings = [/<@[!&]?(?=\d)/g, /(?<!\w)@(?:everyone|here)\b/gi]

/** A model's text, without mentions of a person, a role, or everybody. */
export const withoutPings = (markdown: string): string => defusePings(markdown, pings)
