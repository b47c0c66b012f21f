import { parseSync } from 'vite'

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Three words in a row that begin like a sentence, or two and its end. */
const sentence =
  /^[^\w]*(?:I|[A-Z][\w’']*|[A-Z][\w’']* [\w’'-]+)(?:,? [\w’'{}#/().-]+){2,}|^[A-Z][\w’']*(?: [\w’'-]+)+[.?!]$/

/** What only a developer reads, or a model. */
const unread =
  /(?:^|\.)(?:log|logger)\.(?:trace|debug|info|warn|error|fatal)$|^(?:Error|TypeError|RangeError|DOMException)$|(?:^|\.)(?:describe|prepare|exec|query)$/

const nameOf = (node: unknown): string => {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node.name)
  return node.type === 'MemberExpression' ? `${nameOf(node.object)}.${nameOf(node.property)}` : ''
}

/** SQL, and the paths of icons. */
const notWords = /^\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|AND) |^M\d/

/** Texts for people that stand in the code itself. A template counts as one, with `{}` for its values. */
export function sentencesIn(path: string, text: string): string[] {
  const found: string[] = []
  function visit(node: Node): void {
    if (node.type === 'ImportDeclaration' || node.type.startsWith('TS')) {
      if (!/^TS(As|NonNull|Satisfies|TypeAssertion)/.test(node.type)) return
    }
    if ((node.type === 'CallExpression' || node.type === 'NewExpression') && unread.test(nameOf(node.callee))) return
    const said =
      node.type === 'Literal' && typeof node.value === 'string'
        ? node.value
        : node.type === 'TemplateLiteral'
          ? (node.quasis as { value: { cooked?: string } }[]).map(({ value }) => value.cooked ?? '').join('{}')
          : ''
    if (sentence.test(said) && !notWords.test(said)) found.push(said)
    for (const value of Object.values(node)) {
      if (Array.isArray(value)) for (const one of value) isNode(one) && visit(one)
      else if (isNode(value)) visit(value)
    }
  }
  visit(parseSync(path, text).program as unknown as Node)
  return found
}
