import { defusePings } from '../../../kit/markdown/pings.ts'

const pings = [/<@[!&]?(?=\d)/g, /@(?:everyone|here)/gi]

/** A model's text, without mentions of a person, a role, or everybody. */
export const withoutPings = (markdown: string): string => defusePings(markdown, pings)
