import { definitionOf, linkTo } from './images.ts'
import type { Rule } from './rewrite.ts'
import { wordsIn } from './tables.ts'

const address = /(?:^|[\s/@(<"'])((?:[\p{L}\p{N}-]{1,63}\.){1,10}\p{L}{2,63})(?![\p{L}\p{N}-])/u

/** A link whose words are another address than the one it leads to says that one too. */
export const honestLinks: Rule = (node, place) => {
  if (node.type !== 'link' && node.type !== 'linkReference') return undefined
  const url = node.type === 'link' ? node.url : definitionOf(place.parsed.root, node)?.url
  const host = url === undefined ? undefined : URL.parse(url)?.hostname
  // What nobody sees does not make another word of an address.
  const words = wordsIn(node).replace(/\p{Cf}/gu, '')
  const shown = address.exec(words)?.[1]?.toLowerCase()
  if (url === undefined || !host || shown === undefined || isSame(shown, host)) return undefined
  return `${linkTo(place.inner(), url)} (leads to ${host})`
}

const isSame = (shown: string, host: string): boolean => shown.replace(/^www\./, '') === host.replace(/^www\./, '')
