import { defusePings } from '../../../kit/markdown/pings.ts'

const pings = [/<@[!&]?(?=\d)/g, /@(?:everyone|here)/gi]

/** What a model wrote, without mentions: of a person, a role, or everybody. */
export const withoutPings = (markdown: string): string => defusePings(markdown, pings)
